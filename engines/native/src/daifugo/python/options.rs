//! Players and ways to make worlds, with their options.
use super::super::features::WEIGHTS_COUNT;
use super::super::net::{NUMBER_MAX, NUMBERS_COUNT, Net};
use super::super::players::Spec;
use super::super::players::bandit::Bandit;
use super::super::players::mc::Options;
use super::super::players::race::{Budget, Spending};
use super::super::playout::Policy;
use super::super::policy::{Learnt, WEIGHT_MAX};
use super::super::table::PLAYERS;
use super::super::worlds::Generator;
use super::super::worlds::he::{CLASSES_COUNT, HeTable, ITEMS_COUNT};
use super::arguments::error;
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// The learnt policy of some weights; behind them may be the numbers of a network.
pub(super) fn learnt_of(weights: &PyReadonlyArray1<'_, f32>, passes: bool) -> PyResult<Learnt> {
    let all = weights.as_array().to_vec();
    let (weights, numbers) = all.split_at(all.len().min(WEIGHTS_COUNT));
    let learnt = Learnt::new(weights, passes).ok_or_else(|| {
        error("policy_weights", format!("not {WEIGHTS_COUNT} numbers from -{WEIGHT_MAX} to {WEIGHT_MAX}"))
    })?;
    if numbers.is_empty() {
        return Ok(learnt);
    }
    let net = Net::new(numbers).ok_or_else(|| {
        error("policy_weights", format!("not {NUMBERS_COUNT} numbers of a network from -{NUMBER_MAX} to {NUMBER_MAX}"))
    })?;
    Ok(learnt.with_net(net))
}

/// A policy by name; `weights` and `passes` are those of the learnt one.
fn policy_of(name: &str, weights: Option<PyReadonlyArray1<'_, f32>>, passes: bool) -> PyResult<Policy> {
    let policy = match name {
        "uniform" => Policy::Uniform,
        "rule" => Policy::Rule,
        "learnt" => {
            let weights = weights.ok_or_else(|| error("policy_weights", "the learnt policy needs them"))?;
            return Ok(Policy::Learnt(Arc::new(learnt_of(&weights, passes)?)));
        }
        _ => return Err(error("policy", format!("{name:?} is none of uniform, rule, learnt"))),
    };
    if weights.is_some() || passes {
        let name = if passes { "policy_passes" } else { "policy_weights" };
        return Err(error(name, "only the learnt policy has it"));
    }
    Ok(policy)
}

/// A way to make worlds.
#[pyclass(module = "engines._native", frozen)]
pub struct DaifugoGenerator(pub Generator);

#[pymethods]
impl DaifugoGenerator {
    #[new]
    #[pyo3(signature = (name, *, probabilities=None, seen=None, tries=16, swaps=4, policy_weights=None,
        policy_passes=false))]
    #[allow(clippy::too_many_arguments)] // Python calls it by names.
    fn new(
        name: &str,
        probabilities: Option<PyReadonlyArray2<'_, f64>>,
        seen: Option<PyReadonlyArray1<'_, u64>>,
        tries: u32,
        swaps: u32,
        policy_weights: Option<PyReadonlyArray1<'_, f32>>,
        policy_passes: bool,
    ) -> PyResult<DaifugoGenerator> {
        Ok(DaifugoGenerator(match name {
            "rand" => Generator::Rand,
            "rand_d" => Generator::RandD,
            "rand_dr" => Generator::RandDr,
            "known_d" => Generator::KnownD,
            "exchange" => Generator::Exchange,
            "he" => {
                let (Some(probabilities), Some(seen)) = (probabilities, seen) else {
                    return Err(error("probabilities", "he needs them and seen"));
                };
                if probabilities.shape()[1] != ITEMS_COUNT {
                    let shape = probabilities.shape();
                    return Err(error(
                        "probabilities",
                        format!("shape {shape:?}, not [{CLASSES_COUNT}, {ITEMS_COUNT}]"),
                    ));
                }
                let flat: Vec<f64> = probabilities.as_array().iter().copied().collect();
                let rows: Vec<[f64; ITEMS_COUNT]> = flat.as_chunks().0.to_vec();
                let seen: Vec<u64> = seen.as_array().iter().copied().collect();
                let table = HeTable::new(&rows, &seen).map_err(PyValueError::new_err)?;
                Generator::He(Arc::new(table))
            }
            "reject" | "reject_uniform" | "reject_learnt" | "chain" | "chain_uniform" | "chain_learnt" => {
                let (kind, policy) = name.split_once('_').unwrap_or((name, "rule"));
                let policy = policy_of(policy, policy_weights, policy_passes)?;
                match kind {
                    "reject" if tries > 0 => Generator::Reject(policy, tries),
                    "reject" => return Err(error("tries", "not 1 or more")),
                    _ if swaps > 0 => Generator::Chain(policy, swaps),
                    _ => return Err(error("swaps", "not 1 or more")),
                }
            }
            _ => {
                let names = "rand, rand_d, rand_dr, known_d, he, exchange, reject, reject_uniform, reject_learnt, chain, \
                    chain_uniform, chain_learnt";
                return Err(error("generator", format!("{name:?} is none of {names}")));
            }
        }))
    }
}

/// A kind of player with its options.
#[pyclass(module = "engines._native", frozen)]
pub struct DaifugoPlayer(pub Spec);

#[pymethods]
impl DaifugoPlayer {
    #[new]
    #[pyo3(signature = (kind, *, generator=None, playouts=0, time_s=0.0, exchange_playouts=0, c=4.0, policy="uniform",
        endgame_positions=0, bandit="ucb1", policy_weights=None, policy_passes=false, lead=0.0, joint=false, prior=0.0,
        worth=[5.0, 4.0, 3.0, 2.0, 1.0], pool=0, sure=false,
        sure_playouts=false))]
    #[allow(clippy::too_many_arguments)] // Python calls it by names.
    fn new(
        kind: &str,
        generator: Option<PyRef<'_, DaifugoGenerator>>,
        playouts: u32,
        time_s: f64,
        exchange_playouts: u32,
        c: f64,
        policy: &str,
        endgame_positions: usize,
        bandit: &str,
        policy_weights: Option<PyReadonlyArray1<'_, f32>>,
        policy_passes: bool,
        lead: f64,
        joint: bool,
        prior: f64,
        worth: [f64; PLAYERS],
        pool: usize,
        sure: bool,
        sure_playouts: bool,
    ) -> PyResult<DaifugoPlayer> {
        match kind {
            "random" => return Ok(DaifugoPlayer(Spec::Random)),
            "rule" => return Ok(DaifugoPlayer(Spec::Rule)),
            "mc" => {}
            _ => return Err(error("kind", format!("{kind:?} is none of random, rule, mc"))),
        }
        let time = Duration::try_from_secs_f64(time_s).map_err(|_| error("time_s", format!("{time_s} is no time")))?;
        let budget = match (playouts, time.is_zero()) {
            (1.., true) => Budget::Playouts(playouts),
            (0, false) => Budget::Time(time),
            _ => return Err(error("playouts", "either they or time_s must be above 0")),
        };
        if exchange_playouts == 0 && time.is_zero() {
            return Err(error("exchange_playouts", "not 1 or more"));
        }
        for (name, value) in [("c", c), ("lead", lead), ("prior", prior)] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(error(name, format!("{value} is no number of 0 or more")));
            }
        }
        if !worth.iter().all(|value| (1.0..=5.0).contains(value)) {
            return Err(error("worth", format!("{worth:?}: each must be within 1 to 5")));
        }
        let bandit = match bandit {
            "ucb1" => Bandit::Ucb1,
            "ucb1_tuned" => Bandit::Ucb1Tuned,
            "thompson" => Bandit::Thompson,
            "even" => Bandit::Even,
            _ => return Err(error("bandit", format!("{bandit:?} is none of ucb1, ucb1_tuned, thompson, even"))),
        };
        let policy = policy_of(policy, policy_weights, policy_passes)?;
        let generator = generator.map_or(Generator::Rand, |generator| generator.0.clone());
        let options = Options {
            spending: Spending { budget, bandit, c, lead },
            exchange_playouts,
            joint,
            policy,
            prior,
            worth,
            generator,
            pool,
            sure,
            sure_playouts,
            endgame_positions,
        };
        Ok(DaifugoPlayer(Spec::Mc(options)))
    }
}
