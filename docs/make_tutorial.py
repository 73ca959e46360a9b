"""Makes docs/tutorial.ipynb: the cells below, executed in an empty folder. Run by ``make docs``."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

TUTORIAL = Path(__file__).parent / "tutorial.ipynb"
SECONDS = 600
"""That a cell may take, on a busy machine."""

CELLS = [
    """\
# From a deal on paper to a figure

This takes ten minutes. It needs `pip install "yamafuda[pages]" polars`, and this notebook or any other.""",
    "import yamafuda\n\nyamafuda.games()",
    """\
## A deal

You have dealt a game of Klondike, and it seems hopeless. Type it as it lies: a line a column, the lowest card first,
then the stock with the card that is dealt first. A minus is a card face down.""",
    '''\
klondike = yamafuda.game("klondike")

paper = """
1: 9C
2: 8C -5D
3: 7C -3D -8H
4: 9D -8D -6D -4H
5: AC -QH -7D -2H -5S
6: TD -QD -KS -4C -3C -9H
7: KC -9S -2S -7S -6C -6S -4S
8: 5H 3H 2C JS TH 4D JD QS QC AD KH AH 6H KD AS TC 2D JH 7H 8S 3S 5C JC TS
"""
(deal,) = klondike.read(paper)
deal''',
    "A card that is there twice is found, with the place. It is the one kind of error that you should see.",
    """\
try:
    klondike.read(paper.replace("9C", "TS"))
except yamafuda.UserError as error:
    print(error)""",
    """\
## Can it be won?

Every card is known to the solver. `solve` says `won`, `lost`, or `undecided` when it hits a limit, and never guesses: a
solution has been replayed by a referee that shares no code with it.""",
    """\
for redeals in range(2):
    found = klondike.solve(deal, redeals=redeals)
    print(redeals, "redeals:", found["outcome"])""",
    "The solution, played: `game` is the sequence of all positions. Here is one on the way.",
    'game = klondike.replay(deal, " -> ".join(found["moves"]), redeals=1)\ngame[len(game) // 3]',
    "And which moves win from there? Every answer is also a mapping of values, those of `--json`.",
    "print(klondike.advise(game[len(game) // 3], redeals=1))",
    """\
## Many deals

How much do redeals help? The same hundred random deals, with 0 to 3 redeals. What is done is stored below `results`, so
that the same cell is quick when it runs again; `cluster="local"` takes all processors.""",
    """\
for redeals in range(4):
    run = yamafuda.run("klondike_sweep", deals=100, redeals=redeals)
yamafuda.runs()""",
    "Rows are a table of Arrow's: `to_polars()` or `to_pandas()` go on from there.",
    """\
rows = yamafuda.load("klondike_sweep").to_polars()
rows.group_by("redeals", "outcome").len().sort("redeals", "outcome")""",
    """\
## A figure

Of a hundred deals a share is known to about ten per cent, and Wilson's interval says how well.""",
    """\
import matplotlib.pyplot as plt
from scipy.stats import binomtest

counts = yamafuda.query(\"\"\"
    SELECT redeals, count(*) AS deals, count(*) FILTER (outcome = 'won') AS won
    FROM klondike_sweep GROUP BY redeals ORDER BY redeals
\"\"\").to_dicts()

figure, axes = plt.subplots(figsize=(5, 3.2))
for row in counts:
    share = row["won"] / row["deals"]
    interval = binomtest(row["won"], row["deals"]).proportion_ci(method="wilson")
    ends = [[share - interval.low], [interval.high - share]]
    axes.errorbar(row["redeals"], share, ends, fmt="ok", capsize=4)
axes.set(xlabel="redeals", ylabel="share of deals won", xticks=range(4), ylim=(0, 1))
axes.set_title("Klondike, draw 3: 100 deals, 95% intervals", fontsize="medium")
axes.spines[["top", "right"]].set_visible(False)""",
    """\
The deals are the same in each run, so that they can be compared in pairs, and then the interval is much narrower. That
question is one of the worked examples; `yamafuda query --examples` lists them all.""",
    'yamafuda.query(yamafuda.examples()["paired-differences"])',
    "## On from here\n\nThe hardest deals, the most states first. Any of them can be dealt again by its number.",
    """\
yamafuda.query(\"\"\"
    SELECT redeals, seed, deal_index, outcome, states_count
    FROM klondike_sweep ORDER BY states_count DESC LIMIT 5
\"\"\")""",
    """\
The same in a terminal: `yamafuda solve`, `yamafuda run`, `yamafuda query`; in a browser: `yamafuda serve`. The README
has the rest.""",
]


def make_notebook() -> Any:
    """The notebook before it is executed: text and code by turns."""
    cells = []
    for number, text in enumerate(CELLS):
        is_code = number % 2 == 1
        kind = nbformat.v4.new_code_cell if is_code else nbformat.v4.new_markdown_cell
        cells.append(kind(text, id=f"cell-{number:02}"))
    notebook = nbformat.v4.new_notebook(cells=cells)
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return notebook


def execute(notebook: Any, folder: Path) -> None:
    """Execute it where there is nothing yet; its cells get their outputs."""
    # Of those who begin: no packages but those that are installed, no runs.
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHONPATH", "YAMAFUDA"))
    }
    NotebookClient(notebook, timeout=SECONDS, startup_timeout=SECONDS).execute(cwd=str(folder), env=kept)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # when each was executed


def main() -> None:
    """Make it anew, with its outputs."""
    notebook = make_notebook()
    with tempfile.TemporaryDirectory() as folder:
        execute(notebook, Path(folder))
    nbformat.write(notebook, TUTORIAL)


if __name__ == "__main__":
    main()
