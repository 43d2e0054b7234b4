"""A recorded shoe through the very rules engine of the daemon.

A replay is a dealer that reads a file: it loads the shoe, opens each round at once, lays the bets of a round before its
first card and takes the same resolution at every fault, or none. All else is `controller.table.step`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from msgspec.structs import replace

from controller import events as e
from controller.cards import CUT, parse
from controller.edge.bet_lines import Bets
from controller.edge.replay_lines import Lines, RefusedBet
from controller.edge.shoe_file import SEPARATOR, Mistakes
from controller.outcomes import Ended, Fault, Outcome, RbCard, Refused
from controller.plays import Hand
from controller.rules import Rules
from controller.table import initial, step

Words = Iterable[tuple[int, list[str]]]  # with the number of their line
CardEvent = e.CardDrawn | e.CardExposed
DONE, FAULTY = 0, 1
NOT_REACHED = "not reached"


@dataclass(frozen=True)
class Options:
    game: str
    rules: Rules
    on_fault: str | None = None
    seats: int = 1
    doubles: frozenset[tuple[int, int]] = frozenset()  # (round, seat)


def replay(options: Options, bets: Bets, words: Words, lines: Lines, mistakes: Mistakes) -> int:
    """Plays the words and says what comes of them; the status. What is not usable is added to `mistakes`."""
    kind = Box if options.game == "zecchinetta" else Slot
    run = kind(options, bets, lines, mistakes)
    run.play(words)
    return FAULTY if run.faulty else DONE


def _without_end(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """The end is said once, by the replay: a fault ends it too."""
    return [outcome for outcome in outcomes if not isinstance(outcome, Ended)]


class Replay:
    """What a slot shoe and a box have in common; `over` once nothing more is played, only checked."""

    def __init__(self, options: Options, bets: Bets, lines: Lines, mistakes: Mistakes) -> None:
        self.faulty = self.over = False
        self._options = options
        self._bets = bets
        self._lines = lines
        self._mistakes = mistakes
        self._read = 0
        self._known: dict[str, CardEvent] = {}
        self._state = initial(e.TableOpened(options.game, options.rules, options.seats))

    def _symbol(self, word: str, number: int) -> CardEvent | None:
        """The event of a word, or None: then the file is not usable, and nothing more is played."""
        symbol = parse(word)
        if symbol is None:
            self._mistakes.no_card(number, word)
            self.over = True
            return None
        event = self._known[word] = self._event(symbol)
        return event

    def _event(self, symbol: str) -> CardEvent:
        return e.CardDrawn(symbol, "file")

    def _post(self, event: e.AnyEvent) -> tuple[Outcome, ...]:
        self._state, outcomes = step(self._state, event)
        return outcomes

    def _lay(self, turn: int = 0) -> None:
        """The bets of this round (and turn), as they were given; each is taken or refused."""
        for bet in self._bets.pop((self._state.round, turn), ()):
            for outcome in self._post(e.BetPlaced(bet.fields)):
                if isinstance(outcome, Refused):
                    self._lines.say((RefusedBet(bet.line, outcome.why),))

    def _resolve(self) -> None:
        """At a fault: the resolution that was asked for, if this fault offers it; else the end."""
        held = self._state.hold
        assert held is not None
        self.faulty = True
        if self._options.on_fault not in held.resolutions:
            self._end("fault")
            return
        self._lines.say(_without_end(self._post(e.FaultResolved(self._options.on_fault or ""))))

    def _end(self, reason: str) -> None:
        self._refuse_the_rest()
        self._lines.say((Ended(self._read, self._state.rounds, self._state.void, reason),))
        self.over = True

    def _refuse_the_rest(self) -> None:
        for key in sorted(self._bets):
            self._lines.say(RefusedBet(bet.line, NOT_REACHED) for bet in self._bets[key])
        self._bets.clear()

    def play(self, words: Words) -> None:
        raise NotImplementedError


class Slot(Replay):
    """One shoe that gives card after card: trente et quarante, red and black."""

    def play(self, words: Words) -> None:
        self._lines.say(_without_end(self._post(e.ShoeLoaded())))
        self._go_on()
        known = self._known
        for number, found in words:
            for word in found:
                event = known.get(word) or self._symbol(word, number)
                if not self.over and event is not None:
                    self._draw(event)
        if not self.over:
            begun = self._state.phase == "dealing"
            outcomes = self._post(e.ShoeEmptied())
            self._lines.say(_without_end(outcomes) if begun else ())
            self._end("empty")

    def _draw(self, event: CardEvent) -> None:
        self._read += 1
        if self._state.phase == "betting":
            if event.symbol == CUT:
                self._post(event)  # no round began, nothing is settled
                self._go_on()
                return
            self._lay()
        self._state, outcomes = step(self._state, event)
        state = self._state
        if state.phase == "dealing" and state.hold is None:
            self._lines.say(outcomes)
            if self._options.doubles:
                self._double(outcomes)
        else:
            self._lines.say(_without_end(outcomes))
            self._go_on()

    def _go_on(self) -> None:
        """Whatever the last card brought: a fault, the end of the shoe, or the next round."""
        if self._state.hold is not None:
            self._resolve()
        if self._state.phase == "ended" and not self.over:
            self._end(self._state.shoe.reason)
        elif self._state.phase in ("loaded", "result") and not self.over:
            self._post(e.RoundOpened())

    def _double(self, outcomes: Iterable[Outcome]) -> None:
        for card in outcomes:
            if isinstance(card, RbCard) and card.may_double and (card.round, card.seat) in self._options.doubles:
                self._post(e.DoubleDecided(True))


class Box(Replay):
    """Zecchinetta: a freshly shuffled deck for each hand, each symbol coming into sight in its turn."""

    def __init__(self, options: Options, bets: Bets, lines: Lines, mistakes: Mistakes) -> None:
        super().__init__(options, bets, lines, mistakes)
        self._index = 0  # of the next symbol in the file, passed over or not
        self._fresh = True  # nothing of this block came yet

    def play(self, words: Words) -> None:
        known = self._known
        for number, found in words:
            for word in found:
                event = known.get(word) or (None if word == SEPARATOR else self._symbol(word, number))
                if self.over:
                    continue
                if event is None:
                    self._block_ends()
                else:
                    self._expose(event)
        if not self.over:
            self._block_ends()
            self._end("empty")

    def _event(self, symbol: str) -> CardEvent:
        return e.CardExposed(symbol, "file")

    def _expose(self, event: CardEvent) -> None:
        if self._fresh:
            self._fresh = False
            self._post(e.ShoeLoaded())
        self._index += 1
        if self._state.phase not in ("dealing", "betting"):
            return  # below the card that ended the hand
        self._read += 1
        self._state, outcomes = step(self._state, event)
        if self._state.hold is not None:
            outcomes = tuple(self._indexed(outcome) for outcome in outcomes)
        self._lines.say(outcomes)
        if self._state.hold is not None:
            self._resolve()
        if self._bets and not self.over:
            self._lay_between_turns()

    def _indexed(self, outcome: Outcome) -> Outcome:
        """A hand's own deck counts from 0, the file goes on counting."""
        return replace(outcome, index=self._index - 1) if isinstance(outcome, Fault) else outcome

    def _lay_between_turns(self) -> None:
        hand = self._state.play
        assert isinstance(hand, Hand)
        if self._state.phase == "betting":
            self._lay(hand.turn)
        elif self._state.phase == "result":
            self._refuse_the_hand("the hand is over")

    def _block_ends(self) -> None:
        """A hand that its block cuts short is void; one that had not begun (CO-6) keeps its number and its bets."""
        void = self._state.void
        self._lines.say(self._post(e.ShoeEmptied()))
        if self._state.void > void:
            self._refuse_the_hand(NOT_REACHED)
        self._fresh = True

    def _refuse_the_hand(self, why: str) -> None:
        """The bets on later turns of a hand that is over."""
        if self._bets:
            for key in sorted(key for key in self._bets if key[0] == self._state.round):
                said = why if key[1] >= 0 else NOT_REACHED  # there is no turn below 0
                self._lines.say(RefusedBet(bet.line, said) for bet in self._bets.pop(key))
