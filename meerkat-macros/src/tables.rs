//! Rules in a line each: what is refused beside `tests/ui`, and what a statement
//! becomes in CUDA.

use crate::expand::Compiled;
use crate::ir::FunctionKind;
use crate::operator::Schedule;

/// What is said of a function; its CUDA where nothing is.
fn compile(kind: FunctionKind, schedule: Schedule, source: &str) -> Result<String, Vec<String>> {
    let item: syn::ItemFn = syn::parse_str(source).expect(source);
    let Compiled { checked, others, .. } =
        crate::checked(kind, &quote::quote!(), &item).map_err(texts)?;
    let checked = match others.into_iter().find(|other| other.schedule == schedule) {
        Some(other) => other.checked.map_err(texts)?,
        None => checked,
    };
    Ok(crate::tests::text(&checked))
}

fn texts(error: syn::Error) -> Vec<String> {
    error.into_iter().map(|error| error.to_string()).collect()
}

fn expansion(kind: FunctionKind, source: &str) -> String {
    let item = syn::parse_str(source).expect(source);
    let compiled = crate::checked(kind, &quote::quote!(), &item).expect(source);
    crate::expand::expand(&compiled, &item).to_string()
}

/// The message says what was written, not another assignment.
#[test]
fn an_assignment_to_an_atomic_is_told_by_its_own_sign() {
    for sign in ["=", "-=", "|="] {
        let source = format!("fn f(x: &[Atomic<u32>]) {{ x[0] {sign} 1; }}");
        let reported = compile(FunctionKind::Kernel, Schedule::Warp, &source).expect_err(&source);
        let wanted = format!("a plain `{sign}` would be a race");
        assert!(reported.len() == 1 && reported[0].contains(&wanted), "{reported:?}");
    }
}

/// Names that are no word of the language, and a type of that name is the user's own.
#[test]
fn a_struct_may_be_called_device_and_a_constant_lie_in_ordering() {
    let source = "fn f(all: &[Device], out: &mut [u32]) {
        let i = thread_id();
        out[i] = all[i].load + Ordering::NEAR;
    }";
    assert!(compile(FunctionKind::Kernel, Schedule::Warp, source).is_ok());
}

/// Words, names of arms and methods of numbers are known by their names alone, so rustc is
/// asked whether they are what they look like.
#[test]
fn rustc_is_asked_what_names_mean() {
    let text = expansion(
        FunctionKind::Kernel,
        "fn f(out: &mut [u32]) { let i = thread_id(); out[i] = match i { 3 => 1, n => n.min(4) }; }",
    );
    let word = "word_of_the_language (:: meerkat_runtime :: scalar :: thread_id , thread_id)";
    for part in [word, "n @ _ =>", ":: typed :: number ({"] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

/// A kernel of these statements, over what they may need.
fn kernel(statements: &str) -> Result<String, Vec<String>> {
    let source = format!(
        "fn k(n: u32, x: &[u32], c: &[Atomic<u32>], b: &[u8], w: &[i16], s: &[i32], \
         l: &[i64], f: &[f32], graph: &Graph, next: &Frontier<Edge<u32>>, out: &mut [u32]) \
         {{ let me = thread_id(); {statements} }}"
    );
    compile(FunctionKind::Kernel, Schedule::Warp, &source)
}

fn operator(statements: &str) -> Result<String, Vec<String>> {
    let source = format!("fn o(v: Vertex, graph: &Graph, x: &[u32]) {{ {statements} }}");
    compile(FunctionKind::VertexOperator, Schedule::Warp, &source)
}

#[track_caller]
fn refused(found: Result<String, Vec<String>>, source: &str, expected: &str) {
    let errors = found.expect_err(source);
    let said = errors.iter().any(|error| error.lines().next() == Some(expected));
    assert!(said, "{source}\n{errors:#?}\nnot {expected:?}");
    assert!(errors.iter().all(|error| error.contains("\nhelp: ")), "{errors:#?}");
}

#[test]
fn statements_that_are_refused_in_kernels() {
    let table = [
        ("x[me] + 1 = 3;", "this is a value, not a place to assign to"),
        ("graph.vertices = 3;", "`graph` is shared by all lanes and cannot be assigned"),
        ("let y = 1u32; y = 2;", "`y` is not mutable"),
        (
            "let q = warp_ballot(true); let d = warp_dequeue(&mut q);",
            "`warp_dequeue` changes its argument, which is not mutable",
        ),
        ("let d = warp_dequeue(&mut x[0]);", "`warp_dequeue` takes `&mut` of a variable"),
        ("let y = (x)(3);", "a computed function is not supported in a kernel"),
        ("let y = f32::powi(1.0, 2);", "the method `powi` is not supported in a kernel"),
        ("let y = u32::min(1u32);", "`min` takes 2 arguments, found 1"),
        ("let y = warp_ballot();", "`warp_ballot` takes 1 argument, found 0"),
        ("let y = tile::<8>().sort(me);", "`sort` of a tile is not supported in a kernel"),
        ("let y = tile::<3>().ballot(true);", "not the size of a tile"),
        ("let y = tile().ballot(true);", "the size of the tile is missing"),
        ("let y = [0u32; 65];", "an array of this length is not supported in a kernel"),
        ("let y = 3usize;", "`usize` has no fixed size in device code"),
        (
            "let y = Edge::<u32> { src: 1, ..e };",
            "`..` in a struct literal is not supported in a kernel",
        ),
        ("for (a, b) in 0..3 {}", "this pattern in `for` is not supported in a kernel"),
        ("for mut a in 0..3 {}", "this pattern in `for` is not supported in a kernel"),
        ("let y = 1u32 else { return };", "`let ... else` is not supported in a kernel"),
        ("break;", "there is no loop here to leave or continue"),
        ("'a: loop { break 'b; }", "there is no loop here to leave or continue"),
        (
            "let y = out[me]; let z = warp_broadcast(1u32, y);",
            "this argument of `warp_broadcast` must be the same in all lanes of the warp, but `y` \
          differs from lane to lane",
        ),
        (
            "let mut q = warp_ballot(true); if me > 3 { let d = unsafe { warp_dequeue(&mut q) }; } \
          if q == 0 { let r = warp_ballot(true); }",
            "`warp_ballot` needs all 32 lanes, but lanes may diverge here",
        ),
        (
            "let big = 1u32 + if me > 1 { let y = 1u32; y } else { 2 };",
            "control flow in the middle of an expression",
        ),
        ("let y = 1u32 + { 2 };", "control flow in the middle of an expression"),
        (
            "let choice = if n > 3 { 1u32 } else { me }; if choice > 1 { let r = warp_any(true); }",
            "`warp_any` needs all 32 lanes, but lanes may diverge here",
        ),
        // The inner loop's lanes leave it apart, for the loop around it.
        (
            "'a: for i in 0..n { for j in 0..n { if me > j { continue 'a; } let r = warp_any(true); } }",
            "`warp_any` needs all 32 lanes, but lanes may diverge here",
        ),
        (
            "if me > 3 { warp_barrier(); }",
            "`warp_barrier` needs all 32 lanes, but lanes may diverge here",
        ),
    ];
    for (source, expected) in table {
        refused(kernel(source), source, expected);
    }
}

#[test]
fn statements_that_are_refused_in_operators() {
    let table = [
        ("for_each_neighbor(graph, v, true, x);", "`for_each_neighbor` ends with a closure"),
        ("for_each_neighbor(graph, v, true, |(a, b)| {});", "a pattern as closure parameter"),
        ("for_each_neighbor(graph, v, true, || {});", "the closure takes the neighbour"),
        (
            "for_each_neighbor(graph, v, true, |a, b, c| {});",
            "the closure takes at most two parameters",
        ),
        (
            "for i in 0..4 { for_each_neighbor(graph, v, true, |u| {}); if x[v] == 1 { break; } }",
            LEFT,
        ),
        (
            "'out: for i in 0..4 { for_each_neighbor(graph, v, true, |u| {}); \
             if x[v] == 1 { loop { break 'out; } } }",
            LEFT,
        ),
    ];
    for (source, expected) in table {
        refused(operator(source), source, expected);
    }
}

const LEFT: &str = "a collective inside a loop that some lanes leave early: all lanes must reach it \
                    equally often";

#[test]
fn a_loop_of_their_own_is_left_by_lanes_as_they_like() {
    let source = "for i in 0..4 { for_each_neighbor(graph, v, true, |u| {}); \
                  if x[v] == 1 { let mut j = x[v]; while true { j += 1; if j > 9 { break; } } } }";
    operator(source).expect(source);
}

#[test]
fn signatures_that_are_refused() {
    let table = [
        ("fn k(mut n: u32) {}", "the parameter `n` is shared by all lanes of the launch"),
        ("fn k(x: [u32]) {}", "a slice by value is not supported in a kernel"),
        ("fn k(x: *const u32) {}", "a raw pointer is not supported in a kernel"),
    ];
    for (source, expected) in table {
        refused(compile(FunctionKind::Kernel, Schedule::Warp, source), source, expected);
    }
}

#[test]
fn a_collective_of_the_closure_needs_the_schedule_of_the_warp() {
    let source = "fn o(v: Vertex, graph: &Graph, x: &[u32]) \
                  { for_each_neighbor(graph, v, true, |u| { let some = warp_any(x[u] > 3); }); }";
    let kind = FunctionKind::VertexOperator;
    assert!(compile(kind, Schedule::Warp, source).is_ok());
    let expected = "this collective needs the whole warp at one vertex";
    for schedule in Schedule::ALL.iter().filter(|schedule| schedule.group() < 32) {
        refused(compile(kind, *schedule, source), source, expected);
    }
}

#[test]
fn accepted_as_uniform() {
    let table = [
        // A name in small letters is a binding, one in capitals a constant.
        "match n { LIMIT => {} limit => { let r = warp_any(limit > 1); } }",
        "let small = if n > 3 { 1u32 } else { 2 }; if small > 1 { let r = warp_any(true); }",
    ];
    for source in table {
        assert!(kernel(source).is_ok(), "{source}\n{:?}", kernel(source));
    }
}

#[test]
fn statements_in_cuda() {
    let table = [
        ("let y = b[me] & 3;", "const u8 y = bit_and(b⟦me⟧, u8(3));"),
        ("let y = b[me] | 3;", "const u8 y = bit_or(b⟦me⟧, u8(3));"),
        ("let y = b[me] ^ 3;", "const u8 y = bit_xor(b⟦me⟧, u8(3));"),
        ("match n { LIMIT => {} _ => {} }", "if (n == LIMIT) {"),
        ("let y = 1; let _: u64 = y;", "const u64 ignored = y;"),
        ("let y = me << 3;", "const u32 y = me << 3u;"),
        ("let y = me >> 3;", "const u32 y = me >> 3u;"),
        ("let y = me >> n;", "const u32 y = wrapping_shr(me, n);"),
        ("let y = me << 32;", "const u32 y = wrapping_shl(me, 32u);"),
        ("let y = !b[me];", "const u8 y = bit_not(b⟦me⟧);"),
        ("let y = !me;", "const u32 y = ~me;"),
        ("let y = -s[me];", "const i32 y = wrapping_neg(s⟦me⟧);"),
        ("let y = -f[me];", "const f32 y = -f⟦me⟧;"),
        ("let y = -(-f[me]);", "const f32 y = -(-f⟦me⟧);"),
        ("let y = -2147483648i32;", "const i32 y = (-2147483647 - 1);"),
        ("let y = -9223372036854775808i64;", "const i64 y = (-9223372036854775807ll - 1);"),
        ("let y = 3 + half(me);", "const w0 y = wrapping_add(w1(3), half(me));"),
        ("let y = if me > 3 { let a = half(me); a } else { half(n) };", "w0 y;"),
        (
            "let i_end = n; for i in 0..(n + 1) { let i_more = i; }",
            "for (u32 i = 0u, i_end_2 = n + 1u; i < i_end_2; ++i) {",
        ),
        (
            "let x_more = 1u32; let e = 1u32; for i in 0..=n {}",
            "for (u32 i = 0u, i_end = n, i_more = i <= i_end; i_more; i_more = i != i_end, ++i) {",
        ),
        (
            "let mut e = Edge::<u32> { src: 0, dst: 0, weight: 0 }; e.src = 3; let y = e.weight << 2;",
            "const u32 y = e.weight << 2u;",
        ),
        ("let mut y = me; y <<= 3;", "y <<= 3u;"),
        ("n as u8;", "(void)u8(n);"),
        (
            "let y = ((me > 3) | true, n);",
            "const Tuple<bool, u32> y = tuple(bool(me > 3u | true), n);",
        ),
        (
            "let y = me << (half(me) - 1);",
            "const u32 y = wrapping_shl(me, wrapping_sub(half(me), w1(1)));",
        ),
        ("let mut y = s[me]; y <<= 3;", "y = wrapping_shl(y, 3u);"),
    ];
    for (source, expected) in table {
        let text = kernel(source).expect(source);
        assert!(text.lines().any(|line| line.trim() == expected), "{source}\n{text}");
    }
}

#[test]
fn operators_in_cuda() {
    let table = [
        // The vertex is read by the lanes that have an item.
        ("for_each_neighbor(graph, x[v], true, |u| {});", "u32 visited;"),
        (
            "let mut best = 1.0f32; \
             for_each_neighbor(graph, v, true, |u| best = best.min(x[u] as f32));",
            "f32 best_part = Limits<f32>::NAN;",
        ),
        // What a field is, only rustc knows; the lanes that walk read the owner's.
        (
            "let e = pick(v); let mut sum = 0u32; \
             for_each_neighbor(graph, v, true, |u| sum += e.level);",
            "const w5 e_level = warp_broadcast(e.level, owner);",
        ),
    ];
    for (source, expected) in table {
        let text = operator(source).expect(source);
        assert!(text.lines().any(|line| line.trim() == expected), "{source}\n{text}");
    }
}

#[test]
fn a_loop_inside_one_that_is_left_apart_is_masked_too() {
    let source = "fn k(n: u32, x: &[Atomic<u32>]) { \
                  'a: for i in 0..n { x[0].store(i); if lane_id() > 3 { loop { continue 'a; } } } }";
    let expansion = expansion(FunctionKind::Kernel, source);
    assert!(expansion.contains("__live2"), "{expansion}");
}

#[test]
fn lanes_run_alone_in_loops_that_only_look() {
    let table = [
        ("s += x[i].load();", true),
        ("x[i].store(s);", false),
        ("s += x[i].fetch_add(1);", false),
        ("s += f(x, i);", false),
        // Given a number, a function has nothing to write to.
        ("s += f(i);", true),
        ("if s > 9 { break; }", true),
        ("memory_fence();", false),
    ];
    for (body, is_alone) in table {
        let source = format!(
            "fn k(n: u32, x: &[Atomic<u32>]) {{ \
             let mut s = 0u32; for i in 0..lane_id() {{ s += 1; {body} }} x[0].fetch_add(s); }}"
        );
        let expansion = expansion(FunctionKind::Kernel, &source);
        assert_eq!(!expansion.contains("__live1"), is_alone, "{source}");
    }
    let returns = "fn f(n: u32) -> u32 { \
                   let mut s = 0u32; for i in 0..lane_id() { s += i; if s > n { return s; } } s }";
    assert!(expansion(FunctionKind::Device, returns).contains("__live1"), "{returns}");
}

#[test]
fn a_function_says_how_many_lanes_it_waits_for() {
    for (body, group) in [("warp_any(x)", 32), ("tile::<8>().any(x)", 8), ("!x", 0)] {
        let source = format!("fn f(x: bool) -> bool {{ {body} }}");
        let expansion = expansion(FunctionKind::Device, &source);
        let own = format!("let mut __group : u32 = {group}u32");
        assert!(expansion.contains(&own), "{source}");
    }
}

/// A bit for tiles, one for larger groups.
#[test]
fn a_function_says_which_groups_it_leaves_apart() {
    let table = [
        ("let y = c[0].fetch_add_aggregated(1);", 1),
        ("let y = c[0].fetch_add(1);", 0),
        ("let y = tile::<8>().any(me > 3);", 1),
        ("c[0].fetch_add_aggregated(1); let y = warp_any(me > 3);", 3),
    ];
    for (body, groups) in table {
        let source = format!("fn k(me: u32, c: &[Atomic<u32>]) {{ {body} }}");
        let expansion = expansion(FunctionKind::Kernel, &source);
        assert!(expansion.contains(&format!("groups : {groups}u32")), "{source}\n{expansion}");
    }
}

#[test]
fn functions_in_cuda() {
    let table = [
        ("fn f(mut x: u32) -> u32 { x += 1; x }", "__device__ __forceinline__ u32 f(u32 x) {"),
        // The run time's names keep clear of C++'s words.
        ("fn new(x: u32) -> u32 { x }", "__device__ __forceinline__ u32 new(const u32 x) {"),
    ];
    for (source, expected) in table {
        let text = compile(FunctionKind::Device, Schedule::Warp, source).expect(source);
        assert_eq!(text.lines().next(), Some(expected));
    }
}

#[test]
fn operands_in_order() {
    let table = [
        // The value comes before an index that changes what it reads.
        (
            "c[x[me] & 0].store(1); out[me] = c[0].load() + 1; let mut a = [0u32; 4]; \
          a[c[0].fetch_add(1) & 3] = c[0].load();",
            "const u32 first = c⟦0u⟧.load();",
        ),
        // An `else` has room for its own.
        (
            "let y = if me > 3 { 1u32 } else if c[0].load() < c[0].fetch_add(1) { 2 } else { 3 };",
            "const u32 first = c⟦0u⟧.load();",
        ),
        // A queue is read before it loses a lane, and after.
        (
            "let mut q = warp_ballot(true); let y = q + warp_dequeue(&mut q);",
            "const u32 first = q;",
        ),
        (
            "let mut q = warp_ballot(true); let y = warp_dequeue(&mut q) + q;",
            "const u32 first = warp_dequeue(q);",
        ),
        ("let y = c[0].fetch_add(1) + c[0].load();", "const u32 first = c⟦0u⟧.fetch_add(1u);"),
        (
            "let mut q = warp_ballot(true); let y = x[me] + warp_dequeue(&mut q);",
            "const u32 y = x⟦me⟧ + warp_dequeue(q);",
        ),
    ];
    for (source, expected) in table {
        let text = kernel(source).expect(source);
        assert!(text.lines().any(|line| line.trim() == expected), "{source}\n{text}");
    }
}
