use std::{collections::BTreeMap, rc::Rc};

use masthead::cache::ObjectKey;

use super::{Grid, Shown};
use crate::model::table::{
    cell::{Cell, Tone},
    fixture::row,
    row::Row,
    sort::Field,
};

const COUNT: Field = Field::Cell(1);

/// A row whose second cell is a number; `life` tells objects of one name apart.
fn counted(key: &str, count: i64, life: u32) -> Row {
    let cells = Box::new([Cell::Text(key.into()), Cell::Count(count)]);
    Row { cells, uid: format!("{key}-{life}").into(), ..row(key, "", Tone::Quiet) }
}

fn key(text: &str) -> ObjectKey {
    text.parse().expect("a key")
}

fn put(grid: &mut Grid, name: &str, count: i64) {
    grid.put(key(name), Shown::Made(Rc::new(counted(name, count, 0))));
}

fn names(grid: &Grid) -> String {
    let name = |id: &u32| grid.key(*id).map(ObjectKey::to_string).unwrap_or_default();
    grid.shown().iter().map(name).collect::<Vec<_>>().join(" ")
}

fn filled() -> Grid {
    let mut grid = Grid::default();
    [("b/x", 3), ("a/z", 1), ("a/y", 3), ("c/w", 2)].iter().for_each(|(name, count)| put(&mut grid, name, *count));
    grid.flush(0);
    grid
}

#[test]
fn rows_are_in_the_order_of_names_until_told_otherwise() {
    let mut grid = filled();
    assert_eq!(names(&grid), "a/y a/z b/x c/w");
    grid.sort(Some((COUNT, false)));
    assert_eq!(names(&grid), "a/z c/w a/y b/x");
    grid.sort(Some((COUNT, true)));
    assert_eq!(names(&grid), "a/y b/x c/w a/z", "equal rows stay in the order of names");
    grid.sort(None);
    assert_eq!(names(&grid), "a/y a/z b/x c/w");
}

#[test]
fn a_change_moves_one_row_and_a_flush_without_one_does_nothing() {
    let mut grid = filled();
    grid.sort(Some((COUNT, false)));
    assert_eq!(grid.flush(0), super::Flushed::default());
    put(&mut grid, "c/w", 9);
    assert_eq!(names(&grid), "a/z c/w a/y b/x", "not before the flush");
    let flushed = grid.flush(0);
    assert!(flushed.moved);
    assert_eq!(names(&grid), "a/z a/y b/x c/w");
    grid.sort(None);
    put(&mut grid, "c/w", 0);
    let flushed = grid.flush(0);
    assert!(!flushed.moved, "the order of names does not change with a cell");
    assert_eq!(flushed.changed, [grid.find(&key("c/w")).expect("a row")]);
}

#[test]
fn a_filter_is_tried_in_pieces_and_the_first_rows_are_right_at_once() {
    let mut grid = filled();
    grid.sort(Some((COUNT, true)));
    grid.filter(Some(Box::new(|row, _| row.cells[1] != Cell::Count(2))));
    assert_eq!(names(&grid), "");
    assert!(!grid.scan(2, 0));
    assert_eq!(names(&grid), "a/y b/x");
    put(&mut grid, "d/v", 5);
    grid.flush(0);
    assert!(!grid.scan(0, 0));
    assert_eq!(names(&grid), "d/v a/y b/x", "what was tried before is not tried again");
    assert!(grid.scan(100, 0));
    assert_eq!(names(&grid), "d/v a/y b/x a/z");
    put(&mut grid, "c/w", 3);
    put(&mut grid, "a/y", 2);
    grid.flush(0);
    assert_eq!(names(&grid), "d/v b/x c/w a/z");
    grid.filter(None);
    assert!(grid.scan(100, 0));
    assert_eq!(grid.shown().len(), 5);
}

/// A filter may be dear, and thousands of rows come at once.
#[test]
fn a_flush_tries_the_filter_on_no_more_rows_than_it_may() {
    let mut grid = filled();
    let tried = Rc::new(std::cell::Cell::new(0));
    let counter = Rc::clone(&tried);
    grid.filter(Some(Box::new(move |row, _| {
        counter.set(counter.get() + 1);
        row.cells[1] != Cell::Count(2)
    })));
    assert!(grid.scan(100, 0));
    grid.try_in_flush(2);
    tried.set(0);
    put(&mut grid, "d/a", 2);
    put(&mut grid, "d/b", 5);
    grid.flush(0);
    assert_eq!((tried.take(), names(&grid).as_str()), (2, "a/y a/z b/x d/b"));
    put(&mut grid, "a/y", 2);
    put(&mut grid, "c/w", 7);
    grid.remove(&key("b/x"));
    assert!(grid.flush(0).moved);
    assert_eq!(tried.get(), 0, "they wait for the scan");
    assert!(!grid.scan(1, 0));
    assert!(grid.scan(1, 0));
    assert_eq!((tried.take(), names(&grid).as_str()), (2, "a/z c/w d/b"));
}

#[test]
fn a_filter_that_asks_for_the_time_is_tried_again() {
    let mut grid = filled();
    // Shown until its number is reached.
    grid.filter(Some(Box::new(|row, now| matches!(row.cells[1], Cell::Count(count) if count > now))));
    assert!(grid.scan(100, 0));
    assert_eq!(names(&grid), "a/y a/z b/x c/w");
    assert_eq!(grid.recheck(0, 2, 2), Some(2));
    assert_eq!(grid.recheck(2, 2, 2), None);
    assert_eq!(names(&grid), "a/y a/z b/x c/w", "not before the flush");
    assert!(grid.flush(2).moved);
    assert_eq!(names(&grid), "a/y b/x");
    assert_eq!(grid.recheck(0, 100, 0), None);
    grid.flush(0);
    assert_eq!(names(&grid), "a/y a/z b/x c/w");
    grid.recheck(0, 100, 0);
    assert!(!grid.is_dirty(), "nothing is marked that stays as it is");
}

#[test]
fn a_name_that_is_given_again_is_another_row() {
    let mut grid = filled();
    let before = grid.find(&key("a/y")).expect("a row");
    grid.put(key("a/y"), Shown::Made(Rc::new(counted("a/y", 8, 1))));
    let after = grid.find(&key("a/y")).expect("a row");
    assert_ne!(before, after);
    grid.flush(0);
    assert_eq!(names(&grid), "a/y a/z b/x c/w");
    assert!(grid.get(before).is_none());
    assert_eq!(grid.position(after), Some(0));
}

#[test]
fn a_row_that_comes_and_goes_between_two_frames_is_never_shown() {
    let mut grid = filled();
    put(&mut grid, "a/new", 1);
    grid.remove(&key("a/new"));
    grid.remove(&key("b/x"));
    let flushed = grid.flush(0);
    assert!(flushed.moved);
    assert_eq!(names(&grid), "a/y a/z c/w");
    assert_eq!(grid.total(), 3);
}

/// Whatever happens in whatever pieces, the grid is what sorting and filtering everything at once would give.
#[test]
fn any_history_ends_in_the_order_that_sorting_everything_gives() {
    let mut chance = 12_345_u64;
    let mut next = |below: u64| {
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (chance >> 33) % below
    };
    let mut grid = Grid::default();
    let mut truth: BTreeMap<String, i64> = BTreeMap::new();
    let (mut order, mut least) = (None, None::<i64>);
    for step in 0..4000 {
        let name = format!("{}/{}", ["a", "b"][next(2) as usize], next(40));
        match next(20) {
            0 => {
                order =
                    [None, Some((COUNT, false)), Some((COUNT, true)), Some((Field::Cell(0), true))][next(4) as usize];
                grid.sort(order);
            }
            1 => {
                least = [None, Some(next(9) as i64)][next(2) as usize];
                grid.filter(least.map(|least| -> super::Predicate {
                    Box::new(move |row, _| !matches!(row.cells[1], Cell::Count(count) if count < least))
                }));
            }
            2..8 => {
                truth.remove(&name);
                grid.remove(&key(&name));
            }
            _ => {
                let count = next(9) as i64;
                truth.insert(name.clone(), count);
                grid.put(key(&name), Shown::Made(Rc::new(counted(&name, count, step % 3))));
            }
        }
        if next(3) == 0 {
            grid.try_in_flush(next(9) as usize);
            grid.flush(0);
        }
        grid.scan(next(30) as usize, 0);
        if next(10) == 0 {
            grid.flush(0);
            while !grid.scan(7, 0) {}
            let mut rows: Vec<(&String, &i64)> =
                truth.iter().filter(|(_, count)| least.is_none_or(|least| **count >= least)).collect();
            rows.sort_by_key(|(name, _)| key(name));
            match order {
                Some((COUNT, false)) => rows.sort_by_key(|(_, count)| **count),
                Some((COUNT, true)) => rows.sort_by_key(|(_, count)| std::cmp::Reverse(**count)),
                Some(_) => rows.sort_by(|(one, _), (other, _)| other.cmp(one)),
                None => {}
            }
            let expected: Vec<&str> = rows.iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(names(&grid), expected.join(" "), "after step {step}");
            for (at, id) in grid.shown().iter().enumerate() {
                assert_eq!(grid.position(*id), Some(at));
            }
            assert_eq!(grid.total(), truth.len());
        }
    }
}
