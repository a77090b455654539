"""Who reads which slab list, when: the lowerings in meerkat-macros/src/operator/.

The example is run here, step by step, by the rules of each schedule: a step is a load.
Groups of a warp go on to their next list together, and so do warps of a block where the
schedule has a barrier.
"""

from pictures.svg import Picture

LANES, WARP, TILE = 64, 32, 8
FEW = 4          # FEW_NEIGHBORS of layout.rs
QUADS = 8        # a slab has 8 times 4 words
HUB_DEGREE = 176

# Vertex, its lane, its neighbours, its slab lists (of one slab each).
VERTICES = [("A", 0, HUB_DEGREE, 8), ("B", 5, 3, 1), ("C", 6, 12, 1), ("D", 9, 2, 1),
            ("E", 17, 14, 1), ("F", 26, 4, 1), ("G", 33, 20, 1), ("H", 41, 3, 1),
            ("I", 50, 10, 1), ("J", 53, 2, 1)]


def kind(vertex):
    if vertex[3] > 1:
        return "red"
    return "blue" if vertex[2] > FEW else "amber"


class Chart:
    """Which lanes read for which vertex in which step."""

    def __init__(self):
        self.reads = []

    def read(self, first, lanes, step, steps, vertex):
        self.reads.append((first, lanes, step, steps, vertex))

    def steps(self):
        return max(step + steps for _, _, step, steps, _ in self.reads)


def by_groups(group, loads_of_a_slab):
    """Warp and tiles: each group takes its lanes' vertices one after another."""
    chart = Chart()
    for warp in range(0, LANES, WARP):
        queues = [[v for v in VERTICES if first <= v[1] < first + group]
                  for first in range(warp, warp + WARP, group)]
        step = 0
        while any(queues):
            turn = [(at, queue.pop(0)) for at, queue in enumerate(queues) if queue]
            for at, vertex in turn:
                for part in range(vertex[3]):
                    chart.read(warp + at * group, group, step + part * loads_of_a_slab,
                               loads_of_a_slab, vertex)
            step += max(vertex[3] for _, vertex in turn) * loads_of_a_slab
    return chart


def by_thread():
    chart = Chart()
    for vertex in VERTICES:
        # Of each list but the last a lane reads to the end: there is the link.
        last = -(-(vertex[2] // vertex[3]) // 4)
        chart.read(vertex[1], 1, 0, (vertex[3] - 1) * QUADS + last, vertex)
    return chart


def by_block():
    """The block takes its threads' vertices in turn; each warp takes the next list."""
    chart, step, warps = Chart(), 0, LANES // WARP
    for vertex in VERTICES:
        for part in range(vertex[3]):
            chart.read(part % warps * WARP, WARP, step + part // warps, 1, vertex)
        step += -(-vertex[3] // warps)
    return chart


def by_degree():
    """Hybrid: hubs by the block's tiles, few neighbours by the lane, the rest by tiles."""
    chart, tiles = Chart(), LANES // TILE
    hubs = [v for v in VERTICES if v[3] > 1]
    step = 0
    for vertex in hubs:
        for part in range(vertex[3]):
            chart.read(part % tiles * TILE, TILE, step + part // tiles, 1, vertex)
        step += -(-vertex[3] // tiles)
    for vertex in VERTICES:
        if vertex[2] <= FEW:
            chart.read(vertex[1], 1, step, 1, vertex)
    step += 1
    for first in range(0, LANES, TILE):
        own = [v for v in VERTICES
               if first <= v[1] < first + TILE and v[2] > FEW and v not in hubs]
        for at, vertex in enumerate(own):
            chart.read(first, TILE, step + at, 1, vertex)
    return chart


def by_slab_list():
    """All lists of the block are numbered; tile t takes lists t, t + tiles, .."""
    chart, tiles = Chart(), LANES // TILE
    lists = [vertex for vertex in VERTICES for _ in range(vertex[3])]
    for at, vertex in enumerate(lists):
        chart.read(at % tiles * TILE, TILE, at // tiles, 1, vertex)
    return chart


PANELS = [
    ("Warp", by_groups(32, 1), "the warp, vertex after vertex; a word to each lane"),
    ("Block", by_block(), "the block, vertex after vertex; a list to each warp"),
    ("Tile16", by_groups(16, 1), "tiles of 16 lanes; 2 words to each lane"),
    ("Tile8", by_groups(8, 1), "tiles of 8 lanes; 4 words to each lane"),
    ("Tile4", by_groups(4, 2), "tiles of 4 lanes; a slab takes two loads"),
    ("Thread", by_thread(), "each lane, its own vertex; 4 words at a time"),
    ("Hybrid", by_degree(), "the hub: all tiles; up to 4: the lane; the rest: tiles"),
    ("SlabList", by_slab_list(), "the lists of all vertices, dealt out to tiles of 8"),
]

CELL, STEP, TALLEST = 5, 11, 18


def panel(picture, x, y, name, chart, words):
    shown = min(chart.steps(), TALLEST)
    picture.write(x, y, f"Schedule::{name}", "code")
    picture.write(x + LANES * CELL, y, f"{chart.steps()} loads", "note", "end")
    picture.write(x, y + 17, words, "note small")
    top = y + 26
    for warp in range(0, LANES, WARP):
        picture.box(x + warp * CELL, top, WARP * CELL, shown * STEP + 4, "band", 2)
    for first, lanes, step, steps, vertex in sorted(chart.reads, key=lambda read: read[:3]):
        visible = min(steps, TALLEST - step)
        left, upper = x + first * CELL, top + 2 + step * STEP
        picture.box(left + 0.5, upper + 0.5, lanes * CELL - 1, visible * STEP - 1, kind(vertex), 1)
        if lanes * CELL >= 20:
            picture.write(left + lanes * CELL / 2, upper + STEP * visible / 2 + 3.2, vertex[0],
                          "cell", "middle")
    if chart.steps() > shown:
        picture.write(x + 14, top + shown * STEP - 4, f"A goes on, to load {chart.steps()}",
                      "note small")
    return 26 + shown * STEP + 4


def draw():
    picture = Picture(
        760, 1010, "Each schedule on one example",
        "Two warps of a block have ten vertices: a hub with 8 slab lists, four vertices with 10 "
        "to 20 neighbours and five with up to 4. For each schedule a chart shows, load after "
        "load, which lanes read the slab lists of which vertex. "
        + " ".join(f"{name}: {chart.steps()} loads." for name, chart, _ in PANELS))
    picture.write(30, 36, "Two warps of a block, ten vertices, one walk", "title")
    picture.lines(30, 56, [
        "Across: the 64 lanes; the vertices A to J are those of lanes 0, 5, 6, 9, 17, 26, 33, 41, "
        "50 and 53.",
        "Down: the loads of slabs, one after another. A box: these lanes read a slab of this "
        "vertex.",
    ])
    legend = [("red", "A, a hub: 8 slab lists"), ("blue", "C E G I: one list, 10 to 20 neighbours"),
              ("amber", "B D F H J: one list, up to 4")]
    x = 30
    for name, words in legend:
        picture.box(x, 86, 14, 14, name, 2)
        picture.write(x + 21, 98, words, "note")
        x += 45 + 6.9 * len(words)

    y, left = 130, 30
    for at in range(0, len(PANELS), 2):
        heights = [panel(picture, left + 380 * side, y, *PANELS[at + side]) for side in (0, 1)]
        y += max(heights) + 32
    picture.height = y + 70
    picture.lines(30, y + 8, [
        "Drawn in lock step, as the CPU runs it. A load is a round trip to memory, so fewer are "
        "better. But Block,",
        "Hybrid and SlabList also wait at barriers of the block, and SlabList passes values through "
        "the block’s",
        "memory. On a GPU a block has 8 warps, not 2. A vertex is a hub for Hybrid from 64 slab "
        "lists on.",
    ])
    return picture
