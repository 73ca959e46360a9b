"""Pictures of positions as HTML with SVG: they load nothing else, have no script, and can be read without colour.

Hearts and diamonds are outlines, clubs and spades are filled. The card that was moved last has a thick edge.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from engines.contract.picture import Card, Look, Picture, Pile, Spread, said
from engines.text.cards import SIGNS, card_name, read_card, sign_of_name

WIDTH, HEIGHT, GAP = 100, 140, 12
"""Size of a card, and gap between piles, in units of the drawing."""
STRIP_DOWN, STRIP_RIGHT = 42, 28
"""How much of a covered card is seen; more where its rank or its note is longer."""
LINE = 27
"""A line of text above a pile; also the size of its letters."""
FAN_WIDTH, FAN_STEP = 860, 112
"""Width of a fan; further cards lie in a line below, so much lower."""
PIXELS = 0.64
"""Pixels of a unit where there is room."""
WIDTH_LEAST = 936
"""Least width of a drawing, so that most have one size on a narrow screen."""
RED = SIGNS[1:3]
_FITTED = f' textLength="{WIDTH}" lengthAdjust="spacingAndGlyphs"'
_CLASSES = {Look.up: "c", Look.down: "d", Look.place: "p"}

STYLE = """\
.cards{margin:.5rem 0;--paper:#fff;--ink:#16181c;--red:#b3001e;--back:#d5dce5;--edge:#6b7280;--moved:#0b57d0}
.cards svg{display:block;max-width:100%;height:auto;font-family:system-ui,"Segoe UI","DejaVu Sans",sans-serif}
.cards figcaption{font-size:.95em}
.cards text{fill:currentColor}
.cards pre{line-height:1.3;overflow-x:auto}
.cards g text{fill:var(--ink);font-size:30px;font-weight:600}
.cards rect{fill:var(--paper);stroke:var(--edge);stroke-width:2}
.cards .r text{fill:var(--red)}
.cards .r .s{fill:var(--paper);stroke:var(--red);stroke-width:2.4px}
.cards .d rect{fill:var(--back)}
.cards .d.r .s{fill:var(--back)}
.cards .d text{font-weight:400}
.cards .p rect{fill:none;stroke-dasharray:7 6}
.cards .p text{fill:currentColor;font-weight:400}
.cards .p.r .s{fill:none;stroke:currentColor}
.cards .m rect{stroke:var(--moved);stroke-width:8}
.cards g .b{font-size:58px}
.cards g .n{font-size:22px;font-weight:400}
.cards g .x{text-anchor:middle}
.cards g .e{text-anchor:end}
@media (prefers-color-scheme:dark){
.cards{--paper:#20242b;--ink:#f3f4f6;--red:#ff9d96;--back:#3b424e;--edge:#8b94a3;--moved:#8ab4ff}}
@media print{.cards{--paper:#fff;--ink:#000;--red:#b3001e;--back:#ddd;--edge:#555;--moved:#000;break-inside:avoid}}
"""
"""The style of pictures; a page with pictures has it once."""


def drawn(picture: Picture) -> str:
    """A picture as a ``figure``; the page has ``STYLE``."""
    caption = f"<figcaption>{escape(picture.caption)}</figcaption>" if picture.caption else ""
    shown = _svg(picture) if picture.rows else f"<pre>{escape(picture.text)}</pre>"
    return f'<figure class="cards">{shown}{caption}</figure>'


def _svg(picture: Picture) -> str:
    rows = [[(pile, _spots(pile)) for pile in row] for row in picture.rows]
    widths = [sum(_size(*each)[0] for each in row) + GAP * (len(row) - 1) for row in rows]
    width = max([WIDTH_LEAST, *widths])
    # Letters keep their size on a narrow screen, where a wide picture is drawn smaller.
    line = LINE * width // WIDTH_LEAST
    parts: list[str] = []
    y = 0
    for row in rows:
        head = line * max((len(_lines(pile)) for pile, _ in row), default=0)
        x = 0
        for pile, spots in row:
            parts += _head(pile, x, y + head, line)
            parts += [_card(spot, pile.spread, x, y + head) for spot in spots]
            x += _size(pile, spots)[0] + GAP
        y += head + max(_size(*each)[1] for each in row) + GAP
    # Edges are drawn half outside.
    left, right, low = -4, width + 8, y - GAP + 8
    words = escape(said(picture).replace("\n", ". "))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{right * PIXELS:.0f}" '
        f'height="{low * PIXELS:.0f}" viewBox="{left} {left} {right} {low}" font-size="{line}" '
        f'aria-label="{words}">{"".join(parts)}</svg>'
    )


@dataclass(frozen=True)
class _Spot:
    """Where a card is drawn, from the corner of its pile."""

    card: Card
    x: int
    y: int
    width: int
    is_whole: bool
    """Whether nothing covers it."""


def _spots(pile: Pile) -> list[_Spot]:
    """The spots of cards that are seen; of an empty pile, its own."""
    if not pile.cards:
        return [_Spot(Card(pile.base, Look.place), 0, 0, WIDTH, pile.spread != Spread.right)]
    last = len(pile.cards) - 1
    match pile.spread:
        case Spread.squared:
            return [_Spot(pile.cards[last], 0, 0, WIDTH, True)]
        case Spread.down:
            return [_Spot(card, 0, at * STRIP_DOWN, WIDTH, at == last) for at, card in enumerate(pile.cards)]
        case Spread.apart:
            step = WIDTH + GAP // 2
            return [_Spot(card, at * step, 0, WIDTH, True) for at, card in enumerate(pile.cards)]
    return list(_fan(pile.cards))


def _fan(cards: Sequence[Card]) -> Iterator[_Spot]:
    """Side by side, each covering the one before; empty places, which cover nothing, are narrow."""
    x = y = 0
    for at, card in enumerate(cards):
        if x + WIDTH > FAN_WIDTH:
            x, y = 0, y + FAN_STEP
        is_place = card.look == Look.place
        is_covered = at + 1 < len(cards) and cards[at + 1].look != Look.place
        strip = _strip(card)
        yield _Spot(card, x, y, strip if is_place else WIDTH, not is_place and not is_covered)
        x += strip if is_covered or is_place else WIDTH + GAP // 2


@functools.lru_cache(maxsize=4096)
def _strip(card: Card) -> int:
    """What is seen of a covered card: more where its rank or its note is long; a single letter may touch the edge."""
    texts = ((_rank(card)[0], 20), (_note(card), 15))
    return max([STRIP_RIGHT, *(7 + letter * len(text) for text, letter in texts if len(text) > 1)])


def _size(pile: Pile, spots: Sequence[_Spot]) -> tuple[int, int]:
    """Width and height of a pile with the text above it."""
    spare = max(pile.room - 1, 0)
    width = max(WIDTH, *(spot.x + spot.width for spot in spots))
    height = HEIGHT + max(spot.y for spot in spots)
    if pile.spread == Spread.down:
        height = max(height, HEIGHT + spare * STRIP_DOWN)
    if pile.spread == Spread.right:
        width = max(width, WIDTH + spare * STRIP_RIGHT)
    return max([width, *map(_text_width, _lines(pile))]) if _is_wide(pile) else width, height


def _is_wide(pile: Pile) -> bool:
    """Whether the text above may make the pile wider; otherwise the text is drawn narrower."""
    return pile.spread in (Spread.right, Spread.apart)


def _text_width(text: str) -> int:
    return 15 * len(text)


def _lines(pile: Pile) -> list[str]:
    """What is written above it."""
    return [line for line in (_label(pile), pile.note) if line]


def _label(pile: Pile) -> str:
    count = sum(card.look != Look.place for card in pile.cards)
    return f"{pile.label} · {count}" if pile.spread == Spread.squared and count > 1 else pile.label


def _head(pile: Pile, x: int, y: int, line: int) -> Iterator[str]:
    """The lines above ``y``."""
    for number, text in enumerate(reversed(_lines(pile))):
        fitted = "" if _is_wide(pile) or _text_width(text) <= WIDTH else _FITTED
        yield f'<text{fitted} x="{x}" y="{y - line // 4 - number * line}">{escape(text)}</text>'


def _card(spot: _Spot, spread: Spread, x: int, y: int) -> str:
    classes, inside = _face(spot.card, spread, spot.width, spot.is_whole)
    return f'<g class="{classes}" transform="translate({x + spot.x} {y + spot.y})">{inside}</g>'


@functools.lru_cache(maxsize=4096)
def _face(card: Card, spread: Spread, width: int, is_whole: bool) -> tuple[str, str]:
    """The classes of a card, and the texts at its corner."""
    classes = [_CLASSES[card.look]]
    _, sign = _rank(card)
    if sign and sign in RED:
        classes.append("r")
    if card.moved:
        classes.append("m")
    texts = "".join(_texts(card, spread, is_whole))
    return " ".join(classes), f'<rect width="{width}" height="{HEIGHT}" rx="9"/>{texts}'


def _rank(card: Card) -> tuple[str, str]:
    """The text of a card: its rank, and the sign of its suit if it has one."""
    found = read_card(card.name)
    if found is not None:
        return sign_of_name(card_name(*found))[:-1], SIGNS[found[0]]
    return card.name or ("?" if card.look == Look.down else ""), ""


def _note(card: Card) -> str:
    return " ".join(filter(None, ["★" if card.marked else "", card.note]))


def _texts(card: Card, spread: Spread, is_whole: bool) -> Iterator[str]:
    """Rank and sign where they are seen, though other cards cover this one."""
    (rank, sign), note = _rank(card), _note(card)
    match spread:
        case Spread.down:
            shown = f'<tspan class="s" dx="3">{_sign(sign)}</tspan>' if sign else ""
            yield f'<text x="8" y="32">{escape(rank)}{shown}</text>'
            if note:
                yield _text(note, 92, 30, "n e")
        case Spread.right:
            yield _text(rank, 6, 33, "")
            if sign:
                yield _text(_sign(sign), 5, 65, "s")
            if note:
                yield _text(note, 5, 92, "n")
        case Spread.squared | Spread.apart:
            yield _text(rank, 50, 62, "b x") if sign else _text(rank, 50, 90, "b x" if len(rank) < 3 else "x")
            if note:
                yield _text(note, 50, 132, "n x")
    if is_whole and sign:
        centre = 50 if spread in (Spread.squared, Spread.apart) else 60
        yield _text(_sign(sign), centre, 116, "b x s")


def _text(text: str, x: int, y: int, classes: str) -> str:
    told = f' class="{classes}"' if classes else ""
    return f'<text{told} x="{x}" y="{y}">{escape(text)}</text>' if text else ""


def _sign(sign: str) -> str:
    """Drawn as text, since telephones also have a picture for it."""
    return sign + "\ufe0e"
