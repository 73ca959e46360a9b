"""Deals as text: what is printed is read back, all forms are read, and errors name deal, line and card."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import attempt, complaint, mistyped
from superpuzz_helpers import deal_of, deals, figure

from engines.superpuzz import paper, rows, rules
from engines.superpuzz.deal import Deal, make_deal
from engines.superpuzz.drawing import draw
from engines.superpuzz.game import Superpuzz
from engines.superpuzz.options import Options
from engines.superpuzz.rows import format_deal
from engines.superpuzz.sequences import format_sequences
from engines.superpuzz.text import read_deals
from engines.text.cards import card_name, read_card

SEVEN = """S3 H2 D2 D4 H6 D5
D6 C4 H3 C5 CA S6
D3 SA DA S4 S5 C6
C2 C3 H4 HA S2 H5
"""


@given(st.lists(deals(), min_size=1, max_size=4))
def test_printed_deals_are_read_back(several: list[Deal]) -> None:
    assert read_deals("\n\n".join(format_deal(deal) for deal in several)) == several
    assert read_deals("\n".join(format_deal(deal, " / ") for deal in several)) == several


@given(deals(), st.data())
def test_every_spelling_of_cards_is_read(deal: Deal, data: st.DataObject) -> None:
    def spelled(word: str) -> str:
        suit, rank = word
        rank = data.draw(st.sampled_from(["0", "10", "T", "t"])) if rank == "0" else rank
        if read_card(word) == ("CDHS".index(suit), deal.position.columns):
            rank = data.draw(st.sampled_from([rank, "K"]))
        word = data.draw(st.sampled_from([suit + rank, rank + suit]))
        return data.draw(st.sampled_from([word, word.lower()]))

    rows = format_deal(deal).split("\n")
    typed = "\r\n".join("\t ".join(spelled(word) for word in row.split()) + "  # row" for row in rows)
    assert read_deals(typed) == [deal]


def test_the_paper_s_deals_are_printed_as_in_the_paper() -> None:
    for name in ("1", "6a", "6b", "7"):
        written = paper.example(f"figure-{name}.deal").partition("\n")[2].strip()
        assert format_deal(figure(name)) == written


def test_holes_without_a_name_get_the_kings_that_are_left() -> None:
    deal = deal_of("S2 -- -- / HA D3 SA / DA -- D2 / H2 CA C2")
    assert deal.kings == (0, 2, 1, 3)
    assert format_deal(deal) == "S2 C3 H3\nHA D3 SA\nDA S3 D2\nH2 CA C2"


@pytest.mark.parametrize("mark", ["--", "-", "_", "__", "...", "[]", "*"])
def test_any_mark_is_a_hole(mark: str) -> None:
    kings = ("C6", "D6", "H6", "S6")
    expected = read_deals(replaced(SEVEN, kings, "--"))
    assert read_deals(replaced(SEVEN, kings, mark)) == expected
    assert [deal.position for deal in expected] == [figure("7").position]


def replaced(text: str, words: tuple[str, ...], other: str) -> str:
    """A text with another word for these."""
    for word in words:
        text = text.replace(word, other)
    return text


def test_ten_commas_and_signs() -> None:
    whole = format_deal(figure("1"))
    for other in (
        whole.replace("0", "x"),
        re.sub(r"(\w)0", r"X\1", whole),
        whole.replace(" ", ", "),
        whole.translate(str.maketrans("CDHS", "♣♦♥♠")),
    ):
        assert read_deals(other) == [figure("1")]


@given(st.lists(deals(), min_size=1, max_size=3))
def test_sequences_are_read_back(several: list[Deal]) -> None:
    """Holes have no names there."""
    objects = [format_sequences(deal) for deal in several]
    positions = [deal.position for deal in several]
    for whole in ("\n".join(objects), "\n\n".join(objects), f"[{', '.join(objects)}]", " ".join(objects)):
        assert [deal.position for deal in read_deals(whole)] == positions
    mixed = "\n".join(f"{format_deal(deal)}\n\n{format_sequences(deal)}" for deal in several)
    assert [deal.position for deal in read_deals(mixed)] == [each for each in positions for _ in range(2)]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"3S"', '"3X"', "my.txt, deal 1, line 1: '3X' is no card"),
        ('"3S"', "3", "my.txt, deal 1, line 1: '3' is no card"),
        ('"3S"', '"4S"', "my.txt, deal 1, line 1: '4S' is there twice"),
        ("sequences", "rows", 'my.txt, deal 1, line 1: a deal is an object with "sequences" alone'),
        ('"sequences": [', '"sequences": "x", "y": [', "my.txt, deal 1, line 1: a deal is an object with"),
        ('["3S"', '3, ["3S"', 'my.txt, deal 1, line 1: "sequences" are arrays of cards'),
        ('["3S"', '["3S", "AS"], ["3S"', "my.txt, deal 1, line 1: "),
        ("}", "", "my.txt, line 1"),
    ],
)
def test_sequences_that_are_wrong(old: str, new: str, message: str) -> None:
    written = format_sequences(figure("7")).replace("\n", " ")
    assert old in written
    assert complaint(lambda: read_deals(written.replace(old, new, 1), "my.txt")).startswith(message)


def test_a_drawing_and_words() -> None:
    seven = figure("7")
    assert draw(seven).splitlines()[:3] == [
        "     1   2   3   4   5   6",
        " 1  3♠  2♥  2♦  4♦  --  5♦",
        " 2  --  4♣  3♥  5♣  A♣  --",
    ]
    moves = rules.legal_moves(seven.position)
    told = [each.words for move in moves for each in Superpuzz().tell_moves(seven, [move], Options())]
    assert "4♦ from row 1, column 4 to row 3, column 2, right of 3♦" not in told
    assert "A♠ from row 3, column 2 to row 2, column 1" in told
    assert len(set(told)) == len(told)


def test_comments_and_blank_lines() -> None:
    commented = SEVEN.replace("\n", " # x\n# a line between rows is no blank line\n")
    assert read_deals(f"\ufeff# first\n\n\n{commented}\n \n\n{SEVEN}\n".removeprefix("\ufeff")) == read_deals(
        f"{SEVEN}\n{SEVEN}"
    )
    assert read_deals("") == read_deals("# nothing\n\n") == []


THIRTEEN = format_deal(figure("1"))
BAD = {
    "missing": (SEVEN.replace("H4", "--"), "line 1: H4 missing; there are 5 holes, not 4"),
    "two missing": (SEVEN.replace("H4", "--").replace("C4", "--"), "line 1: C4, H4 missing; there are 6"),
    "doubled": (SEVEN.replace("S5", "HA"), "line 4: 'HA' is there twice, first on line 3"),
    "doubled in other letters": (SEVEN.replace("S5", "aH"), "line 4: 'HA' is there twice, first on line 3"),
    "a king doubled": (SEVEN.replace("C6", "KS"), "line 3: 'KS' is there twice, first on line 2"),
    "unknown": (SEVEN.replace("S5", "X5"), "line 3: 'X5' is no card"),
    "unknown rank": (SEVEN.replace("S5", "S1"), "line 3: 'S1' is no card"),
    "a suit's look-alike": (SEVEN.replace("S5", "ſ5"), "line 3: 'ſ5' is no card"),
    "a question mark": (SEVEN.replace("S6", "?"), "line 2: '?' is no card"),
    "long": (SEVEN.replace("S5", "x" * 999), "line 3: '" + "x" * 20 + "...' is no card"),
    "rank too high": (SEVEN.replace("S5", "S7"), "line 3: 'S7' is no card of a deal of 6 columns"),
    "unequal": (SEVEN.replace(" C6", ""), "line 3: a row of 5 cards; the first row, on line 1, has 6"),
    "three rows": (SEVEN.rpartition("C2")[0], "line 3: 3 rows"),
    "five rows": (SEVEN + "C2 C3 H4 HA S2 H5", "line 5: 5 rows"),
    "one column": ("CA\nDA\nHA\nSA\n", "line 1: 1 columns; there can be 2 to 13, of four rows "),
    "fourteen columns": ("\n".join(row + " --" for row in THIRTEEN.split("\n")), "line 1: 14 columns"),
    "an empty row": ("CA C2 / / HA H2 / SA S2", "line 1: a row without cards"),
}


@pytest.mark.parametrize("name", BAD)
def test_errors_name_deal_line_and_card(name: str) -> None:
    wrong, message = BAD[name]
    assert complaint(lambda: read_deals(wrong, "my.txt")).startswith(f"my.txt, deal 1, {message}")

    def later(match: re.Match[str]) -> str:
        return f"line {int(match[1]) + 5}"

    message = re.sub("line ([0-9]+)", later, message)
    second = complaint(lambda: read_deals(f"{SEVEN}\n{wrong}", "my.txt"))
    assert second.startswith(f"my.txt, deal 2, {message}")


@given(st.text(alphabet="CDHSKA23-#/ \n\r\t0x♠", max_size=120) | st.text(max_size=60))
def test_any_text_is_read_or_is_the_user_s_error(anything: str) -> None:
    found = attempt(lambda: read_deals(anything))
    if found is not None:
        assert read_deals("\n\n".join(map(format_deal, found))) == found


@given(mistyped([SEVEN], ["", *" \n-/KS3é\0"]))
def test_a_deal_with_a_few_changed_characters_is_read_or_is_the_user_s_error(typed: str) -> None:
    found = attempt(lambda: read_deals(typed))
    assert found is None or all(rules.problem(deal.position) is None for deal in found)


def test_all_cards_have_names() -> None:
    for suit in range(4):
        for rank in range(1, 14):
            assert read_card(card_name(suit, rank)) == (suit, rank)
    for word in ("", "S", "3", "SS", "33", "S33", "S100", "10", "SK3", "S 3", "1S", "٣S"):
        assert read_card(word) is None


def test_a_deal_is_made_of_a_whole_deck_only() -> None:
    cells = [(suit, rank) for suit in range(4) for rank in range(1, 4)]
    assert make_deal(3, cells).kings == (0, 1, 2, 3)
    with pytest.raises(ValueError, match="every card once"):
        make_deal(3, cells[:-1])
    with pytest.raises(ValueError, match="two holes"):
        make_deal(3, [*cells[:-1], cells[2]])


def test_the_grammar_s_example_is_the_figure() -> None:
    printed = [line.strip().partition("   ")[0] for line in (rows.__doc__ or "").split("\n")[2:6]]
    assert "\n".join(printed) + "\n" == SEVEN
