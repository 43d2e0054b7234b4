"""The page's interface described for other programs: OpenAPI 3.1, made from the very types that decode the requests."""

from __future__ import annotations

from functools import reduce
from importlib.metadata import PackageNotFoundError, version
from operator import or_
from typing import Any

import msgspec

from controller.edge.receipts import StampedReceipt
from controller.events import REQUESTS
from controller.view import Supervisor, View

AnyRequest: Any = reduce(or_, REQUESTS)  # the union that msgspec decodes by its `type` tag

Json = dict[str, Any]


def _object(properties: Json) -> Json:
    return {"type": "object", "properties": properties, "required": list(properties)}


_TABLE = _object({"name": {"type": "string"}, "program": {"type": "string"}})


def document() -> Json:
    """The whole OpenAPI document, as its JSON reads."""
    (request, view, supervisor, receipts), components = msgspec.json.schema_components(
        (AnyRequest, View, Supervisor, list[StampedReceipt]), ref_template="#/components/schemas/{name}"
    )
    made = {
        "openapi": "3.1.0",
        "info": {"title": "Sabot table", "version": _version(), "description": "One table: its view and its requests."},
        "paths": {
            "/api/table": {"get": _get("table", "The table's name, and which page it serves.", _TABLE)},
            "/api/view": {"get": _get("view", "What stands now; `seq` is its journal number.", _seq(view))},
            "/api/supervisor": {"get": _get("supervisor", "What only a supervisor may see.", supervisor)},
            "/api/receipts": {"get": _get("receipts", "Receipts of counted packs and shoes, newest first.", receipts)},
            "/api/events": {"get": _events()},
            "/api/requests": {"post": _post(request)},
        },
        "components": {"schemas": {**components, "Refusal": _object({"why": {"type": "string"}})}},
    }
    document: Json = msgspec.json.decode(msgspec.json.encode(made))  # defaults are tuples and structs up to here
    return document


def _version() -> str:
    try:
        return version("sabot")
    except PackageNotFoundError:
        return "0"


def _seq(view: Json) -> Json:
    return {"allOf": [view, _object({"seq": {"type": "integer"}})]}


def _answer(description: str, schema: Json) -> Json:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _get(name: str, summary: str, schema: Json) -> Json:
    return {"operationId": name, "summary": summary, "responses": {"200": _answer(summary, schema)}}


def _events() -> Json:
    text = (
        "Server-sent events: `view` (data: the whole view with `seq`; a slow client gets the newest only), `outcome` "
        "(data: what happened once) and `alive` at least every second."
    )
    stream = {"description": text, "content": {"text/event-stream": {"schema": {"type": "string"}}}}
    return {"operationId": "events", "summary": "The view, live", "responses": {"200": stream}}


def _post(request: Json) -> Json:
    refusal = {"$ref": "#/components/schemas/Refusal"}
    seen = {
        "name": "If-Match",
        "in": "header",
        "required": False,
        "schema": {"type": "string"},
        "description": 'The `seq` of the view that the person saw, as "12"; refused with 409 where the table moved on.',
    }
    return {
        "operationId": "request",
        "summary": "Ask the table for something; answered after the commit to the journal.",
        "parameters": [seen],
        "requestBody": {"required": True, "content": {"application/json": {"schema": request}}},
        "responses": {
            "200": _answer("Committed under this number.", _object({"number": {"type": "integer"}})),
            "400": _answer("Not a request.", refusal),
            "403": _answer("From a foreign page.", refusal),
            "409": _answer("Refused now, and why.", refusal),
            "413": _answer("Too long.", refusal),
            "415": _answer("Not application/json.", refusal),
        },
    }
