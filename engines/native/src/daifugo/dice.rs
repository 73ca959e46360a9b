//! Fast random numbers for playouts: wyrand, a pure function of its seed.

/// One 64-bit word of state (wyrand, W. Yi): a Weyl sequence and one wide product a number.
#[derive(Clone)]
pub struct Dice {
    state: u64,
}

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice { state: seed }
    }

    /// Dice for item `number` under a seed: mixed, so that neighbouring items have nothing in common.
    pub fn of(seed: u64, number: u64) -> Dice {
        let mut dice = Dice::new(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Dice::new(dice.word())
    }

    #[inline(always)]
    pub fn word(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0xa076_1d64_78bd_642f);
        let product = u128::from(self.state) * u128::from(self.state ^ 0xe703_7ed1_a0b4_28db);
        (product >> 64) as u64 ^ product as u64
    }

    /// A number below `bound`: upper half of a 64 x 64 bit product. Off from uniform by less than bound / 2^64.
    #[inline(always)]
    pub fn below(&mut self, bound: u32) -> u32 {
        ((u128::from(self.word()) * u128::from(bound)) >> 64) as u32
    }

    /// A number in [0, 1).
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number in [0, 1) of 24 bits.
    #[inline(always)]
    pub fn small_unit(&mut self) -> f32 {
        (self.word() >> 40) as f32 / (1u32 << 24) as f32
    }

    /// About a normal one: the sum of eight bytes, scaled to mean 0 and variance 1; within 4.9 of 0.
    #[inline]
    pub fn normal(&mut self) -> f64 {
        let word = self.word();
        let pairs = (word & 0x00ff_00ff_00ff_00ff) + (word >> 8 & 0x00ff_00ff_00ff_00ff);
        let sum = pairs.wrapping_mul(0x0001_0001_0001_0001) >> 48;
        // 8 * (256^2 - 1) / 12 is the variance of the sum.
        const DEVIATION: f64 = 209.021_529_9;
        (sum as f64 - 1020.0) / DEVIATION
    }
}

/// Several small numbers from one word: what is left of a product decides the next one.
pub struct Draws(u64);

impl Draws {
    #[inline(always)]
    pub fn new(dice: &mut Dice) -> Draws {
        Draws(dice.word())
    }

    /// A number below `bound`. With bounds whose product is below 2^24, off from uniform by less than 2^-40.
    #[inline(always)]
    pub fn below(&mut self, bound: u32) -> u32 {
        let product = u128::from(self.0) * u128::from(bound);
        self.0 = product as u64;
        (product >> 64) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even() {
        let mut dice = Dice::of(7, 3);
        let mut counts = [0u32; 12];
        for _ in 0..120_000 {
            let mut draws = Draws::new(&mut dice);
            counts[(draws.below(3) * 4 + draws.below(4)) as usize] += 1;
            counts[dice.below(12) as usize] += 1;
        }
        assert!(counts.iter().all(|&count| (19_400..20_600).contains(&count)), "{counts:?}");
        let mean = (0..10_000).map(|_| dice.unit()).sum::<f64>() / 1e4;
        assert!((0.485..0.515).contains(&mean));
    }

    #[test]
    fn normal() {
        let mut dice = Dice::new(3);
        let numbers: Vec<f64> = (0..100_000).map(|_| dice.normal()).collect();
        let mean = numbers.iter().sum::<f64>() / 1e5;
        let variance = numbers.iter().map(|number| number * number).sum::<f64>() / 1e5;
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.03, "{mean} {variance}");
        let beyond = |limit: f64| numbers.iter().filter(|number| number.abs() > limit).count();
        assert!((4200..4900).contains(&beyond(1.96)) && (150..330).contains(&beyond(3.0)));
    }

    #[test]
    fn pinned() {
        // Results of a run depend on it.
        let mut dice = Dice::new(1);
        assert_eq!([dice.word(), dice.word()], [0xcdef_1695_e1f8_ed2c, 0x61d6_d24b_1c9a_ad40]);
    }
}
