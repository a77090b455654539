//! The setters that a macro writes a struct literal with.

/// The calls `.with_x(a).with_y(b)` that a text begins with, and what follows them.
pub(super) fn setters(mut text: &str) -> Option<(Vec<(&str, &str)>, &str)> {
    let mut found = Vec::new();
    while let Some(call) = text.strip_prefix(".with_") {
        let open = call.find('(')?;
        let close = open + closing(&call[open..])?;
        found.push((&call[..open], &call[open + 1..close]));
        text = &call[close + 1..];
    }
    Some((found, text))
}

/// Where the parenthesis closes that a text begins with.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}
