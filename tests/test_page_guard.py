"""Who may talk to the page: own names and addresses, own pages only, JSON only."""

from __future__ import annotations

import pytest

from controller.edge.page.guard import host_allowed, refusal

NAMES = frozenset({"localhost", "table7", "table7.local"})
JSON = {"host": "127.0.0.1:8031", "content-type": "application/json"}


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8031", "localhost:8031", "[::1]:8031", "192.168.1.20", "TABLE7:80", "table7.local"]
)
def test_own_hosts_pass(host: str) -> None:
    assert host_allowed(host, NAMES)


@pytest.mark.parametrize("host", ["", "evil.example", "127.0.0.1.evil.example", "table7.evil.example:8031", "[::1"])
def test_foreign_hosts_do_not(host: str) -> None:
    assert not host_allowed(host, NAMES)


def test_a_request_of_the_page_itself_passes() -> None:
    assert refusal("POST", {**JSON, "origin": "http://127.0.0.1:8031"}, NAMES) is None


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:9999", "http://["])
def test_a_foreign_origin_is_refused(origin: str) -> None:
    found = refusal("POST", {**JSON, "origin": origin}, NAMES)
    assert found is not None
    assert found[0] == 403


@pytest.mark.parametrize(
    "kind", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
)
def test_a_form_of_another_page_cannot_post(kind: str) -> None:
    found = refusal("POST", {**JSON, "content-type": kind}, NAMES)
    assert found is not None
    assert found[0] == 415


def test_json_with_a_charset_passes() -> None:
    assert refusal("POST", {**JSON, "content-type": "application/json; charset=utf-8"}, NAMES) is None
