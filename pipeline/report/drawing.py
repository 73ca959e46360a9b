"""Figures drawn as SVG, by matplotlib, for pages of any width and in either light.

Colours are not those of a theme but names (``var(--ink)``), which the page's style gives a value, so that one drawing
serves dark and light pages and printers. Text stays text, in the page's letters. What tells series apart is never
colour alone: marks, dashes, hatches and words do too.
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

from engines.contract.chart import PERCENT, SECONDS, Axis, Chart, Curve, Curves, Dots, Parts
from pipeline.report.needs import need_matplotlib
from pipeline.report.numbers import power_words, share_words, time_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDE, NARROW = 704, 340
"""Widths in pixels: of a column of text, and of a phone."""
FONT = 12
"""Height of letters in pixels."""
LINE, SPACE = 15, 10
"""Heights in pixels: of a name's lines and of each series below it, and of what parts it from the next."""
NAME_LINES_MOST = 3
LEGEND, HANDLE, LETTER = 19, 62, 7.2
"""Of a line of a legend, and what is as wide as a mark with what is around it, and as a letter."""
MARGIN, TITLE = 8, 19
"""Around a drawing, and of the title of a scale or its marks."""
INK, FAINT, PAPER, THEIRS, LIGHT = "#000101", "#000102", "#000103", "#000104", "#000105"
SERIES = tuple(f"#0002{number:02x}" for number in range(1, 7))
_NAMES = {INK: "ink", FAINT: "faint", PAPER: "paper", THEIRS: "theirs", LIGHT: "line"} | {
    colour: f"s{number}" for number, colour in enumerate(SERIES, start=1)
}
"""Colours that stand for names until the drawing is done."""
MARKS = ("o", "s", "^", "D", "v", "P")
DASHES: tuple[Any, ...] = ("-", (0, (6, 2)), (0, (2, 1.5)), (0, (7, 2, 1.5, 2)), (0, (4, 1)), (0, (1, 1)))
HATCHES = ("", "////", "", "xxxx")

_LOCK = threading.Lock()
"""Settings of matplotlib are those of the process."""


def draw(chart: Chart, title: str, salt: str, width: int) -> str:
    """An ``svg`` element, ``width`` pixels wide; the same chart gives the same text.

    ``title`` is for those who do not see it; ``salt`` tells its parts from those of other drawings of a page.
    UserError when matplotlib is not there.
    """
    need_matplotlib()
    with _LOCK, warnings.catch_warnings():
        # That a font of ours lacks a letter means nothing: letters are drawn by whoever shows the page.
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
        # Nothing of what a user has set for other drawings.
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
    """Leave room for the legend, the scales and their titles. (Measured by what is written: several times as quick as
    matplotlib's own layouts, which draw everything twice.)"""
    left = float(MARGIN)
    if not isinstance(chart, Dots):
        left += TITLE + LETTER * max(map(len, _mark_words(axes.yaxis, axes.get_ylim())), default=1)
    last = _mark_words(axes.xaxis, axes.get_xlim())[-1:]
    right = MARGIN + LETTER / 2 * max(map(len, last), default=0)
    top = MARGIN + LEGEND * _legend_lines(chart, width)
    figure.subplots_adjust(
        left=left / width,
        right=1 - right / width,
        bottom=(MARGIN + 2 * TITLE) / height,
        top=1 - top / height,
    )


def _mark_words(axis: Any, ends: tuple[float, float]) -> list[str]:
    """What is written at the marks of a scale."""
    words = axis.get_major_formatter()
    return [words(mark) for mark in axis.get_majorticklocs() if ends[0] <= mark <= ends[1]]


def _series_names(chart: Chart) -> list[str]:
    """What the legend tells; nothing where there is only one."""
    if isinstance(chart, Dots):
        names = [each.name for each in chart.series]
    elif isinstance(chart, Curves):
        names = [each.name for each in chart.curves]
    else:
        names = [each.name for each in chart.parts]
    return names if len(names) > 1 else []


def _legend_lines(chart: Chart, width: int) -> int:
    """As few as its longest name has room for."""
    names = _series_names(chart)
    if not names:
        return 0
    a_line = max(1, int((width - 20) // (HANDLE + LETTER * max(map(len, names)))))
    return math.ceil(len(names) / min(a_line, len(names)))


def _finished(svg: str, title: str, width: int, height: int) -> str:
    """The element alone, with colours by name, no names that another drawing could have, and a size that can shrink."""
    element = svg[svg.index("<svg") :].strip()
    for colour, name in _NAMES.items():
        element = element.replace(colour, f"var(--{name})")
    element = re.sub(r"<metadata>.*?</metadata>", "", element, flags=re.DOTALL)
    element = re.sub(r'<g id="[^"]*"', "<g", element)
    # The page says in which letters.
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
    """Of the longest name."""
    return max((_wrapped(name, width).count("\n") + 1 for name in chart.names), default=1)


def _wrapped(name: str, width: int) -> str:
    lines = textwrap.wrap(name, int(width / LETTER), max_lines=NAME_LINES_MOST, placeholder="…")
    return "\n".join(lines)


def _dots(axes: Axes, chart: Dots, width: int) -> None:
    """Names stand above their dots, so that there is room for both on a phone; each series has a line of its own.

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
        style = _mark(3 if series.published else number, series.published)
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
    _scale(axes.xaxis, chart.scale, list(_dot_values(chart)))


def _lines(told: list[tuple[float, float, float]]) -> tuple[list[float], list[float], list[float]]:
    """Where lines are, begin and end."""
    return [at for at, _, _ in told], [low for _, low, _ in told], [high for _, _, high in told]


def _dot_values(chart: Dots) -> Iterator[float]:
    for series in chart.series:
        for each in filter(None, series.values):
            yield from (end for end in (each.value, each.low, each.high, each.most) if end is not None)


def _curves(axes: Axes, chart: Curves) -> None:
    ours_count = sum(not curve.published for curve in chart.curves)
    for number, curve in enumerate(chart.curves):
        # Published curves have the marks, open, of those of ours that they stand beside.
        _curve(axes, curve, number - ours_count if curve.published else number)
    values = [each for curve in chart.curves for _, each in curve.points]
    ends = [end for each in values for end in (each.value, each.low, each.high) if end is not None]
    _scale(axes.xaxis, chart.x, [x for curve in chart.curves for x, _ in curve.points])
    _scale(axes.yaxis, chart.y, ends)
    axes.grid(True)


def _curve(axes: Axes, curve: Curve, number: int) -> None:
    style = _mark(number, curve.published)
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
        label=curve.name,
        **style,
    )


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
    _scale(axes.xaxis, chart.x, places)
    _scale(axes.yaxis, chart.y, [0.0, 1.0])
    axes.set_ylim(0, 1)


def _mark(number: int, published: bool) -> dict[str, Any]:
    """Ours are full marks, others' are open ones, larger and below, so that both show where they agree."""
    colour = THEIRS if published else SERIES[number % len(SERIES)]
    return {
        "color": colour,
        "marker": MARKS[number % len(MARKS)],
        "markersize": 8 if published else 5,
        "zorder": 2.5 if published else 3,
        "markerfacecolor": PAPER if published else colour,
        "markeredgecolor": colour,
    }


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


def _scale(axis: Any, told: Axis, values: list[float]) -> None:
    """Title with unit, and marks as people write numbers."""
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

    by_share, by_time = told.unit == PERCENT, told.unit == SECONDS
    with_unit = bool(told.unit) and not by_time and told.unit not in told.title
    axis.set_label_text(f"{told.title}, {told.unit}" if with_unit else told.title)
    words = share_words if by_share else time_words if by_time else power_words if told.log else _plain
    axis.set_major_formatter(FuncFormatter(lambda value, _: words(value)))
    if told.log:
        getattr(axis.axes, f"set_{axis.axis_name}scale")("log")
        powers = math.log10(max(values, default=1)) - math.log10(min(values, default=1))
        axis.set_major_locator(LogLocator(10, subs=(1.0,) if powers > 1.5 else (1.0, 2.0, 5.0), numticks=12))
        axis.set_major_formatter(FuncFormatter(lambda value, _: words(value)))
        axis.set_minor_formatter(NullFormatter())
    else:
        whole = not by_share and all(float(value).is_integer() for value in values)
        axis.set_major_locator(MaxNLocator(nbins=_marks_count(axis), integer=whole, steps=[1, 2, 2.5, 5, 10]))


def _marks_count(axis: Any) -> int:
    """As many as there is room for."""
    width = axis.axes.figure.get_size_inches()[0] * 96
    return 4 if width < WIDE and axis.axis_name == "x" else 8


def _plain(value: float) -> str:
    return f"{value:,.6g}"
