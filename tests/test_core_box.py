"""Zecchinetta's box as a camera tells it: faces in sight, drawn, gone; restarts, faces not read, cards left unseen."""

from __future__ import annotations

from games_support import Played

from controller import events as e
from controller import outcomes as o

ZE = "zecchinetta"


def box() -> Played:
    """A table whose box was seen empty, with a pack put in: its first face lies there before the hand is opened."""
    return Played(ZE).post(e.SightEmptied(), e.CardExposed("As"))


def hand(faces: str) -> Played:
    first, *others = faces.split()
    table = Played(ZE).post(e.SightEmptied(), e.ShoeLoaded(), e.CardExposed(first))
    for before, face in zip([first, *others], others, strict=False):
        table.post(e.CardDrawn(before), e.CardExposed(face))
    return table


def faces(table: Played) -> list[str]:
    """Piles, banker's cards and fan, then the card in sight."""
    rows = {row.name: row.cards for row in table.view.rows}
    banker, sight, fan = rows.pop("banker"), rows.pop("box"), rows.pop("fan")
    banker = () if banker == sight else banker  # at the opening it lies in the box
    return [*banker, *(card for cards in rows.values() for card in cards), *fan, *sight]


def test_a_face_in_sight_before_the_hand_is_opened_is_its_first_card() -> None:
    table = box()
    assert (table.state.index, table.state.hold) == (0, None)
    table.post(e.ShoeLoaded())
    assert (table.state.index, faces(table)) == (1, ["As"])
    assert table.post(e.CardExposed("As")).state.index == 1  # said again after a reader's restart
    assert table.post(e.CardCorrected(0, "2s")).why is None
    assert faces(table) == ["2s"]


def test_the_last_face_of_a_hand_is_no_card_of_the_next() -> None:
    table = hand("As 2h Kd Kh")
    assert table.view.phase == "result"
    table.post(e.CardExposed("Kh"), e.ShoeLoaded())  # a reader that began again sees it still lie there
    assert table.state.index == 0
    table.post(e.SightEmptied(), e.CardExposed("Kh"))  # and the new pack may begin with the same face
    assert faces(table) == ["Kh"]


def test_a_face_of_unknown_pack_is_asked_for_never_guessed() -> None:
    table = hand("As 2h Kd Kh").post(e.CardDrawn("Kh"), e.CardExposed("3c"), e.ShoeLoaded())
    assert table.view.hold is not None
    assert table.view.hold.text.startswith("Card 0 was not read (in sight before the pack was loaded)")
    assert faces(table.post(e.CardEntered("3c"))) == ["3c"]


def test_drawing_before_the_hand_is_opened_is_a_fault() -> None:
    table = box().post(e.CardDrawn("As"))
    assert table.one(o.Fault).code == "overdraw"


def test_what_is_drawn_is_the_face_in_sight_whatever_it_was_taken_for() -> None:
    table = hand("As 2h Kd")
    table.post(e.CardCorrected(2, "Qd"), e.CardDrawn("Kd"), e.CardExposed("5c"))
    assert table.state.index == 4
    assert faces(table) == ["Qd", "As", "2h", "5c"]


def test_a_faulty_face_is_drawn_away_without_a_trace() -> None:
    table = hand("As 2h Kd").post(e.CardDrawn("Kd"), e.CardExposed("8s"), e.CardDrawn("8s"), e.CardExposed("5c"))
    assert table.view.hold is not None
    assert table.view.hold.text.endswith("1 left the shoe meanwhile, played in turn afterwards: 5c.")
    table.post(e.FaultResolved("put-back"))
    assert faces(table) == ["Kd", "As", "2h", "5c"]


def test_a_face_not_read_is_entered_and_then_drawn() -> None:
    table = hand("As 2h Kd").post(e.CardDrawn("Kd"), e.CardUnread("unclear"))
    assert table.view.hold is not None
    assert table.view.hold.index == 3
    table.post(e.CardUnread("unclear"))  # the reader began again
    table.post(e.CardEntered("5c"))
    assert (table.state.index, table.view.phase) == (4, "betting")
    table.post(e.CardDrawn("?"))
    assert table.view.phase == "dealing"
    assert faces(table.post(e.CardExposed("6c")))[-2:] == ["5c", "6c"]


def test_a_known_face_that_a_new_reader_cannot_read_is_named_and_not_counted_twice() -> None:
    table = hand("As 2h Kd").post(e.DaemonStarted(), e.Confirmed(), e.CardUnread("unclear"))
    assert table.view.hold is not None
    assert table.view.hold.code == "unread"
    table.post(e.CardEntered("Kd"))
    assert (table.state.index, table.state.hold) == (3, None)


def test_one_face_again_is_a_fault_once_it_was_drawn() -> None:
    table = hand("As 2h Kd").post(e.CardDrawn("Kd"), e.CardExposed("Kd"))
    assert table.one(o.Fault).code == "composition"


# ---- while nobody looked -----------------------------------------------------------------------------------


def away(count: int) -> Played:
    """A daemon that stops with Kd in sight, 2 cards out, and comes back to a beam that counted `count`."""
    table = Played(ZE).post(e.ExitCounted(7, 0), e.SightEmptied(), e.ShoeLoaded(), e.CardExposed("As"))
    table.post(e.CardDrawn("As"), e.CardExposed("2h"), e.CardDrawn("2h"), e.CardExposed("Kd"))
    assert table.post(e.ExitCounted(7, 2)).state.hold is None
    return table.post(e.DaemonStarted(), e.ExitCounted(7, count))


def test_the_card_in_sight_left_while_the_daemon_was_away() -> None:
    table = away(3).post(e.CardExposed("5c"), e.Confirmed())
    assert (table.state.hold, table.state.index, faces(table)) == (None, 4, ["Kd", "As", "2h", "5c"])
    assert table.post(e.ExitCounted(7, 3)).state.hold is None


def test_two_left_while_the_daemon_was_away() -> None:
    table = away(4).post(e.CardExposed("5c"), e.Confirmed())
    assert table.view.hold is not None
    assert (table.view.hold.code, table.view.hold.count) == ("gap", 1)
    table.post(e.CardEntered("6s"))
    assert (table.state.hold, faces(table)) == (None, ["Kd", "As", "2h", "6s", "5c"])
    assert table.post(e.ExitCounted(7, 4)).state.hold is None


def test_two_left_and_the_camera_was_first_to_say_so() -> None:
    table = away(2).post(e.CardExposed("5c"), e.ExitCounted(7, 4), e.Confirmed(), e.CardEntered("6s"))
    assert (table.state.hold, faces(table)) == (None, ["Kd", "As", "2h", "6s", "5c"])


def test_two_in_one_pull_are_found_by_the_beam_and_the_face_in_sight_comes_after() -> None:
    table = away(2).post(e.CardExposed("Kd"), e.Confirmed(), e.CardDrawn("Kd"), e.CardExposed("5c"))
    assert table.post(e.ExitCounted(7, 4)).view.hold is not None
    assert table.one(o.Gap).index == 3
    table.post(e.CardEntered("6s"))
    assert (table.state.hold, faces(table)) == (None, ["Kd", "As", "2h", "6s", "5c"])
    assert table.post(e.ExitCounted(7, 4)).state.hold is None


def test_a_box_that_runs_out_voids_its_hand_when_the_dealer_says_so() -> None:
    table = hand("As 2h Kd").post(e.CardDrawn("Kd"), e.SightEmptied())
    assert "shoe-exhausted" not in table.view.prompt.requests
    table.post(e.ShoeLevelChanged(True))
    assert (table.view.shoe.empty, table.state.void) == (True, 0)  # CO-7: a sensor alone ends nothing
    assert "shoe-exhausted" in table.view.prompt.requests
    assert table.post(e.ShoeExhausted()).why is None
    assert (table.state.void, table.view.phase) == (1, "result")
    assert table.post(e.ShoeExhausted()).why == "no shoe can be empty: the table is in phase result"
