"""Figures drawn as SVG, by matplotlib, for pages of any width, light or dark.

Colours are names (``var(--ink)``), not values, so that one drawing serves dark and light pages and printers. Text
stays text, in the page's font.
"""

from __future__ import annotations

import io
import logging
import math
import re
import textwrap
import threading
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from engines.contract.chart import Chart, Curve, Curves, Dots, Parts
from pipeline.report.inks import DASHES, FAINT, HATCHES, INK, LIGHT, PAPER, SERIES, by_name, mark
from pipeline.report.needs import need_matplotlib
from pipeline.report.scales import mark_words, set_scale

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDE, NARROW = 704, 340
"""Widths in pixels: of a column of text, and of a phone."""
FONT = 12
"""Height of letters in pixels."""
LINE, SPACE = 15, 10
"""Heights in pixels: of a line (of a name, or of a series below it), and of the gap before the next name."""
NAME_LINES_MOST = 3
LEGEND, HANDLE, LETTER = 19, 62, 7.2
"""Sizes in pixels: height of a line of the legend, width of a mark with its margins, width of a letter."""
MARGIN, TITLE = 8, 19
"""Sizes in pixels: margin around a drawing, height of the title of a scale or of its marks."""
MARKS_MOST = 12
"""Most marks on a curve, about."""
_LOCK = threading.Lock()
"""Matplotlib's settings belong to the whole process, so drawings take turns."""


def draw(chart: Chart, title: str, salt: str, width: int) -> str:
    """An ``svg`` element, ``width`` pixels wide; the same chart gives the same text.

    ``title`` is for people who cannot see it; ``salt`` keeps its ids apart from those of other drawings on the page.
    UserError when matplotlib is not installed.
    """
    need_matplotlib()
    with _LOCK, warnings.catch_warnings():
        # A font here that lacks a letter does not matter: the browser draws the letters.
        warnings.simplefilter("ignore")
        return _drawn(chart, title, salt, width)


def _drawn(chart: Chart, title: str, salt: str, width: int) -> str:
    import matplotlib as mpl
    from matplotlib.figure import Figure

    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    settings: dict[Any, Any] = {
        "svg.hashsalt": f"{salt}-{width}",
        "svg.fonttype": "none",
        "font.family": "DejaVu Sans",
        "font.size": FONT * 0.75,
        "axes.edgecolor": FAINT,
        "axes.labelcolor": INK,
        "axes.linewidth": 0.75,
        "text.color": INK,
        "xtick.color": FAINT,
        "ytick.color": FAINT,
        "xtick.labelcolor": INK,
        "ytick.labelcolor": INK,
        "hatch.linewidth": 0.6,
        "grid.color": FAINT,
        "grid.linewidth": 0.4,
        "grid.alpha": 0.5,
        "legend.frameon": False,
        "path.simplify": False,
        "text.parse_math": False,
    }
    with mpl.rc_context():
        # A user's settings for other drawings are not used.
        mpl.rcdefaults()
        mpl.rcParams.update(settings)
        height = _height(chart, width)
        figure = Figure(figsize=(width / 96, height / 96), dpi=72)
        figure.patch.set_alpha(0)
        axes = figure.add_subplot()
        axes.patch.set_alpha(0)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        if isinstance(chart, Dots):
            _dots(axes, chart, width)
        elif isinstance(chart, Curves):
            _curves(axes, chart)
        else:
            _parts(axes, chart)
        if lines := _legend_lines(chart, width):
            _legend(axes, math.ceil(len(_series_names(chart)) / lines))
        _place(figure, axes, chart, width, height)
        out = io.StringIO()
        nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        figure.savefig(out, format="svg", metadata=nothing)
    return _finished(out.getvalue(), title, width, height)


def _height(chart: Chart, width: int) -> int:
    legend = LEGEND * _legend_lines(chart, width)
    if isinstance(chart, Dots):
        return _row_height(chart, width) * len(chart.names) + 2 * (MARGIN + TITLE) + legend
    return round(max(230, min(340, width * 0.55))) + legend


def _place(figure: Figure, axes: Axes, chart: Chart, width: int, height: int) -> None:
    """Leave room for the legend, the scales and their titles. (Room is estimated from the texts: several times as
    fast as matplotlib's own layouts, which draw everything twice.)"""
    left = float(MARGIN)
    if not isinstance(chart, Dots):
        left += TITLE + LETTER * max(map(len, mark_words(axes.yaxis, axes.get_ylim())), default=1)
    last = mark_words(axes.xaxis, axes.get_xlim())[-1:]
    right = MARGIN + LETTER / 2 * max(map(len, last), default=0)
    top = MARGIN + LEGEND * _legend_lines(chart, width)
    figure.subplots_adjust(
        left=left / width,
        right=1 - right / width,
        bottom=(MARGIN + 2 * TITLE) / height,
        top=1 - top / height,
    )


def _series_names(chart: Chart) -> list[str]:
    """Entries of the legend; none where there is only one series."""
    if isinstance(chart, Dots):
        names = [each.name for each in chart.series]
    elif isinstance(chart, Curves):
        names = [each.name for each in chart.curves]
    else:
        names = [each.name for each in chart.parts]
    return names if len(names) > 1 else []


def _legend_lines(chart: Chart, width: int) -> int:
    """Columns of the legend: as many as fit beside one another."""
    names = _series_names(chart)
    if not names:
        return 0
    a_line = max(1, int((width - 20) // (HANDLE + LETTER * max(map(len, names)))))
    return math.ceil(len(names) / min(a_line, len(names)))


def _finished(svg: str, title: str, width: int, height: int) -> str:
    """The element alone, with colours by name, ids that no other drawing has, and a size that can shrink."""
    element = by_name(svg[svg.index("<svg") :].strip())
    element = re.sub(r"<metadata>.*?</metadata>", "", element, flags=re.DOTALL)
    element = re.sub(r'<g id="[^"]*"', "<g", element)
    # The page chooses the font.
    element = re.sub(r"font: ([0-9.]+px) [^;\"]*", r"font-size: \1", element)
    element = re.sub(r"font-family: [^;\"]*;? ?", "", element)
    element = re.sub(r"<!--.*?-->\s*", "", element, flags=re.DOTALL)
    head = (
        f'<svg role="img" viewBox="0 0 {width * 0.75:g} {height * 0.75:g}" width="{width}" height="{height}"'
    )
    return re.sub(r"<svg[^>]*>", f"{head} aria-label={_attribute(title)}>", element, count=1, flags=re.DOTALL)


def _attribute(text: str) -> str:
    from xml.sax.saxutils import quoteattr

    return quoteattr(text)


def _row_height(chart: Dots, width: int) -> int:
    return SPACE + LINE * (_name_lines(chart, width) + len(chart.series))


def _name_lines(chart: Dots, width: int) -> int:
    """Width in pixels of the longest name."""
    return max((_wrapped(name, width).count("\n") + 1 for name in chart.names), default=1)


def _wrapped(name: str, width: int) -> str:
    lines = textwrap.wrap(name, int(width / LETTER), max_lines=NAME_LINES_MOST, placeholder="…")
    return "\n".join(lines)


def _dots(axes: Axes, chart: Dots, width: int) -> None:
    """Names stand above their dots, so that both fit on a phone; each series has its own line.

    Heights are in pixels.
    """
    height, name_lines = _row_height(chart, width), _name_lines(chart, width)
    for place, name in enumerate(chart.names):
        axes.annotate(
            _wrapped(name, width),
            (0, place * height + LINE * name_lines),
            xycoords=("axes fraction", "data"),
            va="bottom",
            fontsize=FONT * 0.75,
        )
    for number, series in enumerate(chart.series):
        offset = LINE * (name_lines + number + 0.5)
        style = mark(3 if series.published else number, series.published)
        style["markersize"] = min(6, style["markersize"])
        told = [(at * height + offset, each) for at, each in enumerate(series.values) if each]
        for line, each in told:
            colour = style["color"]
            if each.low is not None and each.high is not None:
                axes.plot([each.low, each.high], [line, line], color=colour, linewidth=1.2, zorder=2)
            if each.most is not None and each.most > each.value:
                axes.plot([each.value, each.most], [line, line], color=colour, linewidth=4, alpha=0.45)
        axes.plot(
            [each.value for _, each in told],
            [line for line, _ in told],
            linestyle="none",
            label=series.name,
            **style,
        )
    axes.set_ylim(height * len(chart.names), 0)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.grid(True, axis="x")
    axes.set_axisbelow(True)
    set_scale(axes.xaxis, chart.scale, list(_dot_values(chart)))


def _lines(told: list[tuple[float, float, float]]) -> tuple[list[float], list[float], list[float]]:
    """Heights, begins and ends of lines."""
    return [at for at, _, _ in told], [low for _, low, _ in told], [high for _, _, high in told]


def _dot_values(chart: Dots) -> Iterator[float]:
    for series in chart.series:
        for each in filter(None, series.values):
            yield from (end for end in (each.value, each.low, each.high, each.most) if end is not None)


def _curves(axes: Axes, chart: Curves) -> None:
    ours_count = sum(not curve.published for curve in chart.curves)
    for number, curve in enumerate(chart.curves):
        # A published curve has the same mark as ours beside it, but open.
        _curve(axes, curve, number - ours_count if curve.published else number)
    values = [each for curve in chart.curves for _, each in curve.points]
    ends = [end for each in values for end in (each.value, each.low, each.high) if end is not None]
    set_scale(axes.xaxis, chart.x, [x for curve in chart.curves for x, _ in curve.points])
    set_scale(axes.yaxis, chart.y, ends)
    axes.grid(True)


def _curve(axes: Axes, curve: Curve, number: int) -> None:
    style = mark(number, curve.published)
    xs, ys = [x for x, _ in curve.points], [each.value for _, each in curve.points]
    known = [
        (x, each.low, each.high) for x, each in curve.points if each.low is not None and each.high is not None
    ]
    axes.vlines(*_lines(known), color=style["color"], linewidth=1, zorder=2)
    axes.plot(
        xs,
        ys,
        linestyle=DASHES[number % len(DASHES)] if curve.joined else "none",
        linewidth=1.3,
        markevery=_marked(len(xs), number),
        label=curve.name,
        **style,
    )


def _marked(count: int, number: int) -> slice:
    """The points of a curve that get marks: few where points lie close together, and none where another curve has its
    mark."""
    step = max(1, count // MARKS_MOST)
    return slice(number % step, None, step)


def _parts(axes: Axes, chart: Parts) -> None:
    bottoms = [0.0 for _ in chart.places]
    inks = (SERIES[0], PAPER, LIGHT, FAINT)
    places: list[float] = [float(place) for place in chart.places]
    for number, part in enumerate(chart.parts):
        axes.bar(
            places,
            list(part.shares),
            0.82,
            bottom=bottoms,
            label=part.name,
            facecolor=inks[number % len(inks)],
            edgecolor=INK,
            hatch=HATCHES[number % len(HATCHES)],
            linewidth=0.5,
        )
        bottoms = [low + share for low, share in zip(bottoms, part.shares, strict=True)]
    axes.set_xlim(min(chart.places) - 0.6, max(chart.places) + 0.6)
    set_scale(axes.xaxis, chart.x, places)
    set_scale(axes.yaxis, chart.y, [0.0, 1.0])
    axes.set_ylim(0, 1)


def _legend(axes: Axes, columns: int) -> None:
    figure = axes.figure
    legend = axes.legend(
        loc="upper left",
        bbox_to_anchor=(0, 1),
        bbox_transform=figure.transFigure,
        ncols=columns,
        borderaxespad=0.2,
        labelspacing=0.35,
        handlelength=2.6,
        columnspacing=1.4,
        handletextpad=0.5,
        fontsize=FONT * 0.75,
    )
    legend.set_in_layout(False)
