//! Four numbers at once. All machines round them alike: no sum is reordered.
use std::ops::{Add, Mul, Sub};

#[cfg(target_arch = "x86_64")]
mod lanes {
    use std::arch::x86_64::{__m128, _mm_add_ps, _mm_max_ps, _mm_mul_ps, _mm_setzero_ps, _mm_sub_ps};

    // Every processor of this kind has these.
    pub type Lanes = __m128;

    #[inline(always)]
    pub fn of(numbers: [f32; 4]) -> Lanes {
        // SAFETY: both are four numbers of 32 bits in a row; any bits are such numbers.
        unsafe { std::mem::transmute(numbers) }
    }

    #[inline(always)]
    pub fn numbers(lanes: Lanes) -> [f32; 4] {
        // SAFETY: as above.
        unsafe { std::mem::transmute(lanes) }
    }

    #[inline(always)]
    pub fn add(one: Lanes, other: Lanes) -> Lanes {
        // SAFETY: every processor of this kind can.
        unsafe { _mm_add_ps(one, other) }
    }

    #[inline(always)]
    pub fn sub(one: Lanes, other: Lanes) -> Lanes {
        // SAFETY: every processor of this kind can.
        unsafe { _mm_sub_ps(one, other) }
    }

    #[inline(always)]
    pub fn mul(one: Lanes, other: Lanes) -> Lanes {
        // SAFETY: every processor of this kind can.
        unsafe { _mm_mul_ps(one, other) }
    }

    #[inline(always)]
    pub fn above_nothing(one: Lanes) -> Lanes {
        // SAFETY: every processor of this kind can.
        unsafe { _mm_max_ps(one, _mm_setzero_ps()) }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod lanes {
    pub type Lanes = [f32; 4];

    #[inline(always)]
    pub fn of(numbers: [f32; 4]) -> Lanes {
        numbers
    }

    #[inline(always)]
    pub fn numbers(lanes: Lanes) -> [f32; 4] {
        lanes
    }

    #[inline(always)]
    pub fn add(one: Lanes, other: Lanes) -> Lanes {
        std::array::from_fn(|lane| one[lane] + other[lane])
    }

    #[inline(always)]
    pub fn sub(one: Lanes, other: Lanes) -> Lanes {
        std::array::from_fn(|lane| one[lane] - other[lane])
    }

    #[inline(always)]
    pub fn mul(one: Lanes, other: Lanes) -> Lanes {
        std::array::from_fn(|lane| one[lane] * other[lane])
    }

    #[inline(always)]
    pub fn above_nothing(one: Lanes) -> Lanes {
        one.map(|number| number.max(0.0))
    }
}

#[derive(Clone, Copy)]
pub struct Four(lanes::Lanes);

impl Four {
    #[inline(always)]
    #[must_use]
    pub fn new(numbers: [f32; 4]) -> Four {
        Four(lanes::of(numbers))
    }

    #[inline(always)]
    #[must_use]
    pub fn numbers(self) -> [f32; 4] {
        lanes::numbers(self.0)
    }

    /// 0 in the place of what is below.
    #[inline(always)]
    #[must_use]
    pub fn above_nothing(self) -> Four {
        Four(lanes::above_nothing(self.0))
    }
}

impl Add for Four {
    type Output = Four;

    #[inline(always)]
    fn add(self, other: Four) -> Four {
        Four(lanes::add(self.0, other.0))
    }
}

impl Sub for Four {
    type Output = Four;

    #[inline(always)]
    fn sub(self, other: Four) -> Four {
        Four(lanes::sub(self.0, other.0))
    }
}

impl Mul for Four {
    type Output = Four;

    #[inline(always)]
    fn mul(self, other: Four) -> Four {
        Four(lanes::mul(self.0, other.0))
    }
}

impl PartialEq for Four {
    fn eq(&self, other: &Four) -> bool {
        self.numbers() == other.numbers()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_one_by_one() {
        let (one, other) = ([1.5, -2.0, 0.25, 1e-3], [0.1, 3.0, -7.0, 1e6]);
        let (a, b) = (Four::new(one), Four::new(other));
        let each = |of: fn(f32, f32) -> f32| std::array::from_fn(|lane| of(one[lane], other[lane]));
        assert_eq!((a + b).numbers(), each(|a, b| a + b));
        assert_eq!((a - b).numbers(), each(|a, b| a - b));
        assert_eq!((a * b).numbers(), each(|a, b| a * b));
        assert_eq!(a.above_nothing().numbers(), each(|a, _| a.max(0.0)));
    }
}
