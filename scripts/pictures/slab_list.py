"""The slab lists of one vertex: meerkat-runtime/src/graph/layout.rs."""

from pictures.svg import Picture

WORD, LEFT = 21.5, 36
KEYS_0 = [4, 19, 23, 58, 61, 77, None, 80, 94, 102, 117, 120, 131, 140, 152, 166, 171, 188, 190,
          205, None, 213, 226, 234, 241, 257, 260, 278, 283, 296, 301]
KEYS_40 = [314, 330, 347]
KEYS_1 = [8, 15, 33, 42, 90, 111, 137, 160, 199]


def word(picture, at, y, kind, label=""):
    x = LEFT + at * WORD
    picture.box(x, y, WORD, 26, kind, 0)
    if label != "":
        picture.write(x + WORD / 2, y + 17, str(label), "tiny", "middle")


def slab(picture, y, title, keys, link):
    picture.write(LEFT, y - 8, title, "note")
    for at in range(31):
        if at >= len(keys):
            word(picture, at, y, "card")
        elif keys[at] is None:
            word(picture, at, y, "amber", "✕")
        else:
            word(picture, at, y, "blue", keys[at])
    word(picture, 31, y, "green", link)


def draw():
    picture = Picture(
        760, 560, "The slab lists of a vertex",
        "Vertex 7 has two buckets. Its entry says that its first slab is number 12. Bucket 0 is "
        "slab 12, which is full, has two tombstones and links to the overflow slab 40; bucket 1 "
        "is slab 13. A slab has 32 words: 31 keys and a link. With weights it has 15 pairs of key "
        "and weight, a word without use and the link.")
    picture.write(LEFT, 34, "vertex 7", "title")
    entries = [("first: 12", 96), ("buckets: 2", 96), ("degree: 41", 96)]
    x = LEFT + 76
    for words, width in entries:
        picture.box(x, 16, width, 28, "grey", 0)
        picture.write(x + width / 2, 35, words, "code", "middle")
        x += width
    picture.write(x + 16, 28, "A hash of the neighbour chooses the bucket;", "note")
    picture.write(x + 16, 45, "bucket b begins at slab first + b.", "note")

    end = LEFT + 32 * WORD
    slab(picture, 92, "bucket 0: slab 12, a list of two slabs", KEYS_0, 40)
    # The link leads to the next slab of the list.
    picture.path([(end - WORD / 2, 118), (end - WORD / 2, 133), (LEFT - 14, 133),
                  (LEFT - 14, 175), (LEFT, 175)])
    slab(picture, 162, "overflow slab 40, of the pool", KEYS_40, "–")
    slab(picture, 232, "bucket 1: slab 13", KEYS_1, "–")
    ticks = {0: "0", 7: "7", 15: "15", 23: "23", 30: "30", 31: "31"}
    for at, tick in ticks.items():
        picture.write(LEFT + (at + 0.5) * WORD, 272, tick, "note small", "middle")
    picture.write(LEFT, 290, "word of the slab; a warp reads all 32 in one load of 128 bytes, "
                  "word i by lane i", "note")

    y = 336
    picture.write(LEFT, y - 8, "with weights: 15 pairs of key and weight", "note")
    for pair, (key, weight) in enumerate([(8, 3), (15, 1), (33, 9), (None, 4), (90, 2)]):
        kind, label = ("amber", "✕") if key is None else ("blue", key)
        word(picture, 2 * pair, y, kind, label)
        word(picture, 2 * pair + 1, y, "grey", weight)
    for at in range(10, 30):
        word(picture, at, y, "card")
    word(picture, 30, y, "grey")
    word(picture, 31, y, "green", "–")

    legend = [
        ("blue", "8", "a key: the number of a neighbour"),
        ("amber", "✕", "TOMBSTONE_KEY: its neighbour was deleted. Walks skip it, and no insertion "
         "takes its place"),
        ("card", "", "EMPTY_KEY: never used since the last layout. The list ends in this slab"),
        ("green", "40", "the link, word 31: the number of the next slab, or NULL_SLAB (–)"),
        ("grey", "3", "a weight, beside its key; word 30 has no use with weights"),
    ]
    for at, (kind, label, words) in enumerate(legend):
        y = 392 + 32 * at
        picture.box(LEFT, y, WORD, 22, kind, 0)
        picture.write(LEFT + WORD / 2, y + 15, label, "tiny", "middle")
        picture.write(LEFT + 34, y + 16, words, "note")
    return picture
