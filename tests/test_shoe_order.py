"""Suspicious order: an honest shoe alarms less than once in 10,000 (by exact expectations); a stacked one does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise, permutations
from random import Random

import pytest
from games_support import TQ, ZE, Played

from controller import events as e
from controller import order
from controller import outcomes as o
from controller.alarms import KEPT, latched
from controller.cards import DECK, POSITION, ZECCHINETTA_DECK
from controller.order import HONEST, SHARE, Kind, Limits, Order, limits, next_shoe, watch

BOUNDS = (order.same_rank, order.same_suit, order.sequence, order.repeat)
PACKS = [*((13, decks) for decks in range(1, 13)), (10, 1)]


@pytest.mark.parametrize(("ranks", "decks"), PACKS)
def test_an_honest_shoe_alarms_less_than_once_in_ten_thousand(ranks: int, decks: int) -> None:
    chosen = limits(ranks, decks)[:4]
    expected = [bound(ranks, decks, length) for bound, length in zip(BOUNDS, chosen, strict=True)]
    assert all(each <= SHARE for each in expected)
    assert sum(expected) <= HONEST
    shorter = [bound(ranks, decks, length - 1) for bound, length in zip(BOUNDS, chosen, strict=True)]
    assert all(each > SHARE for each in shorter), "no threshold is longer than it must be"


def test_the_thresholds_of_the_three_games() -> None:
    assert limits(13, 6)[:4] == (7, 13, 8, 7)
    assert limits(13, 2)[:4] == (6, 11, 8, 6)
    assert limits(10, 1)[:4] == (5, 9, 8, 6)  # five of a rank cannot come out of one deck: no alarm of that kind


# ---- the expectations are those of an enumeration ----------------------------------------------------------


def maximal_runs(row: tuple[int, ...], goes_on: Callable[[int, int], bool]) -> Iterator[int]:
    length = 1
    for before, now in pairwise(row):
        if goes_on(before, now):
            length += 1
        else:
            yield length
            length = 1
    yield length


@cache
def shoes_of_two_ranks() -> list[tuple[int, ...]]:
    """Every order of one deck of two ranks in four suits; a card is suit * 2 + rank."""
    return list(permutations(range(8)))


@pytest.mark.parametrize("length", [2, 3, 4])
def test_runs_of_a_rank_are_counted_exactly(length: int) -> None:
    shoes = shoes_of_two_ranks()
    found = sum(run >= length for row in shoes for run in maximal_runs(row, lambda a, b: a % 2 == b % 2))
    assert order.same_rank(2, 1, length) == pytest.approx(found / len(shoes), rel=1e-12)


def test_runs_of_a_suit_are_counted_exactly() -> None:
    shoes = shoes_of_two_ranks()
    found = sum(run >= 2 for row in shoes for run in maximal_runs(row, lambda a, b: a // 2 == b // 2))
    assert order.same_suit(2, 1, 2) == pytest.approx(found / len(shoes), rel=1e-12)


@cache
def shoes_of_three_ranks() -> list[tuple[int, ...]]:
    """Every order of the ranks of one deck of three ranks in four suits."""

    def grow(row: tuple[int, ...], left: tuple[int, int, int]) -> Iterator[tuple[int, ...]]:
        if not any(left):
            yield row
        for rank in range(3):
            if left[rank]:
                rest = tuple(number - (each == rank) for each, number in enumerate(left))
                yield from grow((*row, rank), rest)  # type: ignore[arg-type]

    return list(grow((), (4, 4, 4)))


@pytest.mark.parametrize("length", [3, 4, 7])
def test_rising_and_falling_sequences_are_counted_exactly(length: int) -> None:
    shoes = shoes_of_three_ranks()
    rising = sum(run >= length for row in shoes for run in maximal_runs(row, lambda a, b: b == (a + 1) % 3))
    falling = sum(run >= length for row in shoes for run in maximal_runs(row, lambda a, b: a == (b + 1) % 3))
    assert order.sequence(3, 1, length) == pytest.approx((rising + falling) / len(shoes), rel=1e-12)


def test_shorter_runs_come_as_often_as_others_have_found() -> None:
    """20,000 simulated shoes of six decks elsewhere: four of a rank in about 10 %, five in about 0.8 %."""
    assert 0.10 <= order.same_rank(13, 6, 4) <= 0.13
    assert 0.006 <= order.same_rank(13, 6, 5) <= 0.009


# ---- simulated and stacked shoes ---------------------------------------------------------------------------


def alarms(cards: list[str] | tuple[str, ...], known: Limits, earlier: Order | None = None) -> tuple[list[Kind], Order]:
    state, found = earlier or Order(), []
    for card in cards:
        state, kinds = watch(state, POSITION[card], known)
        found += kinds
    return found, state


def shuffled(deck: tuple[str, ...], decks: int, seed: int) -> list[str]:
    cards = list(deck) * decks
    Random(seed).shuffle(cards)
    return cards


@pytest.mark.parametrize(("deck", "decks", "shoes"), [(DECK, 6, 500), (DECK, 2, 1000), (ZECCHINETTA_DECK, 1, 2000)])
def test_honest_shoes_do_not_alarm(deck: tuple[str, ...], decks: int, shoes: int) -> None:
    known, state = limits(len(deck) // 4, decks), Order()
    for seed in range(shoes):
        found, state = alarms(shuffled(deck, decks, seed), known, next_shoe(state))
        assert not found, f"shoe of seed {seed}"


def planted(run: list[str], decks: int = 6, seed: int = 3) -> list[str]:
    """A shuffled shoe in which the cards of `run` lie together; what comes before and after is no part of it."""
    cards = shuffled(DECK, decks, seed)
    for card in run:
        cards.remove(card)
    return [*cards[:100], "6d", *run, "6c", *cards[100:]]


RUNS: dict[Kind, list[str]] = {
    "same-rank": ["Ks", "Kh", "Kd", "Kc"] * 2,
    "same-suit": [rank + "s" for rank in "A7K29T4J58Q36A"],
    "rank-sequence": [rank + suit for rank, suit in zip("9TJQKA234", "shdcshdcs", strict=True)],
}


@pytest.mark.parametrize("kind", RUNS)
@pytest.mark.parametrize("backwards", [False, True])
def test_a_run_alarms_at_its_threshold_and_once_a_shoe(kind: Kind, backwards: bool) -> None:
    known = limits(13, 6)
    long = {"same-rank": known.rank, "same-suit": known.suit, "rank-sequence": known.sequence}[kind]
    run = RUNS[kind][::-1] if backwards else RUNS[kind]
    assert alarms(planted(run[: long - 1]), known)[0] == []
    assert alarms(planted(run[:long]), known)[0] == [kind]
    assert alarms(planted(run[:long]) + run[:long], known)[0] == [kind]


def test_zecchinetta_goes_on_from_seven_to_jack() -> None:
    run = [rank + suit for rank, suit in zip("4567JQKA", "shdcshdc", strict=True)]
    assert alarms(run, limits(10, 1))[0] == ["rank-sequence"]
    assert alarms(run, limits(13, 1))[0] == []


def test_an_order_that_an_earlier_shoe_has_shown_alarms() -> None:
    known = limits(13, 6)
    first, second = shuffled(DECK, 6, 1), shuffled(DECK, 6, 2)
    _, state = alarms(first, known)
    again = [*second[:50], *first[200 : 200 + known.repeat], *second[50:60]]
    assert alarms(again, known, next_shoe(state))[0] == ["repeated-sequence"]
    assert alarms(again[: 50 + known.repeat - 1], known, next_shoe(state))[0] == []
    for seed in range(10, 10 + order.EARLIER):
        _, state = alarms(shuffled(DECK, 6, seed), known, next_shoe(state))
    assert alarms(again, known, next_shoe(state))[0] == [], "that shoe is too long ago"


def test_a_card_that_nobody_saw_breaks_every_run() -> None:
    known = limits(13, 6)
    cards = RUNS["same-suit"]
    found, state = alarms(cards[:12], known)
    found, state = alarms(cards[12:13], known, order.broken(state))
    assert (found, state.suit) == ([], 1)


def test_a_card_that_nobody_saw_is_no_part_of_a_repeat() -> None:
    known = limits(13, 6)
    first = shuffled(DECK, 6, 1)
    _, state = alarms(first[:3], known)
    _, state = alarms(first[3:20], known, order.broken(state))
    _, state = alarms(first[:3], known, next_shoe(state))
    found, state = alarms(first[3 : 3 + known.repeat - 1], known, order.broken(state))
    assert found == []
    assert alarms(first[2 + known.repeat : 3 + known.repeat], known, state)[0] == ["repeated-sequence"]


def test_what_is_kept_of_a_shoe_is_bounded() -> None:
    _, state = alarms(shuffled(DECK, 20, 1), limits(13, 20))
    assert len(state.cards) == order.KEPT
    for _ in range(20):
        state = next_shoe(state)
        _, state = alarms(shuffled(DECK, 12, 1), limits(13, 12), state)
    assert len(state.earlier) <= order.EARLIER * (order.KEPT + 1)


# ---- at the table ------------------------------------------------------------------------------------------


def stacked() -> Played:
    """Twelve spades were dealt in a row, one short of an alarm, and the next card is due."""
    table = Played(TQ).open()
    for rank in "A7K29T4J58Q3":
        table.draw(rank + "s")
        if table.view.phase == "result":
            table.post(e.RoundOpened())
    return table


def test_an_alarm_is_raised_and_latched_and_holds_nothing() -> None:
    table = stacked()
    assert table.view.alarms == ()
    table.draw("6s")
    raised = table.one(o.AlarmRaised)
    assert (raised.kind, raised.shoe, len(raised.cards)) == ("same-suit", 1, 13)
    assert raised.cards[-1] == "6s"
    assert table.view.hold is None
    assert [(alarm.number, alarm.kind) for alarm in table.view.alarms] == [(1, "same-suit")]


def test_only_a_named_person_acknowledges_it() -> None:
    table = stacked()
    table.draw("6s")
    for name in ("", "  ", "dealer", "Supervisor"):
        assert table.post(e.AlarmAcknowledged(1, name)).why == "an alarm is acknowledged by a person with a name"
    assert table.post(e.AlarmAcknowledged(2, "Anna Bo")).why == "there is no alarm 2 to acknowledge"
    table.post(e.AlarmAcknowledged(1, " Anna Bo "))
    assert table.one(o.AlarmClosed) == o.AlarmClosed(1, "same-suit", "Anna Bo")
    assert table.view.alarms == ()


def test_what_was_raised_stays_when_its_card_is_taken_back_and_is_not_raised_twice() -> None:
    table = stacked()
    table.draw("6s").post(e.Undone())
    assert [alarm.kind for alarm in table.view.alarms] == ["same-suit"]
    table.draw("6s")
    assert len(table.view.alarms) == 1
    table.post(e.AlarmAcknowledged(1, "Anna"), e.Undone())
    assert table.view.alarms == ()


def test_a_correction_that_completes_a_run_raises_its_alarm() -> None:
    table = stacked()
    table.draw("6h")
    assert table.view.alarms == ()
    table.post(e.CardCorrected(12, "6s"))
    assert [alarm.kind for alarm in table.view.alarms] == ["same-suit"]


def test_many_alarms_that_nobody_acknowledges_are_counted_in_the_newest_of_their_kind() -> None:
    state = Played(TQ).state
    for shoe in range(1, KEPT + 6):
        state, _ = latched(state, "same-suit", shoe, "x")
    state, _ = latched(state, "same-rank", 1, "y")
    assert len(state.alarms) == KEPT + 1
    assert (state.alarms[KEPT - 1].times, state.alarms[KEPT - 1].shoe) == (6, KEPT)
    assert (state.alarms[-1].kind, state.alarms[-1].number) == ("same-rank", KEPT + 6)


def test_a_hand_of_zecchinetta_that_was_not_shuffled_alarms() -> None:
    table = Played(ZE).post(e.ShoeLoaded()).show("As 5h Kd 2s 3h 4s 6d Kh")
    table.post(e.ShoeLoaded()).show("As 5h Kd 2s 3h 4s")
    assert table.one(o.AlarmRaised).kind == "repeated-sequence"
