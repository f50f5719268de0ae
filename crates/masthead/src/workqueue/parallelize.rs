//! Runs many pieces of work with a bounded number of workers: client-go's `ParallelizeUntil`.

use std::cell::Cell;

use futures::{StreamExt, stream::FuturesUnordered};

/// Calls `work` once for each of `0..pieces`, at most `workers` at a time, and completes when all calls have.
///
/// A worker takes `chunk` consecutive pieces, processes them in order, and takes the next chunk. Zero workers or a
/// chunk size of zero count as one. Dropping the future cancels all work, which replaces client-go's context.
///
/// ```
/// use std::cell::RefCell;
/// use masthead::{runtime::VirtualTime, workqueue::parallelize};
///
/// let done = RefCell::new(Vec::new());
/// VirtualTime::new().run(parallelize(2, 5, 2, async |piece| done.borrow_mut().push(piece)));
/// done.borrow_mut().sort();
/// assert_eq!(*done.borrow(), [0, 1, 2, 3, 4]);
/// ```
pub async fn parallelize(workers: usize, pieces: usize, chunk: usize, work: impl AsyncFn(usize)) {
    let chunk = chunk.max(1);
    let (chunks, next) = (pieces.div_ceil(chunk), Cell::new(0));
    let worker = async || {
        while next.get() < chunks {
            let first = next.replace(next.get() + 1) * chunk;
            for piece in first..first.saturating_add(chunk).min(pieces) {
                work(piece).await;
            }
        }
    };
    let workers: FuturesUnordered<_> = (0..workers.clamp(1, chunks.max(1))).map(|_| worker()).collect();
    workers.collect::<()>().await;
}

#[cfg(test)]
mod tests {
    use std::{cell::RefCell, time::Duration};

    use futures::FutureExt;

    use super::parallelize;
    use crate::runtime::VirtualTime;

    /// Returns the second in which each piece began. Each piece takes one second.
    fn begun(workers: usize, pieces: usize, chunk: usize) -> Vec<u64> {
        let (time, begun) = (VirtualTime::new(), RefCell::new(vec![u64::MAX; pieces]));
        let runtime = time.runtime();
        time.run(parallelize(workers, pieces, chunk, async |piece| {
            let now = (runtime.now() - crate::runtime::Instant::ORIGIN).as_secs();
            let before = std::mem::replace(&mut begun.borrow_mut()[piece], now);
            assert_eq!(before, u64::MAX, "{piece} is done twice");
            runtime.sleep(Duration::from_secs(1)).await;
        }));
        begun.into_inner()
    }

    #[test]
    fn every_piece_is_done_once_by_as_many_workers_as_there_are() {
        assert_eq!(begun(2, 5, 1), [0, 0, 1, 1, 2]);
        assert_eq!(begun(2, 5, 2), [0, 1, 0, 1, 2]);
        assert_eq!(begun(10, 3, 1), [0, 0, 0]);
        assert_eq!(begun(10, 3, 100), [0, 1, 2]);
        assert_eq!(begun(0, 2, 0), [0, 1]);
        assert_eq!(begun(4, 0, 3), [0; 0]);
        assert_eq!(begun(2, 3, usize::MAX), [0, 1, 2]);
    }

    #[test]
    fn dropping_it_ends_the_work() {
        let (time, begun) = (VirtualTime::new(), RefCell::new(0));
        let runtime = time.runtime();
        let mut work = Box::pin(parallelize(3, 10, 1, async |_| {
            *begun.borrow_mut() += 1;
            runtime.sleep(Duration::from_secs(1)).await;
        }));
        assert!(work.as_mut().now_or_never().is_none());
        drop(work);
        time.advance(Duration::from_secs(60));
        assert_eq!((*begun.borrow(), time.next_timer()), (3, None));
    }
}
