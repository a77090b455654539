use super::*;

/// A pool with a page of each class, none of which has a slab left; the last was asked for one more.
fn asked_in_vain(limit: u32) -> Result<Pool, Error> {
    let mut pool = Pool::new(&Device::cpu(), 10, limit)?;
    pool.map([1, 1, 1, 1], 0)?;
    let mut asked = pool.counters.read(0, EXHAUSTED as usize)?;
    for (class, slabs) in (0..CLASSES).map(|class| (class, pool.slabs_of_pages(class))) {
        let own = |of: usize| (class * COUNTERS as usize + of) * STRIDE as usize;
        let vain = u32::from(class + 1 == CLASSES);
        (0..COUNTERS as usize).for_each(|of| asked[own(of)] = slabs as u32 / COUNTERS + vain);
    }
    pool.counters.write(0, &asked)?;
    Ok(pool)
}

fn pages(pool: &Pool) -> [usize; CLASSES] {
    pool.table.each_ref().map(Vec::len)
}

#[test]
fn spare_slabs_of_each_size_are_mapped_if_there_is_room_for_them() -> Result<(), Error> {
    let mut pool = asked_in_vain(u32::MAX)?;
    pool.grow()?;
    assert_eq!(pages(&pool), [2, 2, 2, 2]);
    assert!(pool.slots()?.iter().all(|slots| slots.left() > 0));

    let mut pool = asked_in_vain(5 * PAGE)?;
    pool.grow()?;
    assert_eq!(pages(&pool), [1, 1, 1, 2]);
    let refused = asked_in_vain(4 * PAGE)?.grow().map_err(|error| error.is_about_room());
    assert_eq!(refused, Err(true));
    Ok(())
}

#[test]
fn rows_that_touch_are_joined_before_a_limit_is_met() -> Result<(), Error> {
    let mut pool = Pool::new(&Device::cpu(), 10, 64)?;
    let rows = pool.take_pairs(&[4; 16])?;
    rows.iter().step_by(2).for_each(|&first| pool.give_back_pairs(first, 4));
    let refused = pool.take_pairs(&[4, 8]).map_err(|error| error.is_about_room());
    assert_eq!(refused, Err(true));
    // Too few came since for a row to grow by the way.
    pool.give_back_pairs(rows[1], 4);
    assert_eq!(pool.take_pairs(&[12])?, [rows[0]]);
    let mut left = pool.unused_pairs();
    left.sort_unstable();
    let expected: Vec<_> = rows[4..].iter().step_by(2).map(|&first| (first, 4)).collect();
    assert_eq!(left, expected);
    Ok(())
}
