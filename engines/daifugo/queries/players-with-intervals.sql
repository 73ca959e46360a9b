-- Daihinmin: points a game of each player of a tournament, with 95% intervals
-- Run: yamafuda run job=daifugo_tournament job.games=120 job.rank_period=6
--
-- Games of a match depend on one another, for ranks decide who gives cards to whom; matches do not. So the errors are
-- those of the means of whole matches. Student's t is by its expansion (Abramowitz and Stegun, 26.7.5), good to a
-- hundredth from five matches on.
WITH matches AS (
    SELECT run_id, seed, variant, variant_name, player, player_name, match, count(*) AS games,
           sum(points) / count(*) AS points
    FROM daifugo_tournament GROUP BY ALL
), scores AS (
    SELECT run_id, variant, variant_name, player, player_name, sum(games) AS games, count(*) AS matches,
           sum(points * games) / sum(games) AS points_a_game, stddev_samp(points) / sqrt(count(*)) AS se,
           1.959963984540054 AS z, nullif(count(*) - 1, 0) AS f
    FROM matches GROUP BY run_id, variant, variant_name, player, player_name
), intervals AS (
    SELECT *, z + (z ^ 3 + z) / (4 * f) + (5 * z ^ 5 + 16 * z ^ 3 + 3 * z) / (96 * f ^ 2)
           + (3 * z ^ 7 + 19 * z ^ 5 + 17 * z ^ 3 - 15 * z) / (384 * f ^ 3) AS t
    FROM scores
)
SELECT left(run_id, 12) AS run, variant_name, player, player_name, games, matches,
       round(points_a_game, 4) AS points_a_game,
       round(points_a_game - t * se, 4) AS points_a_game_low, round(points_a_game + t * se, 4) AS points_a_game_high
FROM intervals ORDER BY run_id, variant, player
