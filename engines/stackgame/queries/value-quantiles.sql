-- Stack game: how probabilities of success are spread in each layer of a table
-- Run: yamafuda run job=stackgame_table job.cards=6
--
-- Quartiles are known of each shard. Which shard a state is in is by chance, so that of several their mean, weighted by
-- states, stands for the layer's; of one shard they are exact, as the least, the largest and the mean always are.
SELECT stacks, boards, cards, layer, sum(states_count) AS states, count(*) AS shards,
       round(min(value_quantiles[1]), 6) AS least,
       round(sum(states_count * value_quantiles[2]) / states, 6) AS first_quartile,
       round(sum(states_count * value_quantiles[3]) / states, 6) AS median,
       round(sum(states_count * value_quantiles[4]) / states, 6) AS third_quartile,
       round(max(value_quantiles[5]), 6) AS largest, round(sum(value_sum) / states, 6) AS mean
FROM stackgame_table GROUP BY ALL ORDER BY stacks, boards, cards, layer DESC
