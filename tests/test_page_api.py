"""The page's addresses over a real socket: view, requests with their answers, events, and the end with streams open."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import msgspec
import pytest
from bench_support import END_S, until
from page_support import ServedTable

from controller.edge.page.app import STATIC
from controller.edge.page.server import PageUnavailable, listen
from controller.events import CardDrawn


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ServedTable]:
    with ServedTable(tmp_path) as served:
        yield served


@pytest.fixture
def http(table: ServedTable) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=table.url, timeout=10) as client:
        yield client


def ask(http: httpx.Client, request: dict[str, object], **headers: str) -> httpx.Response:
    return http.post("/api/requests", json=request, headers=headers)


def test_the_page_and_its_files_are_here(http: httpx.Client) -> None:
    page = http.get("/")
    assert page.status_code == 200
    assert "default-src 'self'" in page.headers["content-security-policy"]
    assert len(list(STATIC.glob("*.js"))) > 3
    for path in STATIC.iterdir():
        assert http.get(f"/static/{path.name}").status_code == 200
    assert "http://" not in page.text
    assert "https://" not in page.text
    assert http.get("/openapi.json").json()["openapi"].startswith("3.1")
    assert http.get("/static/../server.py").status_code == 404


def test_a_request_is_answered_after_its_commit(http: httpx.Client, table: ServedTable) -> None:
    answer = ask(http, {"type": "shoe-loaded"})
    assert answer.status_code == 200
    number = answer.json()["number"]
    assert [record.number for record in table.journal.records()][-1] == number
    assert http.get("/api/view").json()["seq"] == number


def test_the_table_has_a_name(http: httpx.Client) -> None:
    assert http.get("/api/table").json()["name"] == "table-7"


def test_a_refused_request_says_why_and_is_not_journalled(http: httpx.Client, table: ServedTable) -> None:
    before = http.get("/api/view").json()["seq"]
    answer = ask(http, {"type": "round-opened"})
    assert answer.status_code == 409
    assert answer.json()["why"]
    assert [record.number for record in table.journal.records()][-1] == before


@pytest.mark.parametrize(
    "body", ["", "{", "[]", '{"type": "card-drawn", "symbol": "As"}', '{"type": "shoe-loaded", "more": 1}', '"\\ud800"']
)
def test_what_is_no_request_is_malformed(http: httpx.Client, body: str) -> None:
    answer = http.post("/api/requests", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["why"]


def test_a_long_body_is_refused_before_it_is_read_whole(http: httpx.Client) -> None:
    content = json.dumps({"type": "shoe-loaded", "by": "x" * 100_000})
    answer = http.post("/api/requests", content=content, headers={"content-type": "application/json"})
    assert answer.status_code == 413


def test_foreign_pages_are_refused(http: httpx.Client) -> None:
    assert ask(http, {"type": "shoe-loaded"}, origin="http://evil.example").status_code == 403
    assert http.get("/api/view", headers={"host": "evil.example"}).status_code == 403
    assert http.post("/api/requests", content="{}", headers={"content-type": "text/plain"}).status_code == 415
    assert http.get("/api/view").json()["shoe"]["number"] == 0


def test_a_decision_on_an_old_view_is_refused(http: httpx.Client) -> None:
    seen = http.get("/api/view").json()["seq"]
    assert ask(http, {"type": "shoe-loaded"}, **{"if-match": f'"{seen}"'}).status_code == 200
    stale = ask(http, {"type": "round-opened"}, **{"if-match": f'"{seen}"'})
    assert stale.status_code == 409
    assert "moved on" in stale.json()["why"]
    assert ask(http, {"type": "round-opened"}, **{"if-match": "soon"}).status_code == 400


def test_events_stream_whole_views(http: httpx.Client, table: ServedTable) -> None:
    ask(http, {"type": "shoe-loaded"})
    ask(http, {"type": "round-opened"})
    with http.stream("GET", "/api/events") as stream:
        lines = stream.iter_lines()
        first = _next_view(lines)
        assert first["rows"][0]["cards"] == []
        table.post(CardDrawn("Kd"))
        second = _next_view(lines)
        assert table.feed.clients == 1
    until(lambda: table.feed.clients == 0)
    assert second["seq"] == first["seq"] + 1
    assert second["rows"][0] == {"name": "noir", "cards": ["Kd"], "total": 10, "complete": False, "manual": []}


def _next_view(lines: Iterator[str]) -> dict[str, object]:
    for line in lines:
        if line == "event: view":
            return dict(json.loads(next(lines).removeprefix("data: ")))
    raise AssertionError("the stream ended")


def test_it_stops_at_once_with_streams_open(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as table, httpx.stream("GET", f"{table.url}/api/events", timeout=10) as stream:
        next(stream.iter_lines())
        table.stop(within_s=END_S)
        assert table.stopped


def test_requests_that_never_come_whole_are_no_errors_of_the_page(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """One client goes away in the middle of its body, one waits until the page ends."""
    with ServedTable(tmp_path) as table:
        begun = (
            f"POST /api/requests HTTP/1.1\r\nHost: 127.0.0.1:{table.port}\r\n"
            "Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"
        )
        with socket.create_connection(("127.0.0.1", table.port)) as waits:
            with socket.create_connection(("127.0.0.1", table.port)) as goes:
                for client in (waits, goes):
                    client.sendall(begun.encode())
                httpx.get(f"{table.url}/api/table")  # both are being read by now
            table.stop(within_s=END_S)
    assert [record.getMessage() for record in caplog.records if record.exc_info] == []


def test_a_port_in_use_is_one_clear_line() -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(PageUnavailable, match=f"page.port {port} on 127.0.0.1: is in use"):
            listen("127.0.0.1", port)


def test_a_client_that_does_not_read_skips_views_and_holds_nothing_up(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as table, slow_client(table.port) as slow:
        until(lambda: table.feed.clients == 1)
        number, view = table.table.standing()
        long = msgspec.structs.replace(view, announcement="x" * 100_000)
        last = number + 199
        with httpx.stream("GET", f"{table.url}/api/events", timeout=10) as stream:
            lines = stream.iter_lines()
            for seq in range(number, last + 1):
                table.on_loop(lambda seq=seq: table.feed.publish(seq, long))
                while _next_view(lines)["seq"] != seq:  # a client that reads gets on meanwhile
                    pass
        late = b""
        while f"id: {last}\n".encode() not in late:
            late += slow.recv(1_000_000)
        assert late.count(b"event: view") < 150
        table.stop(within_s=END_S)
        assert table.stopped


def slow_client(port: int) -> socket.socket:
    """A client of the event stream that has not read anything yet."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
    client.connect(("127.0.0.1", port))
    client.sendall(f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    return client
