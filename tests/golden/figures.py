"""The measured shares and differences that pages print, each with the command that made it, how many and when.

``python tests/golden/figures.py`` writes figures.json from the pages and the sources below; a figure
without a source, or a source without a figure, is an error. ``--remake [SECONDS]`` runs again what a run of that length
remakes, and compares (``make check-figures``).
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT, RECORD = HERE.parents[1], HERE / "figures.json"
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/games/*.md"))]
DATE = "2026-11-28"

_NUMBER = r"[0-9][0-9,]*"
SHARE = re.compile(
    rf"(?<![0-9.,])(?P<won>{_NUMBER}?)(?: of (?P<of>{_NUMBER}))?(?:, | \()(?P<share>[0-9.]+)%(?:, | \()"
    r"(?P<low>[0-9.]+) to (?P<high>[0-9.]+)"
)
"""506 of 20,000, 2.53% (2.32 to 2.76); the number of all may stand elsewhere, and brackets may open earlier."""
LOST = re.compile(rf"\| (?P<won>{_NUMBER}) \| (?P<low>[0-9.]+) to (?P<high>[0-9.]+)%")
"""36 | 2.6 to 4.9%: a count and the interval of its share, in two cells."""
DIFFERENCE = re.compile(r"\(?(?P<low>[+-][0-9.]+) to (?P<high>[+-][0-9.]+)\)?")
PAIRED = re.compile(r"(?P<centre>[+-][0-9.]+) \((?P<low>[+-][0-9.]+) to (?P<high>[+-][0-9.]+)\)")


@dataclass(frozen=True)
class Source:
    """Where the figures of the paragraphs and rows of tables that ``match`` come from."""

    match: str
    """Beginning of them, or what stands in them, as a regular expression."""
    command: str
    count: int | None = None
    """Of how many, where it does not say."""
    date: str = DATE


KLONDIKE = "yamafuda run -m job=klondike_rates {}; yamafuda report klondike"
CALCULATION = "yamafuda run job=calculation_sweep {}; yamafuda report calculation"
DAIFUGO = "yamafuda run -m job={}; yamafuda report daifugo"
CENSUSES = "yamafuda run -m job=superpuzz_census 'job.columns=range(2,8)'; yamafuda report superpuzz"
TABLE_1 = "daifugo_table1_small_rule,daifugo_table1_small_strong,daifugo_table1_small_rand"
LARGEST = "job.value=max job.alike=all job.recast=none"
FOUR = "job.stacks=4 job.edges=all"
OPTIONS = "1000 kept|50 kept|`value|`exponent|`alike|`edges|`misfits|`ties|`eager"
PARTS = "exchange|chain|chain_learnt|tuned|thompson|endgame|learnt|learnt@300|strong@1500|strong"
SOURCES = [
    Source(r"^\| [2-7] \| [0-9,]+ \(", CENSUSES, 1000),
    Source(
        r"^\| 3 \| carry \| no \| [0-5] ",
        "yamafuda run -m job=klondike_million job.deals=100000 job.redeals=0,1,2,3,4,5; yamafuda report klondike",
        date="2026-12-01",
    ),
    Source(r"^\| 3 \| carry \| no ", "yamafuda run job=klondike_rates; yamafuda report klondike", 20_000),
    Source(r"^\| 3 \| carry, last", KLONDIKE.format("job.redeals=2 job.deal_last=false"), 20_000),
    Source(
        r"^\| 3 \| standard \| yes ",
        "yamafuda run job=klondike_million job.redeal_rule=standard job.foundation_back=true; yamafuda report klondike",
        date="2026-11-30",
    ),
    Source(
        r"^\| 3 \| standard ",
        "yamafuda run job=klondike_million job.redeal_rule=standard; yamafuda report klondike",
        date="2026-12-01",
    ),
    Source(r"^\| 1 \| either \| no \| 0 ", KLONDIKE.format("job.draw=1 job.redeals=0 job.deals=1200")),
    Source(r"^\| 1 \| either \| no \| [12] ", KLONDIKE.format("job.draw=1 job.redeals=1,2 job.deals=1000")),
    Source(
        r"^\| 1 \| either \| yes ",
        "yamafuda run job=klondike_million job.draw=1 job.redeal_rule=standard job.foundation_back=true; "
        "yamafuda report klondike",
        date="2026-12-01",
    ),
    Source(
        r"^\| 1 \| either ",
        "yamafuda run job=klondike_rates job.redeal_rule=standard job.draw=1; yamafuda report klondike",
        20_000,
    ),
    Source(
        r"^\| 4 \| 1 \| 63,063,000",
        CALCULATION.format("job.ranks=4 job.stacks=1 job.deals=20000"),
        20_000,
        "2026-11-30",
    ),
    Source(r"^\| 3 \| 200 \| own \| 20,000", CALCULATION.format("job.deals=20000"), 20_000),
    Source(
        r"^- \*\*Playouts alone", CALCULATION.format("job.playouts=64 job.first=20000"), 192, "2026-11-30"
    ),
    Source(r"^\| 3 \| 50 \| own \| 10,000", CALCULATION.format("job.deals=10000 job.keep=50"), 10_000),
    Source(
        r"^\| 4 \| 200 \| all \| 20,000",
        CALCULATION.format(f"job.deals=20000 {FOUR} job.recast=none"),
        20_000,
    ),
    Source(
        r"^\| 4 \| 1,000 \| all \| 4,000",
        CALCULATION.format(f"-m job.deals=2000 job.first=0,2000 {FOUR} job.keep=1000"),
        4000,
        "2026-11-30",
    ),
    Source(r"^\| 4 \| 200 \| all \| 2,000", CALCULATION.format(f"job.deals=2000 {FOUR}"), 2000),
    Source(
        r"^\| 4 \| 50 \| all \| 10,000", CALCULATION.format(f"job.deals=10000 {FOUR} job.keep=50"), 10_000
    ),
    Source(r"Of the other 19,000 decks", CALCULATION.format("job.deals=20000 (deals from 1,000 on)"), 19_000),
    Source(r"^\| `recast: none`, on 20,000", CALCULATION.format("job.deals=20000 job.recast=none")),
    Source(rf"^\| ({OPTIONS})", CALCULATION.format("-m, with the option of the row")),
    Source(
        r"^\| `playouts: 512`|^\| 3 \| 200 \| own \| 1,000",
        CALCULATION.format("job.playouts=512"),
        1000,
        "2026-11-30",
    ),
    Source(
        r"^\| `look_ahead: 1`, on 300",
        CALCULATION.format("-m job.look_ahead=0,1 job.deals=300"),
        300,
        "2026-11-30",
    ),
    Source(
        r"^\| 0 \| own \| 1,000 \| 572",
        CALCULATION.format(f"{LARGEST} job.stacks=4 job.keep=50"),
        1000,
        "2026-11-30",
    ),
    Source(
        r"^\| 0 \| all \| 2,000",
        CALCULATION.format(f"{LARGEST} job.stacks=4 job.keep=50 job.edges=all job.deals=2000"),
        2000,
        "2026-11-30",
    ),
    Source(
        r"^\| 1 \| all \| 500|4 stacks 85\.8%",
        CALCULATION.format(
            f"{LARGEST} job.stacks=4 job.keep=50 job.edges=all job.look_ahead=1 job.deals=500"
        ),
        500,
        "2026-11-30",
    ),
    Source(
        r"^\| 0 \| all, `alike=once",
        CALCULATION.format("job.value=max job.stacks=4 job.keep=50 job.edges=all"),
        1000,
        "2026-11-30",
    ),
    Source(
        r"^\| 1 \| own \| 254",
        CALCULATION.format(f"{LARGEST} job.keep=200 job.look_ahead=1, stopped"),
        254,
        "2026-11-30",
    ),
    Source(
        r"^\| 1 \| all \| 1,000|kept it wins less|64\.9% beside",
        CALCULATION.format(f"{LARGEST} job.edges=all job.keep=200 job.look_ahead=1"),
        1000,
        "2026-11-30",
    ),
    Source(
        r"^\| `look_ahead: 1`",
        CALCULATION.format("job.look_ahead=1 job.recast=none job.keep=50 job.deals=200"),
    ),
    Source(
        r"^\| 0 \| own \| 1,000|564 of 1,000",
        CALCULATION.format(f"-m {LARGEST} job.keep=50,200"),
        1000,
    ),
    Source(
        r"^\| 0 \| all \| 1,000",
        CALCULATION.format(f"{LARGEST} job.edges=all job.keep=50"),
        1000,
        "2026-11-30",
    ),
    Source(
        r"^\| 1 \| all \| 300",
        CALCULATION.format(f"{LARGEST} job.edges=all job.keep=50 job.look_ahead=1 job.deals=300"),
        300,
        "2026-11-29",
    ),
    Source(
        r"\(\+6\.3 to \+18\.8\)",
        CALCULATION.format(f"-m {LARGEST} job.edges=all job.keep=50 job.look_ahead=0,1 job.deals=300"),
        300,
        "2026-11-30",
    ),
    Source(r"^\| 2 \| 640 ", "yamafuda run job=calculation_open job.stacks=2", 1000),
    Source(
        r"^- Over the three kinds|^- Rand/DR is at|^- With 1100 playouts|^- The paper leaves a question open",
        DAIFUGO.format(TABLE_1),
    ),
    Source(rf"^\| `({PARTS})`|that of 99\.5%", DAIFUGO.format("daifugo_parts")),
    Source(
        r"has \*\*\+0\.267 points a game",
        "yamafuda run -m job=daifugo_tournament 'job.players=[strong,strong,strong,strong,strong@200]', its weights "
        "champion and mixed, job.ranks=shared job.seed=300,301,302",
        1200,
        "2026-11-30",
    ),
]


@dataclass(frozen=True)
class Remake:
    """A run that remakes counts that pages print."""

    words: str
    seconds: float
    """Of one core, about."""
    expected: dict[str, Any]
    """Figures of its summary."""


CENSUS = "job=superpuzz_census job.columns={} cluster=serial"
RATES = "job=klondike_rates cluster=serial job.redeals={}"
OPEN = "job=calculation_open cluster=serial job.stacks={}"
REMAKES = [
    Remake(CENSUS.format(2), 1, {"deals_count": 1000, "lost_count": 0, "states_max": 209}),
    Remake(CENSUS.format(3), 3, {"deals_count": 1000, "lost_count": 36, "states_max": 13_852}),
    Remake(CENSUS.format(4), 15, {"deals_count": 1000, "lost_count": 90, "states_max": 305_750}),
    Remake(CENSUS.format(5), 90, {"deals_count": 1000, "lost_count": 141, "states_max": 4_631_937}),
    Remake(RATES.format(0), 60, {"deals_count": 20_000, "won_count": 506}),
    Remake(RATES.format(1), 400, {"deals_count": 20_000, "won_count": 6097}),
    Remake(RATES.format(2), 600, {"deals_count": 20_000, "won_count": 13_012}),
    Remake(OPEN.format(1), 30, {"deals_count": 1000, "won_count": 0, "lost_count": 1000}),
    Remake(OPEN.format(2), 900, {"deals_count": 1000, "won_count": 640, "lost_count": 360}),
    Remake(OPEN.format(3), 100, {"deals_count": 1000, "won_count": 1000}),
    Remake(OPEN.format(4), 40, {"deals_count": 1000, "won_count": 1000}),
]


@dataclass(frozen=True)
class Figure:
    """One figure as printed, with where it is from."""

    kind: str
    """``share``: a count of all with its share; ``lost``: without the share; ``difference``: with its interval."""
    text: str
    line: str
    """The beginning of its paragraph, or of its row of a table."""
    won: int | None
    count: int | None
    shown: list[str]
    """Share or centre where it is printed, lower and upper end."""
    command: str
    date: str


_WITHIN = re.compile(r"(?<=\S)\n *(?=[^\s|#-])(?!    )")
"""The end of a line within a paragraph."""


def text_of_pages() -> str:
    """Of all pages that print results, each paragraph on a line, so that it does not matter where lines end."""
    return "\n".join(_WITHIN.sub(" ", path.read_text()) for path in PAGES)


def figures(text: str) -> Iterator[Figure]:
    """All figures of some pages; ValueError for one without a source."""
    for line in text.splitlines():
        for kind, pattern in (
            ("share", SHARE),
            ("lost", LOST),
            ("difference", PAIRED),
            ("difference", DIFFERENCE),
        ):
            if kind == "lost" and not re.match(SOURCES[0].match, line):
                continue
            if pattern is DIFFERENCE and PAIRED.search(line):
                continue
            for match in pattern.finditer(line):
                yield _figure(kind, line, match)


def _figure(kind: str, line: str, match: re.Match[str]) -> Figure:
    source = next((each for each in SOURCES if re.search(each.match, line)), None)
    if source is None:
        raise ValueError(f"a figure without a source: {match.group()!r} in {line[:80]!r}")
    told = match.groupdict()
    won = int(told["won"].replace(",", "")) if told.get("won") else None
    count = int(told["of"].replace(",", "")) if told.get("of") else source.count if won is not None else None
    shown = [told[name] for name in ("share", "centre", "low", "high") if told.get(name)]
    return Figure(kind, match.group(), line[:50], won, count, shown, source.command, source.date)


def remake(remakes: list[Remake]) -> Iterator[str]:
    """Run them; a line for each that differs from what is expected."""
    for each in remakes:
        with tempfile.TemporaryDirectory() as folder:
            words = [
                sys.executable,
                "-c",
                "from pipeline.cli import main; main()",
                "run",
                *each.words.split(),
            ]
            begin_s = time.monotonic()
            done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
            summary = json.loads((Path(done.stdout.strip()) / "summary.json").read_text())
        print(f"{each.words}: {time.monotonic() - begin_s:.0f} s", file=sys.stderr)
        for name, value in each.expected.items():
            if summary[name] != value:
                yield f"{each.words}: {name} is {summary[name]}, pages have {value}"


def main() -> None:
    if sys.argv[1:2] == ["--remake"]:
        most_s = float(sys.argv[2]) if len(sys.argv) > 2 else float("inf")
        problems = list(remake([each for each in REMAKES if each.seconds <= most_s]))
        print("\n".join(problems) or "all figures come out again")
        sys.exit(1 if problems else 0)
    found = [asdict(figure) for figure in figures(text_of_pages())]
    unused = [each.match for each in SOURCES if not re.search(each.match, text_of_pages(), re.MULTILINE)]
    if unused:
        raise ValueError(f"sources without a figure: {unused}")
    RECORD.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    print(f"{len(found)} figures")


if __name__ == "__main__":
    main()
