"""The second engine: the lines that `sabot replay --json` must give, worked out from the pages alone.

`replay` is all that tests need. Checking of input (status 2) is not its work.
"""

from __future__ import annotations

from typing import Any

import oracle_rb
import oracle_tq
import oracle_ze


def replay(
    game: str,
    symbols: list[str],
    rules: dict[str, Any],
    bets: list[dict[str, Any]],
    on_fault: str | None = None,
    seats: int = 1,
    doubles: set[tuple[int, int]] | None = None,
) -> tuple[list[dict[str, Any]], int]:
    """Lines and exit status. `symbols` are those of `oracle_basics.parse`, `---` included; `rules` is the TOML
    as nested dicts; lines with the event `unreached` name bets that play never came to (free, see oracle_compare)."""
    if game == "trente-et-quarante":
        return oracle_tq.replay(symbols, rules, bets, on_fault)
    if game == "red-and-black":
        return oracle_rb.replay(symbols, rules, bets, on_fault, seats, doubles or set())
    if game == "zecchinetta":
        return oracle_ze.replay(symbols, rules, bets, on_fault)
    raise ValueError(game)
