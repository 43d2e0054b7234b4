"""`sabot journal verify|show|export|receipts`: a table's journal, checked, listed, written out as JSON Lines, and the
receipts of packs and shoes that were counted.

Works beside a running daemon and on a read-only mount. What is a break of the chain is decided in edge.journal_verify.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import msgspec

from controller.edge.journal_format import JournalDamaged, Record
from controller.edge.journal_reader import JournalReader, reading
from controller.edge.journal_verify import Finding
from controller.edge.problems import UsageProblem

DAMAGED = 1
SHOWN = 50  # findings printed for a person; --json prints all


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "journal",
        help="verify, show or export a table's journal, or its receipts",
        description="Reads a table's journal, also beside a running daemon. Status 1: something in it was changed.",
    )
    parser.add_argument(
        "what",
        choices=sorted(_ACTIONS),
        metavar="verify|show|export|receipts",
        help="check the hash chain; a line for each record; a JSON object for each; packs and shoes that were counted",
    )
    parser.add_argument(
        "--state", type=Path, metavar="DIR", help="the table's state folder (default: that of /etc/sabot/table.toml)"
    )
    parser.add_argument("--json", action="store_true", help="JSON Lines on standard output (export always prints them)")


def run(args: argparse.Namespace) -> int:
    folder = _standard_folder() if args.state is None else args.state
    try:
        with reading(folder) as journal:
            return _ACTIONS[args.what](journal, args.json)
    except JournalDamaged as error:
        print(error)
        return DAMAGED


def _standard_folder() -> Path:
    """The state folder of this machine's one table."""
    from controller.edge.config import STANDARD_FILE, load_config  # lazy: pydantic, only where it is asked for

    if not STANDARD_FILE.exists():
        raise UsageProblem(f"sabot journal: no --state DIR given, and there is no {STANDARD_FILE} to name the folder")
    return load_config(STANDARD_FILE).state_folder()


def _verify(journal: JournalReader, as_json: bool) -> int:
    findings = list(journal.verify())
    for finding in findings if as_json else islice(findings, SHOWN):
        print(_finding(journal, finding, as_json))
    number, digest = journal.newest()
    if as_json:
        print(_json({"records": journal.count(), "newest": number, "hash": digest, "findings": len(findings)}))
    elif len(findings) > SHOWN:
        print(f"{journal.path}: and {len(findings) - SHOWN} more")
    elif not findings:
        newest = f"record {number}, {digest}" if number else "none yet"
        print(f"{journal.path}: {journal.count()} records, the chain is whole; newest: {newest}")
    return DAMAGED if findings else 0


def _finding(journal: JournalReader, finding: Finding, as_json: bool) -> str:
    return msgspec.json.encode(finding).decode() if as_json else f"{journal.path}: {finding.text}"


def _show(journal: JournalReader, as_json: bool) -> int:
    for record in journal.records():
        print(_as_json(record) if as_json else _for_a_person(record))
    return 0


def _export(journal: JournalReader, as_json: bool) -> int:
    return _show(journal, True)


def _receipts(journal: JournalReader, as_json: bool) -> int:
    """Recomputed from the events; what cannot be decoded is for `verify` to name."""
    from controller.edge.receipts import as_text, issued  # lazy: the rules, only where they are asked for

    for stamped in issued(journal.records()):
        print(_json(msgspec.to_builtins(stamped)) if as_json else as_text(stamped))
    return 0


def _for_a_person(record: Record) -> str:
    """One line: number, time (`?` where the clock was not set), and what happened."""
    mark = " " if record.stamp.utc_trusted else "?"
    fields = " ".join(f"{name}={_plain(value)}" for name, value in _event_fields(record) if name != "type")
    kind = next((str(value) for name, value in _event_fields(record) if name == "type"), "event")
    return f"{record.number:>8}  {record.stamp.utc}{mark}  {kind}  {fields}".rstrip()


def _event_fields(record: Record) -> Iterator[tuple[str, object]]:
    try:
        event = msgspec.json.decode(record.event)
    except (msgspec.DecodeError, UnicodeEncodeError):
        event = record.event  # not what was written: verify says so, here it is shown as it stands
    yield from event.items() if isinstance(event, dict) else [("text", event)]


def _plain(value: object) -> str:
    return value if isinstance(value, str) and value.isprintable() and " " not in value else _json(value)


def _as_json(record: Record) -> str:
    """All of a record; the event's JSON text is embedded as it was hashed."""
    stamp = record.stamp
    before = _json({"number": record.number, "boot": stamp.boot, "monotonic_ns": stamp.monotonic_ns, "utc": stamp.utc})
    after = _json({"utc_trusted": stamp.utc_trusted, "previous": record.previous, "hash": record.hash})
    return f'{before[:-1]},"event":{_embedded(record.event)},{after[1:]}'


def _embedded(event: str) -> str:
    """The event's text where it is JSON of one line; else that text as a JSON string."""
    try:
        msgspec.json.decode(event)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return _json(event)
    return event if "\n" not in event else _json(msgspec.json.decode(event))


def _json(value: object) -> str:
    return msgspec.json.encode(_encodable(value)).decode()


def _encodable(value: object) -> object:
    """Text that was no UTF-8 in the file is shown with replacement marks."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if isinstance(value, dict):
        return {str(_encodable(key)): _encodable(item) for key, item in value.items()}
    return value


_ACTIONS: dict[str, Callable[[JournalReader, bool], int]] = {
    "verify": _verify,
    "show": _show,
    "export": _export,
    "receipts": _receipts,
}
