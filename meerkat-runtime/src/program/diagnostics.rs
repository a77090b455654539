//! NVRTC's messages as rustc shows its own.

use std::fmt::Write;

/// `file.rs(12): error: text` becomes `error: text` above `--> file.rs:12`; the
/// lines in between, which show the place, stay.
pub(crate) fn as_rustc_shows(log: &str) -> String {
    let mut shown = String::new();
    for line in log.lines() {
        match parts(line) {
            Some((file, number, message)) => {
                let _ = writeln!(shown, "{message}\n  --> {file}:{number}");
            }
            None if line.trim().is_empty() => {}
            None => {
                let _ = writeln!(shown, "   | {line}");
            }
        }
    }
    shown
}

/// The file, the line and the message of a diagnostic's first line.
fn parts(line: &str) -> Option<(&str, u32, &str)> {
    let (place, message) = line.split_once("): ")?;
    let (file, number) = place.rsplit_once('(')?;
    let known = ["error", "warning", "catastrophic error", "remark"];
    let is_message = known.iter().any(|kind| message.starts_with(kind));
    Some((file, number.parse().ok()?, message)).filter(|_| is_message)
}

#[cfg(test)]
mod tests {
    use super::as_rustc_shows;

    #[test]
    fn a_log_of_one_error_points_at_the_rust_line() {
        let log = "src/bfs.rs(12): error: identifier \"lvels\" is undefined\n      x = lvels;\n\n";
        let shown = as_rustc_shows(log);
        let expected = "error: identifier \"lvels\" is undefined\n  --> src/bfs.rs:12\n   |       \
                        x = lvels;\n";
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_line_that_is_no_message_stays_as_it_is() {
        assert_eq!(as_rustc_shows("1 error detected\n"), "   | 1 error detected\n");
    }
}
