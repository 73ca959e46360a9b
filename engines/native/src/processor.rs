//! The processor time that a thread has used: what it costs, however busy the machine is.
use std::time::Duration;

/// Processor time of the calling thread since it began.
#[cfg(target_os = "linux")]
#[must_use]
pub fn thread_time() -> Duration {
    const CLOCK_THREAD_CPUTIME_ID: i32 = 3;
    #[repr(C)]
    struct Timespec {
        seconds: std::ffi::c_long,
        nanoseconds: std::ffi::c_long,
    }
    unsafe extern "C" {
        fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
    }
    let mut time = Timespec { seconds: 0, nanoseconds: 0 };
    // SAFETY: the call writes to `time` alone, whose layout is that of the C library on 64-bit Linux. If it fails,
    // which this clock never does, the time stays 0.
    unsafe { clock_gettime(CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    Duration::new(time.seconds as u64, time.nanoseconds as u32)
}

/// Elsewhere, the time that has passed.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn thread_time() -> Duration {
    static BEGIN: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    BEGIN.get_or_init(std::time::Instant::now).elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_time_and_sleep_does_not() {
        let begin = thread_time();
        std::thread::sleep(Duration::from_millis(60));
        let slept = thread_time();
        let mut sum = 0u64;
        while thread_time() < slept + Duration::from_millis(5) {
            sum = std::hint::black_box(sum + 1);
        }
        if cfg!(target_os = "linux") {
            assert!(slept - begin < Duration::from_millis(50));
        }
    }
}
