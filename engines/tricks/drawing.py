"""The figure of ``yamafuda report tricks --svg FILE``: who wins, and what leading costs, by n and k."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from storage.errors import UserError

if TYPE_CHECKING:
    from engines.contract.game import Roots
    from engines.tricks.report import Share

WIDTH, HEIGHT, MARGIN = 460, 240, 50
"""Of a panel, and what is around it for axes and titles; in pixels."""
WON, DRAWN, LOST = "#2c7bb6", "#dddddd", "#d7191c"


def draw(roots: Roots, target: Path) -> None:
    """Write the figure of the largest tables: a row of two panels for each choice of point cards.

    Left: the deals of the most cards, won, drawn and lost by the leader, by k. Right: what leading costs, by k, a line
    for each n. UserError when there is no table of the highest or lowest cards, or the file cannot be written.
    """
    from engines.tricks.report import read_shares

    tables = roots.tables
    rows = [shares for (points, _), shares in read_shares(tables).items() if points != "anywhere"]
    if not rows:
        raise UserError("--svg", f"there is no finished table of the highest or lowest cards below {tables}")
    step_x, step_y = WIDTH + 2 * MARGIN, HEIGHT + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{2 * step_x}" height="{step_y * len(rows)}" '
        'font-family="sans-serif" font-size="11">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for number, shares in enumerate(rows):
        for column, panel in enumerate((_who_wins, _costs)):
            place = f"translate({MARGIN + column * step_x},{MARGIN + number * step_y})"
            parts += [f'<g transform="{place}">', *panel([share for share in shares if share.k]), "</g>"]
    try:
        target.write_text("\n".join([*parts, "</svg>", ""]), encoding="utf-8")
    except OSError as error:
        raise UserError("--svg", f"{target} cannot be written: {error.strerror}") from None


def _text(x: float, y: float, text: object, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{text}</text>'


def _axes(title: str, ks: Sequence[int], heights: dict[str, float]) -> Iterator[str]:
    """The title, k below, and labels at the left at their share of the height."""
    yield _text(WIDTH / 2, -12, title)
    yield from (_text((k - 0.5) * WIDTH / len(ks), HEIGHT + 14, k) for k in ks)
    yield _text(WIDTH / 2, HEIGHT + 30, "k, the number of point cards")
    for label, height in heights.items():
        yield _text(-6, HEIGHT * (1 - height) + 4, label, "end")
    yield f'<path d="M0 0V{HEIGHT}H{WIDTH}" fill="none" stroke="black"/>'


def _who_wins(shares: list[Share]) -> Iterator[str]:
    most = [share for share in shares if share.cards == shares[-1].cards]
    bar = WIDTH / len(most)
    for place, share in enumerate(most):
        top = 0.0
        counts = (share.leader_lost_count, share.drawn_count, share.leader_won_count)
        for count, colour in zip(counts, (LOST, DRAWN, WON), strict=True):
            height = HEIGHT * count / share.deals_count
            yield (
                f'<rect x="{place * bar + 1:.1f}" y="{top:.2f}" width="{bar - 2:.1f}" height="{height:.2f}" '
                f'fill="{colour}"/>'
            )
            top += height
    title = (
        f"{most[0].cards} cards each: the leader wins (blue), draws (grey), loses (red); {_rules(most[0])}"
    )
    yield from _axes(title, [share.k for share in most], {f"{x}%": x / 100 for x in (0, 25, 50, 75, 100)})


def _costs(shares: list[Share]) -> Iterator[str]:
    ks = range(1, 2 * shares[-1].cards + 1)
    top = max(share.leading_cost for share in shares) or 1.0
    for cards in range(1, shares[-1].cards + 1):
        line = [(share.k, share.leading_cost) for share in shares if share.cards == cards]
        points = [((k - 0.5) * WIDTH / len(ks), HEIGHT * (1 - cost / top)) for k, cost in line]
        hue = 240 * cards // shares[-1].cards
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        yield f'<polyline points="{path}" fill="none" stroke="hsl({hue},70%,40%)"/>'
        yield _text(points[-1][0] + 4, points[-1][1] + 4, cards, "start")
    heights = {f"{top * part / 4:.2f}": part / 4 for part in range(5)}
    yield from _axes(
        f"What leading costs, in point cards, a line for each n; {_rules(shares[0])}", ks, heights
    )


def _rules(share: Share) -> str:
    return f"k {share.points}, {'to be won' if share.aim == 'most' else 'to be avoided'}"
