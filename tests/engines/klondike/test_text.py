"""Deals and positions as text: every form, what is wrong with them, any text at all."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from klondike_forms import as_figure, as_solvitaire
from klondike_helpers import games, k00198, position_of, small_positions, whole_deals
from refusals import attempt, changed, complaint, each_changed, mistyped

from engines.contract.game import load
from engines.klondike import paper, rules
from engines.klondike.game import Klondike
from engines.klondike.plain import format_plain
from engines.klondike.position import format_position
from engines.klondike.rules import REPORT, Move, Position, Rules
from engines.klondike.text import format_deal, read_deals
from engines.text.cards import name_of
from storage.errors import UserError

FIGURE = paper.example("k00198.deal")
WON = paper.example("k00198-won.deal")
PLAIN = paper.example("k00198-plain.deal")
WITHIN = paper.example("within.deal")
SOLVITAIRE = paper.example("k00198-solvitaire.deal")
DIGITS, TALON, PILES = (paper.example(f"k00198-{form}.deal") for form in ("digits", "talon", "piles"))
NUMBERS = paper.example("numbers.deal")
EXAMPLES = [FIGURE, WON, PLAIN, WITHIN, SOLVITAIRE, DIGITS, TALON, PILES, NUMBERS]


def error_of(text: str) -> str:
    """What reading a text complains of."""
    return complaint(lambda: read_deals(text, "my.txt"))


def test_the_figure_as_printed() -> None:
    deal = k00198()
    assert [len(column) for column in deal.columns] == [1, 2, 3, 4, 5, 6, 7]
    assert deal.face_down == (0, 1, 2, 3, 4, 5, 6)
    # The last card of the cell is dealt first.
    assert [name_of(number) for number in deal.stock[:3]] == ["H5", "H3", "C2"]
    assert [name_of(number) for number in deal.columns[6]] == ["S4", "S6", "C6", "S7", "S2", "S9", "CK"]
    won = position_of(WON)
    assert (won.foundations, won.redeals_count, won.face_down) == ((6, 5, 7, 2), 5, (0,) * 7)
    assert [len(column) for column in won.columns] == [8, 0, 6, 9, 7, 0, 1]


def test_the_examples_of_one_deal_are_one_deal() -> None:
    for text in (PLAIN, SOLVITAIRE, DIGITS, TALON, PILES):
        assert read_deals(text) == [k00198()]
    assert read_deals(WITHIN) == [position_of(WON)]


def test_forms_stand_one_after_another() -> None:
    whole = "\n".join([FIGURE, WON, PLAIN, PLAIN, WITHIN, "", FIGURE.replace("\n", "\n\n"), WITHIN])
    whole += "\n" + SOLVITAIRE + TALON + DIGITS + SOLVITAIRE + PILES + "\n" + TALON
    deal, won = k00198(), position_of(WON)
    assert read_deals(whole) == [deal, won, deal, deal, won, deal, won] + [deal] * 6
    assert read_deals(whole.replace("\n", "\r\n")) == read_deals(whole)
    captions = FIGURE + "a) 初期局面\n" + WON + "b) 成功が確定した局面\n図 1  探索が成功した例\n"
    assert read_deals(captions) == [deal, won]
    assert read_deals("") == read_deals("# nothing\n\n") == []
    objects = SOLVITAIRE + "\n" + SOLVITAIRE
    assert read_deals(objects) == [deal] * 2
    assert read_deals(f"[{SOLVITAIRE}, {SOLVITAIRE}]") == [deal] * 2


def test_cards_are_written_in_many_ways() -> None:
    deal = k00198()
    line = format_deal(deal)
    for other in (
        line.lower(),
        line.replace(" ", ""),
        re.sub(r"(\w)(\w)", r"\2\1", line),
        re.sub(r"(\w)(\w)", r"\2\1", line).replace(" ", ""),
        line.replace("0", "T"),
        line.replace("0", "10"),
        line.replace("0", "10").replace(" ", ""),
        line.replace(" ", ","),
        line.replace(" ", ", "),
        line.translate(str.maketrans("CDHS", "♣♦♥♠")),
        line.translate(str.maketrans("CDHS", "♧♢♡♤")).replace(" ", ""),
        f"  {line}  # a deal",
    ):
        assert read_deals(other) == [deal]


def test_solvitaire_s_own_deals() -> None:
    """Small suits lie face down; a first deal without any has the top cards face up, and any order of columns."""
    piles = [["3d", "2c", "4c", "2H"], ["Ah", "3h", "2S"], ["Ad", "3C"], ["4S"]]
    stock = ["3S", "AS", "AC", "2D", "4H", "4D"]
    small = position_of(json.dumps({"tableau piles": piles, "stock": stock}))
    assert (small.face_down, small.ranks, small.foundations) == ((3, 2, 1, 0), 4, (0, 0, 0, 0))
    assert name_of(small.stock[0]) == "D4"
    large = json.dumps({"tableau piles": [[card.upper() for card in pile] for pile in piles], "stock": stock})
    assert position_of(large) == small
    # Within a game large suits lie face up.
    within = position_of(
        '{"tableau piles": [["2C"], ["3H", "2S"]], "foundations": ["AC", "AS", "2H"], "stock": ["3C", "3S"]}'
    )
    assert within.face_down == (0, 0)
    for founded in ([["AC"], ["AS"], [], ["AH", "2H"]], ["1c", "AS", "2h"]):
        value = {"tableau piles": [["2C"], ["3H", "2S"]], "stock": ["3C", "3S"], "foundations": founded}
        assert position_of(json.dumps(value)) == within
    numbers = SOLVITAIRE.replace('"K', '"13').replace('"Q', '"12').replace('"J', '"11').replace('"A', '"1')
    assert read_deals(numbers) == [k00198()]


@given(whole_deals())
@settings(max_examples=50)
def test_a_deal_comes_back_from_every_form(deal: Position) -> None:
    line = format_plain(deal)
    assert line is not None
    assert format_deal(deal) == line
    texts = [load(form)(deal) for form in Klondike.written_forms.values()]
    for text in (line, *texts, as_figure(deal), as_solvitaire(deal)):
        assert read_deals(text) == [deal]
    assert read_deals("\n\n".join(texts)) == [deal] * len(texts)


@given(games())
@settings(max_examples=50, deadline=None)
def test_a_position_comes_back_from_every_form(game: tuple[Position, Rules, list[Move]]) -> None:
    deal, options, moves = game
    position = rules.replay(deal, moves, options)
    for text in (format_deal(position), format_position(position), as_figure(position)):
        assert read_deals(text) == [position]
    others = [load(form)(position) for name, form in Klondike.written_forms.items() if name != "position"]
    assert all(text is None or read_deals(text) == [position] for text in others)
    # Solvitaire's form does not tell how many redeals there were.
    assert read_deals(as_solvitaire(position)) == [replace(position, redeals_count=0)]
    assert all(others) == (position == deal)
    assert read_deals("\n".join([format_deal(deal), format_deal(position)] * 2)) == [deal, position] * 2


@given(small_positions())
@settings(max_examples=100, deadline=None)
def test_small_positions_come_back(game: tuple[Position, Rules]) -> None:
    position, _ = game
    for text in (format_deal(position), as_figure(position)):
        assert read_deals(text) == [position]


BAD_FIGURES = [
    ("H8D3,C7", "H8DX,C7", "line 12: column 2: 'DX' is no card"),
    ("H8D3,C7", "H8H8,C7", "line 2: column 2: H8 is there twice, first in: column 2"),
    ("H8D3,C7", "H8D3,CJ", "line 2: stock: CJ is there twice, first in: column 2"),
    ("3,3, 4:", "3,2, 4:", "line 13: column 3: 2 cards face down are given, 3 stand before"),
    ("3,3, 4:", "3,3, 5:", "line 13: column 3: 5 cards are given, there are 4"),
    ("3,3, 4:", "4,3, 4:", "line 13: column 3: its line begins with 4"),
    ("3,3, 4:", "3,-1, 4:", "line 13: column 3: -1 cards face down, but 3 stand before"),
    ("3,3, 4:", "3,3 4:", "line 13: expected a column like 1,1, 2: D5,C8, found '3,3 4:"),
    ("cp=24", "cp=23", "line 8: cp=23, but there are 24 cards"),
    ("tp: 0, ", "tp: 14, ", "line 8: tp: a foundation has at most 13 cards, not 14"),
    ("wp=0", "wp=1", "line 8: wp=1, but there are 0 cards"),
    ("n=0", "n=4", "line 8: n=4, but there are 0 cards"),
    ("Stack: 28", "Stack: 27", "line 9: Stack: 27, but the columns have 28 cards"),
    ("1617\n", "16\n", "line 5: stock: the line of counts does not go with its 24 cards"),
    ("wastepile:", "waste pile:", "line 7: expected wastepile:, found 'waste pile:'"),
    ("tp: 0, 0, 0, 0", "tp: 0, 0, 0", "line 8: expected tp: 0, 0, 0, 0, n=0, cp=24, wp=0"),
    ("6,6, 7: S4S6C6S7S2S9,CK", "#", "line 2: missing: C6, CK, S2, S4, S6, and 2 more (in no column"),
]
BAD_PLAIN_LINES = [
    ("C9 D5", "C9 X5", "line 2: deal: 'X5' is no card"),
    ("C9 D5", "C9 C9", "line 2: column 1: C9 is there twice, first in: column 0"),
    ("C9 D5", "D5", "line 2: missing: C9 (in no column"),
    (" S0\n", "\n", "line 2: missing: S0 (in no column"),
    (" S0\n", " S0 S0\n", "line 2: stock: S0 is there twice, first in: stock"),
]
BAD_POSITIONS = [
    ("stock: S3", "stock: S2", "line 3: stock: S2 is there twice, also on its foundation"),
    ("D7 S6\n", "D7\n", "line 3: missing: S6 (in no column"),
    ("1: |", "1:", "line 7: column 1: a bar | must stand between"),
    ("1: |", "0: |", "line 7: 0 is given twice"),
    ("5: |", "7: |", "line 3: there is no column 5"),
    ("C6 D5", "C6 C5", "line 4: foundations: two cards of the suit of C5"),
    ("redeals: 5", "redeals: many", "line 5: redeals: 'many' is no number"),
    ("1: |", "column 1 |", "line 7: expected stock:, waste:, foundations: or a column"),
    ("| HK CQ", "| CQ HK", "line 3: column 0: HK cannot lie face up on CQ"),
]
BAD_OBJECTS = [
    ('"stock"', '"stok"', "line 1: 'stok' is unknown; there can be tableau piles"),
    ('"9C"', '"9X"', "line 1: column 0: '\"9X\"' is no card"),
    ('"9C"', '"14C"', "line 1: column 0: '\"14C\"' is no card"),
    ('"9C"', "9", "line 1: column 0: '9' is no card"),
    ('"9C"', '"9c"', "line 1: column 0: its top card, C9, must lie face up"),
    ('["5d", "8C"]', '["5D", "8c"]', "line 1: column 1: a card lies face down on one"),
    ('["9C"]', '"9C"', "line 1: column 0: '\"9C\"' is no array of cards"),
    ('"stock": [', '"stock": "none", "waste": [', "line 1: stock: '\"none\"' is no array"),
    ("tableau piles", "waste", 'line 1: "tableau piles" is missing'),
]
BAD_DIGITS = [
    ("122", "142", "line 1: card 24: '142' is none; 013 is the ace of hearts"),
    ("051", "05", "line 1: card "),
    ("102", "102102", "line 1: "),
]
BAD_TALONS = [
    ("Talon:", "Tulon:", "line 1: 'Tulon: 5H 3H 2C JS T...' begins no deal; read are: "),
    ("5H 3H", "5H 5H", "line 1: stock: H5 is there twice, first in: stock"),
    ("<5D>", "<5X>", "line 3: column 1: '5X' is no card"),
    ("<5D>", "5D", "line 1: column 1: C8 cannot lie face up on D5"),
]
BAD_PILES = [
    (" 1: 9C", " 2: 9C", "line 3: pile 2 is given twice"),
    (" 8: 5H", " 8: -5H", "line 9: pile 8: only cards of the columns"),
    ("12:", "13:", "line 13: expected a pile like 0: to 12:, found '13:'"),
    (" 9:", " 9: 3C", "line 1: "),
    (" 9:", " 9: 3C AC", "line 10: foundations: CA cannot lie below C3"),
]
BAD_NUMBERS = [
    (
        "greenfelt 123",
        "greenfelt 0",
        "line 1: '0' is no number of a deal of greenfelt; they are 1 to 2147483646",
    ),
    ("greenfelt 123", "greenfelt", "line 1: '' is no number of a deal of greenfelt"),
    ("greenfelt 123", "PySol 32001", "line 1: '32001' is no number of a deal of pysol; they are 1 to 32000"),
]
BAD_TEXTS = [
    ("C9 D5 C8", "line 1: 3 cards; a deal on one line has 52"),
    (FIGURE.partition("wastepile")[0], "line 6: the figure ends where wastepile: is expected"),
    ("0: CA | C2", "line 1: column 0: 1 of its cards lie face down; a game begins with none"),
    ("0: C4 |\n1: | C3 C2\nfoundations: CA", "line 1: column 0: its top card, C4, must lie face up"),
    ("0: |", "line 1: there is no card in it"),
    ("\n".join(f"{i}: |" for i in range(8)), "line 1: 8 columns; there are 1 to 7"),
    ("stock: CA", "line 1: 0 columns; there are 1 to 7"),
    ("0: | C3\n1: | D3\nstock: C2 D2 CA DA", "line 1: 4 cards in stock and waste; a game of 6 cards and 2"),
    ("[3]", "line 1: a deal is an object with \"tableau piles\", not '3'"),
    ('{"tableau piles": [["2C"]], "foundations": ["AC", "3C"]}', "line 1: foundations: C3 cannot lie on CA"),
]
"""What is wrong in the only deal of a file, by its form, and how it is told."""


@each_changed(
    (FIGURE, BAD_FIGURES),
    (PLAIN, BAD_PLAIN_LINES),
    (WITHIN, BAD_POSITIONS),
    (SOLVITAIRE, BAD_OBJECTS),
    (DIGITS, BAD_DIGITS),
    (TALON, BAD_TALONS),
    (PILES, BAD_PILES),
    (NUMBERS, BAD_NUMBERS),
)
def test_what_is_wrong_is_named(wrong: str, message: str) -> None:
    assert error_of(wrong).startswith(f"my.txt, deal 1, {message}")


@pytest.mark.parametrize(("text", "message"), BAD_TEXTS)
def test_texts_that_are_wrong(text: str, message: str) -> None:
    assert error_of(text).startswith(f"my.txt, deal 1, {message}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"stock": [1,]}', "my.txt, line 1: is no JSON: "),
        ('\n\n{"stock": ', "my.txt, line 3: is no JSON: Expecting value"),
        ('{"stock": [], "stock": []}', "my.txt, line 1: is no deal: 'stock' is given twice"),
        ("[" * 100_000, "my.txt, line 1: is no deal: its brackets lie too deep"),
        (
            SOLVITAIRE + "deal",
            "my.txt, deal 2, line 13: 'deal' begins no deal; read are: Solvitaire's JSON; ",
        ),
        (SOLVITAIRE.rstrip() + " deal", "my.txt, line 12: is no JSON: 'deal' stands after its end"),
    ],
)
def test_what_is_no_json(text: str, message: str) -> None:
    assert error_of(text).startswith(message)


def test_errors_name_the_deal_and_its_line() -> None:
    later = FIGURE + PLAIN + changed(WITHIN, "stock: S3", "stock: S3 X3")
    assert error_of(later).startswith("my.txt, deal 3, line 21: stock: 'X3' is no card")
    assert error_of(SOLVITAIRE + changed(SOLVITAIRE, "9C", "9X")).startswith(
        "my.txt, deal 2, line 13: column 0"
    )


@given(st.text(alphabet='CDHSKA23-#/|:,0 \n\r\t0x♠stockwaecl(){}[]"', max_size=150) | st.text(max_size=60))
def test_any_text_is_read_or_is_the_user_s_error(anything: str) -> None:
    found = attempt(lambda: read_deals(anything))
    if found is not None:
        assert read_deals("\n\n".join(map(format_deal, found))) == found


@given(mistyped(EXAMPLES, ["", *' \n-/|:,{"KSs30é\0٣']))
@settings(max_examples=300)
def test_a_deal_with_a_few_changed_characters_is_read_or_is_the_user_s_error(typed: str) -> None:
    found = attempt(lambda: read_deals(typed))
    assert found is None or all(rules.problem(deal) is None for deal in found)


@given(st.data())
@settings(max_examples=300)
def test_a_deal_with_lines_or_cards_out_of_place_is_read_or_is_the_user_s_error(data: st.DataObject) -> None:
    """Lines or cards left out, doubled or exchanged, of one example or of two one after another."""
    text = "".join(data.draw(st.lists(st.sampled_from(EXAMPLES), min_size=1, max_size=2)))
    word = data.draw(
        st.sampled_from([r"[^\n]*\n", r"[CDHS][A2-90JQK]", r'"[0-9AJQK]+[CDHScdhs]"', r"[0-9]+"])
    )
    parts = re.split(f"({word})", text)
    wanted = range(1, len(parts), 2)
    if not wanted:
        return
    for _ in range(data.draw(st.integers(1, 3))):
        at, other = data.draw(st.sampled_from(wanted)), data.draw(st.sampled_from(wanted))
        match data.draw(st.sampled_from(["left out", "doubled", "exchanged"])):
            case "left out":
                parts[at] = ""
            case "doubled":
                parts[other] = parts[at]
            case _:
                parts[at], parts[other] = parts[other], parts[at]
    found = attempt(lambda: read_deals("".join(parts)))
    assert found is None or all(rules.problem(deal) is None for deal in found)


def anything_of_json() -> st.SearchStrategy[Any]:
    """Values of any kind, cards among them."""
    plain = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4)
    cards = st.sampled_from(["AC", "10d", "14S", "kh", "1H", "0S", ""])
    return st.recursive(
        plain | cards,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=2),
    )


@given(st.data())
@settings(max_examples=200)
def test_json_of_other_values_is_read_or_is_the_user_s_error(data: st.DataObject) -> None:
    """The example with a value anywhere in it exchanged for another one."""
    value = json.loads(SOLVITAIRE) | {"waste": [], "foundations": []}
    key = data.draw(st.sampled_from([*value, "other"]))
    inner = value.get(key)
    if isinstance(inner, list) and inner and data.draw(st.booleans()):
        at = data.draw(st.integers(0, len(inner) - 1))
        if isinstance(inner[at], list) and data.draw(st.booleans()):
            inner[at][data.draw(st.integers(0, len(inner[at]) - 1))] = data.draw(anything_of_json())
        else:
            inner[at] = data.draw(anything_of_json())
    else:
        value[key] = data.draw(anything_of_json())
    found = attempt(lambda: read_deals(json.dumps(value)))
    assert found is None or all(rules.problem(deal) is None for deal in found)


@pytest.mark.parametrize("depth", [10, 100, 1_000, 10_000, 100_000])
@pytest.mark.parametrize(
    "before", ["[", '{"tableau piles": ', '{"stock": ', '{"foundations": ', '{"other": ']
)
def test_deep_json_is_the_user_s_error(before: str, depth: int) -> None:
    for text in (before + "[" * depth, before + "[" * depth + "]" * depth + ("]" if before == "[" else "}")):
        with pytest.raises(UserError):
            read_deals(text)


def test_a_position_of_another_game_is_no_plain_line() -> None:
    assert format_plain(position_of(WON)) is None
    assert format_plain(position_of("0: | C2", "stock: CA")) is None
    started = rules.play(k00198(), Move(rules.Kind.DEAL), REPORT)
    assert format_plain(started) is None
    assert format_deal(started).startswith("stock: SJ H0 D4 ")
