//! Columns of times in files.

use super::super::{ReadError, ReadOptions, TimeScale, TimeUnit};
use super::{Folder, graph, read_as, records};

/// SNAP's soc-sign-bitcoinotc has such times, and was refused.
#[test]
fn times_with_fractions_are_whole_numbers_of_a_part_of_a_second() {
    let file =
        graph("g.csv", "6,2,4,1289241911.72836\n6,5,2,1289241941.53378\n1,15,1,1289243140\n");
    assert_eq!(file.time_scale, TimeScale { unit: TimeUnit::Seconds, ticks_per_unit: 1_000_000 });
    let times = [1_289_241_911_728_360, 1_289_241_941_533_780, 1_289_243_140_000_000];
    assert_eq!(file.times, Some(times.to_vec()));
}

#[test]
fn dates_are_times() {
    let text = "source,target,date\n1,2,1970-01-01T00:01:00Z\n2,3,1970-01-02\n";
    assert_eq!(graph("g.csv", text).times, Some(vec![60, 86_400]));
    let spaced = "source,target,date\n1,2,1970-01-01 00:01:00.5\n";
    assert_eq!(graph("g.csv", spaced).times, Some(vec![60_500]));
}

#[test]
fn the_unit_is_the_callers() {
    let path = Folder::new();
    let path = path.add("g.txt", "1 2 1500\n");
    let options = ReadOptions { time_unit: Some(TimeUnit::Milliseconds), ..Default::default() };
    let file = options.read(&path, &mut |_| {}).expect("a graph");
    assert_eq!((file.times, file.time_scale.ticks(60)), (Some(vec![1_500]), 60_000));
}

/// A time that could not be read refused the file for searches, too.
#[test]
fn times_that_are_not_read_refuse_no_file() {
    let folder = Folder::new();
    let path = folder.add("g.txt", "1 2 yesterday\n2 3 today\n");
    let options = ReadOptions { skip_times: true, ..ReadOptions::default() };
    let file = options.read(&path, &mut |_| {}).expect("a graph");
    assert_eq!((records(&file), &file.times), (vec![(1, 2), (2, 3)], &None));
    assert_eq!(file.columns.to_string(), "source,target,time");
}

#[test]
fn times_beyond_64_bits_are_refused_with_their_line() {
    for text in ["1 2 99999999999999999999\n", "1 2 9223372036854775807\n1 2 0.5\n"] {
        let error = read_as("g.txt", text).expect_err("too large");
        assert!(matches!(error, ReadError::TimeTooLarge { .. }), "{error:?}");
        assert_eq!(error.place().line, Some(text.lines().count() as u64), "{error}");
    }
}
