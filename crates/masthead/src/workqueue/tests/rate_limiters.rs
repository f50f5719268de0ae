//! client-go's cases for rate limiters, and some that client-go leaves out.

use std::{rc::Rc, time::Duration};

use super::{MS, SECOND};
use crate::{
    runtime::Instant,
    workqueue::rate_limiters::{
        Bucket, ItemExponentialFailure, ItemFastSlow, MaxOf, RateLimiter, WithMaxWait, default_controller,
        default_item_based,
    },
};

/// Calls `when` for `item` once for each expected delay.
fn check(limiter: &dyn RateLimiter<&'static str>, item: &'static str, delays: &[Duration]) {
    let given: Vec<Duration> = delays.iter().map(|_| limiter.when(&item, Instant::ORIGIN)).collect();
    assert_eq!(given, delays, "{item}");
}

#[test]
fn rl_01_delays_of_an_item_double() {
    let limiter = ItemExponentialFailure::new(MS, SECOND);
    check(&limiter, "one", &[MS, 2 * MS, 4 * MS, 8 * MS, 16 * MS]);
    assert_eq!(limiter.num_requeues(&"one"), 5);
    check(&limiter, "two", &[MS, 2 * MS]);
    assert_eq!(limiter.num_requeues(&"two"), 2);
    limiter.forget(&"one");
    assert_eq!((limiter.num_requeues(&"one"), limiter.num_requeues(&"two")), (0, 2));
    check(&limiter, "one", &[MS]);
}

#[test]
fn rl_02_delays_never_overflow() {
    let check_last = |base: Duration, max: Duration, attempts: u32, delay: Duration| {
        let limiter = ItemExponentialFailure::new(base, max);
        for _ in 1..attempts {
            limiter.when(&"a", Instant::ORIGIN);
        }
        assert_eq!(limiter.when(&"a", Instant::ORIGIN), delay, "{base:?} {max:?} {attempts}");
        assert_eq!(limiter.num_requeues(&"a"), attempts);
    };
    let hour = 3600 * SECOND;
    check_last(MS, 1000 * SECOND, 6, 32 * MS);
    check_last(MS, 1000 * SECOND, 1001, 1000 * SECOND);
    check_last(60 * SECOND, 1000 * hour, 3, 240 * SECOND);
    check_last(60 * SECOND, 1000 * hour, 1001, 1000 * hour);
    check_last(MS, Duration::MAX, 40, Duration::from_millis(1 << 39));
    check_last(MS, Duration::MAX, 1001, Duration::MAX);
    check_last(Duration::MAX, Duration::MAX, 2, Duration::MAX);
    check_last(Duration::ZERO, SECOND, 1001, Duration::ZERO);
    check_last(2 * SECOND, SECOND, 1, SECOND);
}

#[test]
fn rl_03_a_few_attempts_are_fast() {
    let limiter = ItemFastSlow::new(5 * MS, 10 * SECOND, 3);
    check(&limiter, "one", &[5 * MS, 5 * MS, 5 * MS, 10 * SECOND, 10 * SECOND]);
    assert_eq!(limiter.num_requeues(&"one"), 5);
    check(&limiter, "two", &[5 * MS, 5 * MS]);
    assert_eq!(limiter.num_requeues(&"two"), 2);
    limiter.forget(&"one");
    assert_eq!(limiter.num_requeues(&"one"), 0);
    check(&limiter, "one", &[5 * MS]);
}

#[test]
fn rl_04_the_strictest_limiter_counts() {
    let (fast_slow, exponential) = (ItemFastSlow::new(5 * MS, 3 * SECOND, 3), ItemExponentialFailure::new(MS, SECOND));
    let limiter = MaxOf::new(vec![Rc::new(fast_slow), Rc::new(exponential)]);
    check(&limiter, "one", &[5 * MS, 5 * MS, 5 * MS, 3 * SECOND, 3 * SECOND]);
    assert_eq!(limiter.num_requeues(&"one"), 5);
    check(&limiter, "two", &[5 * MS, 5 * MS]);
    limiter.forget(&"one");
    assert_eq!((limiter.num_requeues(&"one"), limiter.num_requeues(&"two")), (0, 2));
    check(&limiter, "one", &[5 * MS]);
    check(&MaxOf::new(Vec::new()), "one", &[Duration::ZERO]);
}

#[test]
fn rl_04_every_limiter_is_asked_even_if_another_is_stricter() {
    let bucket = Rc::new(Bucket::new(10.0, 1));
    let limiter: MaxOf<&str> = MaxOf::new(vec![Rc::new(ItemFastSlow::new(SECOND, SECOND, 1)), Rc::clone(&bucket) as _]);
    check(&limiter, "one", &[SECOND, SECOND]);
    // Both calls took a token.
    check(&*bucket, "two", &[200 * MS]);
}

#[test]
fn rl_05_no_wait_is_longer_than_the_longest() {
    let limiter = WithMaxWait::new(Rc::new(ItemFastSlow::new(5 * MS, 100 * SECOND, 3)), 10 * SECOND);
    check(&limiter, "one", &[5 * MS, 5 * MS, 5 * MS, 10 * SECOND, 10 * SECOND]);
    assert_eq!(limiter.num_requeues(&"one"), 5);
    limiter.forget(&"one");
    assert_eq!(limiter.num_requeues(&"one"), 0);
    check(&limiter, "one", &[5 * MS]);
}

#[test]
fn rl_07_one_bucket_serves_all() {
    let limiter = Bucket::new(10.0, 100);
    for _ in 0..100 {
        check(&limiter, "one", &[Duration::ZERO]);
    }
    check(&limiter, "two", &[100 * MS]);
    check(&limiter, "three", &[200 * MS]);
    RateLimiter::<&str>::forget(&limiter, &"one");
    assert_eq!(RateLimiter::<&str>::num_requeues(&limiter, &"one"), 0);
    // Half a second makes five tokens, and two of them are reserved.
    let later = Instant::ORIGIN + 500 * MS;
    let waits: Vec<Duration> = (0..5).map(|_| limiter.when(&"four", later)).collect();
    assert_eq!(waits, [Duration::ZERO, Duration::ZERO, Duration::ZERO, 100 * MS, 200 * MS]);
}

#[test]
fn rl_08_the_defaults_are_client_gos() {
    let limiter = ItemExponentialFailure::new(5 * MS, 1000 * SECOND);
    for attempt in 0..18 {
        check(&limiter, "one", &[5 * MS * 2u32.pow(attempt)]);
    }
    assert_eq!(5 * MS * 2u32.pow(17), Duration::from_millis(655_360));
    check(&limiter, "one", &[1000 * SECOND, 1000 * SECOND]);

    check(&*default_item_based(), "one", &[MS, 2 * MS]);
    let limiter = default_controller();
    let names: Vec<String> = (0..102).map(|number| number.to_string()).collect();
    let waits: Vec<Duration> = names.iter().map(|name| limiter.when(name, Instant::ORIGIN)).collect();
    assert!(waits[..100].iter().all(|wait| *wait == 5 * MS));
    assert_eq!(waits[100..], [100 * MS, 200 * MS]);
    assert_eq!(limiter.num_requeues(&names[0]), 1);
}
