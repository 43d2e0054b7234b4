"""Hypothesis strategies for the core: house rules, bets, and any event that can be written down."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import strategies as st

from controller import events as ev
from controller.cards import SYMBOLS
from controller.rules import Bank, Insurance, Limits, Money, Prison, Rules

GAMES = ("trente-et-quarante", "red-and-black", "zecchinetta")
PACKS = {"trente-et-quarante": 6, "red-and-black": 2, "zecchinetta": 1}

units = st.sampled_from([Decimal("0.01"), Decimal("0.25"), Decimal(5)])


@st.composite
def house_rules(draw: st.DrawFn) -> Rules:
    unit = draw(units)
    most = draw(st.none() | st.integers(1, 200).map(lambda steps: unit * steps))
    return Rules(
        decks=draw(st.sampled_from([None, 1, 2])),
        burn=draw(st.sampled_from([0, 0, 1, 5])),
        money=Money(unit),
        limits=Limits(draw(st.sampled_from([None, unit])), most),
        prison=Prison(draw(st.sampled_from(["lose", "stay", "deeper"])), draw(st.booleans())),
        insurance=Insurance(draw(st.sampled_from([Decimal("0.05"), Decimal("0.0125"), Decimal(0)]))),
        doubling=draw(st.booleans()),
        commission=draw(st.sampled_from([Decimal("0.10"), Decimal("0.125"), Decimal(1)])),
        bank=Bank(draw(st.sampled_from([None, unit, unit * 50]))),
    )


def bets(game: str, number: int, turn: int) -> st.SearchStrategy[dict[str, str | int | bool]]:
    """Bets as the page sends them for round `number`, most of them sensible."""
    near = st.sampled_from([number, number, number, number, number - 1, number + 1])
    stakes = st.sampled_from(["0.01", "0.25", "5", "10", "100", "1000", "0", "-5", "0.005"])
    players = st.sampled_from(["ana", "bo", "dé"])
    if game == "trente-et-quarante":
        chances = st.sampled_from(["noir", "rouge", "couleur", "inverse", "noire"])
        return st.fixed_dictionaries(
            {"coup": near, "player": players, "on": chances, "stake": stakes},
            optional={
                "insured": st.booleans(),
                "refait": st.sampled_from(["half", "prison"]),
                "transfer": st.booleans(),
            },
        )
    if game == "red-and-black":
        colours = st.sampled_from(["red", "black", "noir"])
        return st.fixed_dictionaries({"round": near, "seat": st.integers(0, 4), "on": colours, "stake": stakes})
    turns = st.sampled_from([turn, turn, turn, turn + 1, 0])
    ranks = st.sampled_from("A234567JQK9")
    return st.fixed_dictionaries({"hand": near, "after_turn": turns, "player": players, "on": ranks, "stake": stakes})


symbols = st.sampled_from(SYMBOLS)
words = st.sampled_from(["unclear", "two cards", "camera", "panel", "box", ""])
indices = st.integers(-1, 400)
anything: st.SearchStrategy[ev.Event] = st.one_of(
    st.builds(ev.CardDrawn, symbols),
    st.builds(ev.CardExposed, symbols),
    st.builds(ev.SightEmptied),
    st.builds(ev.CardUnread, words),
    st.builds(ev.CardPulledBack),
    st.builds(ev.CardsMissed, st.integers(0, 3)),
    st.builds(ev.ExitCounted, st.integers(0, 2), st.integers(0, 400)),
    st.builds(ev.LidChanged, st.booleans()),
    st.builds(ev.ShoeEmptied),
    st.builds(ev.ShoeLevelChanged, st.booleans()),
    st.builds(ev.ShoeExhausted),
    st.builds(ev.DeviceChanged, words, st.sampled_from(["ok", "lost", "starting"])),
    st.builds(ev.DeadlineReached, words),
    st.builds(ev.DaemonStarted),
    st.builds(ev.ShoeLoaded),
    st.builds(ev.PortionLoaded),
    st.builds(ev.RoundOpened),
    st.builds(ev.BankerSought),
    st.builds(ev.ShoeEnded),
    st.builds(ev.TableClosed),
    st.builds(ev.Confirmed),
    st.builds(ev.CardEntered, symbols | words),
    st.builds(ev.FaultResolved, st.sampled_from(["put-back", "burn", "void", "next", "nonsense"])),
    st.builds(ev.Undone),
    st.builds(ev.CardCorrected, indices, symbols | words),
    st.builds(ev.DoubleDecided, st.booleans()),
    st.builds(ev.RefaitChosen, words, st.sampled_from(["noir", "couleur", "x"]), st.sampled_from(["half", "prison"])),
    st.builds(ev.BankPassed),
    st.builds(ev.CountOpened),
    st.builds(ev.CountClosed),
    st.builds(ev.CountAbandoned),
    st.builds(ev.AlarmAcknowledged, st.integers(0, 4), st.sampled_from(["Anna", "dealer", ""])),
    st.builds(ev.BetPlaced, st.dictionaries(words, words, max_size=3)),
)
