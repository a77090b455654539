"""What a batch goes through: `Tracked::apply` in meerkat-runtime/src/dynamic/tracked.rs."""

from pictures.svg import Picture

GRAPH, ALGORITHM, FAILURE = 26, 294, 524
WIDTH, NARROW = 236, 200


def draw():
    picture = Picture(
        760, 690, "A batch’s way",
        "Tracked::apply takes a batch to change_of, which checks it and finds what really "
        "changes; then check_change; then the transaction: deletions leave the graph, on_delete, "
        "insertions enter the graph, on_insert and finish_batch. Before the transaction a "
        "failure has changed nothing; inside it the graph is rolled back, and the state is "
        "computed again for the graph as it was.")
    picture.write(GRAPH + WIDTH / 2, 36, "graph", "title", "middle")
    picture.write(ALGORITHM + NARROW / 2, 36, "algorithm", "title", "middle")
    picture.write(FAILURE + 14, 36, "if it fails", "title")

    # The transaction, behind its three steps.
    picture.box(14, 236, 494, 388, "band", 8)
    picture.write(494, 256, "transact: all or nothing", "note", "end")

    def graph(y, height, title, notes, kind="blue"):
        picture.labelled(GRAPH, y, WIDTH, height, kind, title, notes)

    def algorithm(y, title, notes):
        picture.labelled(ALGORITHM, y, NARROW, 52, "green", title, notes, code=True)

    def failure(y, kind, rows, start):
        picture.path([(start, y), (FAILURE, y)], dashed=True)
        picture.box(FAILURE, y - 10 - 9 * len(rows), 222, 20 + 18 * len(rows), kind)
        picture.lines(FAILURE + 14, y + 13 - 9 * len(rows), rows, "note", 18)

    def across(y, right):
        start, end = (GRAPH + WIDTH, ALGORITHM) if right else (ALGORITHM, GRAPH + WIDTH)
        picture.path([(start, y), (end, y)])

    def down(y, bottom, x=GRAPH + WIDTH / 2):
        picture.path([(x, y), (x, bottom)])

    right = ALGORITHM + NARROW
    graph(52, 44, "Batch", ["updates, in order"], "grey")
    down(96, 116)
    graph(116, 86, "change_of", ["every update valid? the last of each",
                                 "edge counts; is it in the graph?",
                                 "makes a Change: deleted, inserted"])
    across(159, True)
    algorithm(133, "check_change", ["can it follow this change?"])
    picture.path([(GRAPH + WIDTH / 2, 202), (GRAPH + WIDTH / 2, 216), (FAILURE + 111, 216),
                  (FAILURE + 111, 187)], dashed=True)
    failure(159, "grey", ["refused: nothing has changed,", "and the answer stays right"], right)
    # Behind the check the transaction begins.
    picture.path([(ALGORITHM + 100, 185), (ALGORITHM + 100, 226), (GRAPH + WIDTH / 2, 226),
                  (GRAPH + WIDTH / 2, 266)])

    graph(266, 52, "deletions leave the graph", ["their places become tombstones"])
    across(292, True)
    algorithm(266, "on_delete", ["sees the graph without them"])
    failure(292, "amber", ["rolled back: the deleted", "edges return to their places"], right)
    picture.path([(ALGORITHM + 100, 318), (ALGORITHM + 100, 342), (GRAPH + WIDTH / 2, 342),
                  (GRAPH + WIDTH / 2, 366)])
    graph(366, 86, "insertions enter the graph", ["if the pool of slabs runs out: it grows;",
                                                  "else roll back, compact (if the policy",
                                                  "allows) and make the change again"])
    failure(409, "amber", ["no memory: rolled back,", "the graph is as it was"], GRAPH + WIDTH)
    picture.path([(GRAPH + WIDTH / 2, 452), (GRAPH + WIDTH / 2, 510), (ALGORITHM, 510)])

    algorithm(484, "on_insert", ["sees the graph with them"])
    failure(510, "amber", ["rolled back: both halves"], right)
    down(536, 560, ALGORITHM + 100)
    algorithm(560, "finish_batch", ["what both halves share"])
    failure(586, "amber", ["rolled back: both halves"], right)
    down(612, 636, ALGORITHM + 100)
    picture.labelled(ALGORITHM, 636, NARROW, 40, "grey", "output, when asked for")
    picture.lines(28, 560, ["After a failure in amber the", "state is computed again, for",
                            "the graph as it was."])
    return picture
