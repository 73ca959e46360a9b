-- Stack game: states of each layer, and how many times those of the layer above
-- Run: yamafuda run job=stackgame_table job.cards=6
WITH layers AS (
    SELECT run_id, stacks, boards, cards, layer, sum(states_count) AS states, sum(size_bytes) AS size_bytes
    FROM stackgame_table GROUP BY ALL
)
SELECT stacks, boards, cards, layer, states,
       round(states / lag(states) OVER (PARTITION BY run_id ORDER BY layer DESC), 3) AS times_layer_above,
       round(size_bytes / states, 2) AS bytes_a_state
FROM layers ORDER BY stacks, boards, cards, run_id, layer DESC
