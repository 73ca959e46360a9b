"""What ``jobs.json`` and ``commands.json`` record: small instances of all shipped jobs, and commands on the examples.

A game's instances and commands share a folder, into which its examples are copied.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Instance:
    """A job made small."""

    job: str
    words: str = ""
    """What is said after ``job=NAME``."""
    files: tuple[str, ...] = ()
    """Files that it reads: examples, or keys of ``MADE``. The run's name then depends on the folder they are in."""

    @property
    def name(self) -> str:
        """The job, and the words without what all have."""
        return " ".join([self.job, self.words.replace("job.", "")]).rstrip()

    @property
    def game(self) -> str:
        """The job's game."""
        return self.job.partition("_")[0]


LEARNT_RULE = Instance("daifugo_learn", "job.games=200")
LEARNT_STRONG = Instance("daifugo_learn", "job.games=20 job.players=[strong] job.kinds.strong.playouts=20")
HE_TABLES = ("he_rule.parquet", "he_strong.parquet", "he_all.parquet")
FOUR_TIMED = " ".join(
    f"job.kinds.{name}_timed.time_s=null job.kinds.{name}_timed.playouts=100"
    for name in ("rand_d", "chain", "learnt", "strong")
)
"""Games by time do not repeat."""

# Of equal runs, reports take the one whose name comes first, which may depend on the folder: numbers of games differ.
INSTANCES = [
    Instance("stackgame_table", "job.cards=5"),
    Instance("stackgame_table", "job.stacks=4 job.boards=3 job.cards=3 job.value_type=float64"),
    Instance("stackgame_table", "job.stacks=4 job.boards=2 job.cards=4 job.form=general"),
    Instance("stackgame_table", "job.stacks=4 job.cards=5 job.form=indexed"),
    Instance("stackgame_table", "job.boards=1 job.cards=8"),
    Instance("stackgame_table", "job.boards=4 job.cards=2"),
    Instance("stackgame_play", "job.cards=5 job.games=500"),
    Instance("stackgame_play", "job.stacks=4 job.boards=3 job.cards=3 job.value_type=float64 job.games=200"),
    Instance("calculation_open", "job.deals=10 job.solution_texts=true"),
    Instance("calculation_open", "job.deals=100 job.ranks=6 job.stacks=1 job.seed=2"),
    Instance("calculation_best"),
    Instance("calculation_sweep", "job.ranks=6 job.deals=8 job.solution_texts=true"),
    Instance("calculation_sweep", "job.ranks=6 job.deals=8 job.keep=20 job.edges=all job.exact_cards=6"),
    Instance("calculation_sweep", "job.ranks=5 job.stacks=1 job.deals=6 job.keep=12 job.playouts=12"),
    Instance(
        "calculation_sweep",
        "job.ranks=5 job.deals=4 job.keep=20 job.look_ahead=1 job.value=max job.alike=all job.recast=none "
        "job.ties=stack job.misfits=drop job.eager=true",
    ),
    Instance("superpuzz_sweep", "job.columns=7 job.deals=20"),
    Instance("superpuzz_sweep", "job.columns=4 job.deals=30 job.mode=shortest"),
    Instance("superpuzz_sweep", "job.columns=4 job.deals=10 job.mode=census job.order=breadth"),
    Instance("superpuzz_sweep", "job.columns=6 job.deals=20 job.seed=5 job.limits.states=1000"),
    Instance("superpuzz_redeals", "job.columns=5 job.deals=30 job.search_states=2000"),
    Instance("superpuzz_census", "job.columns=4 job.deals=20"),
    Instance("superpuzz_full", "job.columns=7 job.deals=10 job.seed=2"),
    Instance(
        "superpuzz_full_10min", "job.columns=8 job.deals=10 job.seed=3 job.limits.memory_bytes=1073741824"
    ),
    Instance("superpuzz_full_2h", "job.columns=8 job.deals=10 job.seed=4 job.limits.memory_bytes=1073741824"),
    Instance("klondike_sweep", "job.deals=50 job.deal_texts=true job.solution_texts=true"),
    Instance("klondike_sweep", "job.deals=6 job.draw=1 job.redeals=0 job.seed=3"),
    Instance("klondike_sweep", "job.deals=30 job.redeal_rule=standard job.foundation_back=true"),
    Instance("klondike_sweep", "job.deals=10 job.redeals=1 job.mode=shortest job.limits.states=20000"),
    Instance("klondike_sweep", "job.file=k00198.deal job.redeals=5", ("k00198.deal",)),
    Instance("klondike_deals", "job.deals=15"),
    Instance("klondike_blind", "job.deals=3 job.samples=2 job.search_states=100"),
    Instance("klondike_rates", "job.deals=30 job.redeals=2 job.deal_last=false"),
    Instance("klondike_million", "job.deals=30 job.redeals=0 job.seed=2"),
    LEARNT_RULE,
    LEARNT_STRONG,
    Instance("daifugo_policy", "job.games=1000 job.every=50 job.playouts=1"),
    Instance("daifugo_estimate", "job.games=3 job.positions=2 job.worlds=10"),
    Instance(
        "daifugo_estimate",
        "job.games=2 job.positions=2 job.worlds=10 job.generators=[rand,he,reject_learnt,chain_learnt] "
        "job.kinds.he.table=he_all.parquet",
        HE_TABLES,
    ),
    Instance("daifugo_tournament", "job.games=10"),
    Instance(
        "daifugo_tournament",
        "job.games=20 job.players=[rule,random,mc@20,rule,random] job.variants=[random,rand_dr@20] "
        "job.place=mc@20 job.records=true",
    ),
    Instance(
        "daifugo_uecda", "job.games=20 job.players=[rule,random,mc@20,rule,random] job.variants=[random]"
    ),
    Instance(
        "daifugo_figure9", "job.games=1 job.variants=[rand@100,rand_d@100,rand_dr@200,he@100,he]", HE_TABLES
    ),
    Instance("daifugo_parts", "job.games=1"),
    Instance("daifugo_parts_champion", "job.games=1 job.players=[rule,rule,rule,rule,whole]"),
    Instance("daifugo_parts_timed", f"job.games=1 {FOUR_TIMED}"),
    Instance("daifugo_table1_rule", "job.games=2", HE_TABLES),
    Instance("daifugo_table1_strong", "job.games=1", HE_TABLES),
    Instance("daifugo_table1_rand", "job.games=2", HE_TABLES),
    Instance("daifugo_table1_small_rule", "job.games=3", HE_TABLES),
    Instance("daifugo_table1_small_strong", "job.games=2", HE_TABLES),
    Instance("daifugo_table1_small_rand", "job.games=3", HE_TABLES),
    Instance("tricks_table", "job.cards=6"),
    Instance("tricks_table", "job.cards=4 job.points=anywhere job.aim=fewest"),
    Instance("tricks_table_14", "job.cards=5 job.points=lowest"),
    Instance("tricks_theorems", "job.cards=5"),
    Instance("tricks_theorems", "job.cards=4 job.points=anywhere job.aim=fewest"),
]

MADE: dict[str, tuple[list[Instance], str]] = {
    "he_rule.parquet": ([LEARNT_RULE], "daifugo-tables {} --merged he_rule.parquet"),
    "he_strong.parquet": ([LEARNT_STRONG], "daifugo-tables {} --merged he_strong.parquet"),
    "he_all.parquet": ([LEARNT_RULE, LEARNT_STRONG], "daifugo-tables {} {} --merged he_all.parquet"),
}
"""File -> the runs that it is made of and the command."""

ON_EXAMPLES = {
    "superpuzz": [
        "solve superpuzz figure-1.deal --json",
        "solve superpuzz figure-6a.deal --states 50000 --json",
        "solve superpuzz figure-7.deal",
        "solve superpuzz figure-7.deal --census --json",
        "solve superpuzz figure-7.deal --census --order breadth",
        "solve superpuzz figure-7.deal --shortest --json",
        "solve superpuzz figure-6b.deal --states 1000",
        "check superpuzz figure-1.deal figure-2.solution --json",
        "check superpuzz figure-7.deal figure-7.solution",
    ],
    "klondike": [
        "solve klondike k00198.deal --rules report",
        "solve klondike k00198-plain.deal --rules report --redeals 5 --json",
        "solve klondike k00198-solvitaire.deal --json",
        "solve klondike k00198-won.deal --rules report --json",
        "solve klondike within.deal --draw 1",
        "solve klondike within.deal --shortest --json",
        "solve klondike k00198.deal --rules report --states 100 --json",
        "check klondike k00198.deal k00198.solution --rules report",
        "check klondike k00198.deal k00198.solution --rules report --json",
    ],
    "daifugo": [
        "solve daifugo end-game.position --playouts 500",
        "solve daifugo end-game.position --playouts 500 --bandit ucb1_tuned --generator rand_d --json",
        "solve daifugo own-hand.position --playouts 500 --policy learnt --json",
        "solve daifugo own-hand.position --playouts 500 --generator chain --bandit thompson",
        "check daifugo exchange.record",
        "check daifugo lot.record --json",
    ],
    "calculation": [
        "solve calculation eight-ranks.deck --json",
        "solve calculation eight-ranks.deck --stacks 2 > games && "
        "check calculation eight-ranks.deck games --stacks 2",
    ],
    "stackgame": [],
    "tricks": [
        "solve tricks section-5.2.deal",
        "solve tricks section-5.2.deal --json",
        "solve tricks section-5.2.deal --points lowest --aim fewest --json",
        "solve tricks AABBBABA k=1",
    ],
}
"""Commands of a game that need no run; ``>`` and ``&&`` are as in a shell."""

ON_RUNS = {
    "superpuzz": ["report superpuzz --json"],
    "klondike": ["report klondike --json"],
    "daifugo": [
        "report daifugo --json",
        "daifugo-tables he_rule.parquet he_strong.parquet",
        "daifugo-tables he_rule.parquet he_strong.parquet --json",
        "solve daifugo own-hand.position --playouts 300 --generator he --table he_all.parquet --json",
    ],
    "calculation": [
        "play calculation six-ranks.deck --keep 20 > games && check calculation six-ranks.deck games --json",
        "play calculation six-ranks.deck --keep 20 --moves",
        "play calculation six-ranks.deck --look-ahead 1 --keep 5 --value max --json",
        "advise calculation six-ranks.position",
        "advise calculation six-ranks.position --json",
        "report calculation --json",
    ],
    "stackgame": [
        "prob --file section-3.1.state --json",
        "prob --file section-3.1-on-stack-0.state",
        "prob --file section-3.1-on-stack-1.state --json",
        "prob --file section-3.1-on-stack-2.state --json",
        "prob '[5{}]; [5{}]' --json",
        "prob '[2{}] -> [1{1}]; [1{}] -> [1{0}]' --stacks 4",
        "report stackgame",
        "report stackgame --json",
    ],
    "tricks": ["report tricks", "report tricks --json"],
}
"""Commands of a game after all its instances were run."""

LINES = [(game, line) for lists in (ON_EXAMPLES, ON_RUNS) for game, of in lists.items() for line in of]
"""All of them, with their game."""

WRITTEN = {
    "six-ranks.deck": "4 5 A 5 4 6 4 3 A 3 2 A 2 5 4 2 A 2 5 6 6 6 3 3\n",
    "six-ranks.position": (
        "ranks: 6\n0: 3 4 5 6\n1: 4 6 A 3 5\n2: 3 6 2 5 A 4\n3: A 5 2 6 3\n0: 5-1\n1: 2-3\n2:\ndrawn: 3\n"
    ),
}
"""Inputs of games that are small enough for a table, which no example is."""
