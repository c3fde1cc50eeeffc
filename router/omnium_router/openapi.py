"""The OpenAPI 3.1 document: made from the route table and the models that the handlers themselves use."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.metadata import version
from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from omnium_router import access, given
from omnium_router.routes import ROUTES, Route

REF: Final = "#/components/schemas/{model}"
PATH_PART: Final = re.compile(r"{(\w+)}")
PARTS: Final[dict[str, dict[str, Any]]] = {
    "workflow": {"schema": {"type": "string"}, "description": "code of a workflow, like football"},
    "kind": {
        "schema": {"type": "string", "enum": ["fixture", "event"]},
        "description": "kind of the subject",
    },
    "ref": {"schema": {"type": "string"}, "description": "a fixture's id (UUID) or an event's code"},
    "fixture": {"schema": {"type": "string"}, "description": "a fixture's id (UUID)"},
    "name": {"schema": {"type": "string"}, "description": "a read model, like fixture.board"},
    "code": {"schema": {"type": "string"}, "description": "code of an event"},
    "version": {"schema": {"type": "string"}, "description": "version of a release"},
    "report": {"schema": {"type": "integer", "minimum": 1}, "description": "number of a replay report"},
    "wheel": {"schema": {"type": "string", "enum": ["flows", "contract"]}, "description": "which wheel"},
    "jti": {"schema": {"type": "string"}, "description": "id of a token"},
}
DESCRIPTIONS: Final = {
    200: "done",
    201: "made",
    204: "done; nothing to say",
    304: "what you have is still true",
    400: "the request can't be read or lacks something",
    401: "no token, or one that is not valid any more",
    403: "the token does not allow this",
    404: "there is no such thing",
    409: "the change would break a promise",
    413: "too large",
    415: "not a kind of body that is taken here",
    429: "more than this token may send",
    500: "ours; the log has the id",
    503: "the same call may succeed later (Retry-After)",
}
OPEN_PROBLEMS: Final = (400, 500, 503)
PROBLEMS: Final = (400, 401, 403, 404, 409, 413, 429, 500, 503)


def openapi_document() -> dict[str, Any]:
    """The whole document, as data."""
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "omnium",
            "version": version("omnium-platform"),
            "description": "Commands, reads, releases and the fleet. A rule's no is an answer (200), never "
            "an error; errors are application/problem+json and docs/errors.md lists their reasons.",
        },
        "paths": paths,
        "components": {
            "schemas": _schemas(),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
        },
    }


def _operation(route: Route) -> dict[str, Any]:
    is_open = access.is_open(route.row)
    operation: dict[str, Any] = {
        "operationId": route.row,
        "summary": route.summary,
        "tags": [route.path.split("/")[1].split(".")[0]],
        "security": [] if is_open else [{"token": []}],
        "x-roles": sorted(access.TABLE[route.row]),
        "responses": {str(status): _response(route, status) for status in _statuses(route, is_open=is_open)},
    }
    parameters = [*_path_parameters(route), *_query_parameters(route)]
    if parameters:
        operation["parameters"] = parameters
    if route.body is not None:
        media = "multipart/form-data" if route.is_form else "application/json"
        operation["requestBody"] = {"required": True, "content": {media: {"schema": _ref(route.body)}}}
    return operation


def _statuses(route: Route, *, is_open: bool) -> Iterable[int]:
    return (*route.statuses, *(OPEN_PROBLEMS if is_open else PROBLEMS))


def _response(route: Route, status: int) -> dict[str, Any]:
    response: dict[str, Any] = {"description": DESCRIPTIONS[status]}
    if status >= 400:
        response["content"] = {"application/problem+json": {"schema": _ref(given.Problem)}}
    elif status < 300 and status != 204:
        schema = _ref(route.answer) if route.answer else _plain(route.media)
        response["content"] = {route.media: {"schema": schema}}
    return response


def _plain(media: str) -> dict[str, str]:
    return {"type": "string"} if media.startswith("text/") else {"type": "string", "format": "binary"}


def _path_parameters(route: Route) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, **PARTS[name]}
        for name in PATH_PART.findall(route.path)
    ]


def _query_parameters(route: Route) -> list[dict[str, Any]]:
    if route.free_query:
        free = {"type": "object", "additionalProperties": {"type": "string"}}
        return [{"name": "parameters", "in": "query", "style": "form", "explode": True, "schema": free,
                 "description": "those that GET /reads names for this read model"}]  # fmt: skip
    schema = route.query.model_json_schema()
    required = set(schema.get("required", ()))
    return [
        {
            "name": name,
            "in": "query",
            "required": name in required,
            "description": one.get("description", ""),
            "schema": {key: value for key, value in one.items() if key != "description"},
        }
        for name, one in schema.get("properties", {}).items()
    ]


def _ref(model: type[BaseModel]) -> dict[str, str]:
    return {"$ref": REF.format(model=model.__name__)}


def _schemas() -> dict[str, Any]:
    asked = {route.body for route in ROUTES if route.body}
    answered = {route.answer for route in ROUTES if route.answer} | {given.Problem}
    pairs = [
        *((model, "validation") for model in sorted(asked, key=_name)),
        *((model, "serialization") for model in sorted(answered, key=_name)),
    ]
    _, schema = models_json_schema(pairs, ref_template=REF)  # type: ignore[arg-type]  # the modes are literals
    found: dict[str, Any] = schema["$defs"]
    return found


def _name(model: type[BaseModel]) -> str:
    return model.__name__
