"""What inputs of commands are made of: a strict base, enumerations with labels, and common fields."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, GetJsonSchemaHandler
from pydantic.alias_generators import to_camel
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema


class Input(BaseModel):
    """Base of every input and format: camelCase beside snake_case, and an unknown field is a mistake.

    A dropped typo would be a lost fact, so nothing is ignored.
    """

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        extra="forbid",
        str_strip_whitespace=True,
        frozen=True,
    )


class Choice(StrEnum):
    """An enumeration that a form can show: each member is `NAME = "value", "Label"`.

    Its JSON Schema carries the labels as `oneOf` beside the plain `enum`.
    """

    label: str

    def __new__(cls, value: str, label: str) -> Self:
        member = str.__new__(cls, value)
        member._value_ = value
        member.label = label
        return member

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        schema = handler(core)
        handler.resolve_ref_schema(schema)["oneOf"] = [
            {"const": member.value, "title": member.label} for member in cls
        ]
        return schema


def _text(limit: int, title: str, description: str) -> Any:
    return Field(min_length=1, max_length=limit, title=title, description=description)


Entry = Annotated[str, _text(64, "Side", "The side, by the id of its entry in the fixture.")]
Person = Annotated[str, _text(128, "Person", "A participant's id, or a name where the side gave no line-up.")]
Seq = Annotated[int, Field(ge=1, title="Event", description="The number of the event in the log.")]
