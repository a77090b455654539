"""What becomes of an operator: docs/ARCHITECTURE.md, *The path of a kernel*."""

from pictures.svg import Picture


def draw():
    picture = Picture(
        760, 560, "The path of an operator",
        "While cargo builds, an operator is parsed into a syntax tree, lowered to one plain kernel "
        "for each schedule, and checked. From the checked kernel two writers make CUDA C++ text "
        "and native Rust. At run time, launch chooses a schedule. On a GPU, NVRTC compiles the "
        "text once and the driver queues the kernel; on a CPU, the cores run its warps in lock "
        "step. The result is in device memory, and to_vec copies it to the host.")
    picture.box(14, 14, 732, 262, "band", 8)
    picture.write(28, 36, "cargo build: meerkat-macros", "note")
    stages = [
        ("grey", "your function", ["#[vertex_operator]", "fn visit(v, graph, ..)"]),
        ("blue", "ir::Function", ["names resolved,", "bad syntax refused"]),
        ("blue", "plain kernels", ["one for each", "of 8 schedules"]),
        ("blue", "CheckedKernel", ["types, lanes that", "diverge, races"]),
    ]
    left = [26 + 188 * at for at in range(4)]
    for x, (kind, title, notes) in zip(left, stages):
        picture.labelled(x, 50, 144, 78, kind, title, notes)
    for at, verb in enumerate(["parse", "lower", "check"]):
        picture.path([(left[at] + 144, 89), (left[at + 1], 89)])
        picture.write(left[at] + 165, 81, verb, "note small", "middle")
    # One tree, two texts.
    picture.path([(662, 128), (662, 158), (204, 158), (204, 186)])
    picture.path([(556, 158), (556, 186)])
    picture.write(380, 151, "write", "note small", "middle")
    picture.labelled(64, 186, 280, 74, "green", "CUDA C++ text",
                     ["in the program, as constants;", "meerkat show prints it"])
    picture.labelled(416, 186, 280, 74, "amber", "native Rust",
                     ["32 lanes in lock step;", "rustc compiles it"])

    picture.box(14, 288, 732, 258, "band", 8)
    picture.write(28, 310, "run time: meerkat-runtime", "note")
    picture.path([(204, 260), (204, 326)])
    picture.path([(556, 260), (556, 326)])
    picture.box(64, 326, 632, 46, "grey")
    picture.write(380, 345, "visit::launch(&device, items, &graph, ..)", "code", "middle")
    picture.write(380, 363, "chooses the schedule and passes views of device memory", "note",
                  "middle")
    picture.path([(204, 372), (204, 400)])
    picture.path([(556, 372), (556, 400)])
    picture.labelled(64, 400, 280, 60, "green", "GPU",
                     ["NVRTC, once; then the driver’s queue"])
    picture.labelled(416, 400, 280, 60, "amber", "CPU",
                     ["the cores share out the warps"])
    picture.path([(204, 460), (204, 488)])
    picture.path([(556, 460), (556, 488)])
    picture.box(64, 488, 632, 44, "grey")
    picture.write(380, 506, "result: DeviceBuffer", "title", "middle")
    picture.write(380, 524, "to_vec() waits for the launches before it and copies", "note",
                  "middle")
    return picture
