"""The page's description is valid OpenAPI 3.1 and knows every request and no fact."""

from __future__ import annotations

import pytest

from controller import events
from controller.edge.page.openapi import document


def test_it_is_valid() -> None:
    validator = pytest.importorskip("openapi_spec_validator")
    validator.validate(document())


def test_it_describes_every_request_and_no_fact() -> None:
    body = document()["paths"]["/api/requests"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    tags = set(body["discriminator"]["mapping"])
    assert tags == {str(request.__struct_config__.tag) for request in events.REQUESTS}
    assert "card-drawn" not in tags
