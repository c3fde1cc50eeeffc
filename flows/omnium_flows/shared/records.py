"""What was sent, as data of a record for the platform's writers."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel


def sent(model: BaseModel) -> dict[str, Any]:
    """The fields that the sender named, in camelCase. Those sent as null are listed in `clears`.

    A null member of JSON is an absent one wherever omnium keeps it, so taking away is said by name.
    """
    named = model.model_dump(mode="json", by_alias=True, exclude_unset=True)
    data = {field: value for field, value in named.items() if value is not None}
    cleared = sorted(named.keys() - data.keys())
    return data | ({"clears": cleared} if cleared else {})
