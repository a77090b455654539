// The checked mode: the first fault is kept, and its lane ends. Nothing traps,
// so the device stays usable.
#define divide(a, b) divide_at(a, b, __LINE__, __FILE__)
#define remainder_of(a, b) remainder_at(a, b, __LINE__, __FILE__)

// Words that read another lane, with the place of the call in front of the word.
struct meerkat_place {
    u32 line;
    const char* file;

    // `word` is a number of `WORDS` in device/fault.rs.
    DEVICE void check(u32 word, u32 lane, u32 lanes) const {
        if (lane >= lanes) fail(NO_SUCH_LANE, line, file, lane, u64(word) << 32 | lanes);
    }
    DEVICE u32 warp_dequeue(u32& queue) const {
        check(0, queue == 0 ? 32 : 0, 32);
        return ::warp_dequeue(queue);
    }
    template <typename T> DEVICE T warp_broadcast(const T& value, u32 lane) const {
        check(1, lane, 32);
        return ::warp_broadcast(value, lane);
    }
    template <typename T> DEVICE T warp_shuffle(const T& value, u32 from) const {
        check(2, from, 32);
        return ::warp_shuffle(value, from);
    }
    template <typename T> DEVICE T warp_shuffle_xor(const T& value, u32 bits) const {
        check(3, bits, 32);
        return ::warp_shuffle_xor(value, bits);
    }
    template <typename T> DEVICE T warp_shuffle_up(const T& value, u32 distance) const {
        check(4, distance, 32);
        return ::warp_shuffle_up(value, distance);
    }
    template <typename T> DEVICE T warp_shuffle_down(const T& value, u32 distance) const {
        check(5, distance, 32);
        return ::warp_shuffle_down(value, distance);
    }
    template <u32 N> DEVICE u32 tile_dequeue(u32& queue) const {
        check(6, queue == 0 ? N : 0, N);
        return ::tile_dequeue<N>(queue);
    }
    template <u32 N, typename T> DEVICE T tile_broadcast(const T& value, u32 lane) const {
        check(7, lane, N);
        return ::tile_broadcast<N>(value, lane);
    }
    template <u32 N, typename T> DEVICE T tile_shuffle(const T& value, u32 from) const {
        check(8, from, N);
        return ::tile_shuffle<N>(value, from);
    }
    template <typename T> DEVICE T block_broadcast(const T& value, u32 thread) const {
        check(9, thread, blockDim.x);
        return ::block_broadcast(value, thread);
    }
};
#define MEERKAT_HERE meerkat_place{__LINE__, __FILE__}
#define warp_dequeue MEERKAT_HERE.warp_dequeue
#define warp_broadcast MEERKAT_HERE.warp_broadcast
#define warp_shuffle MEERKAT_HERE.warp_shuffle
#define warp_shuffle_xor MEERKAT_HERE.warp_shuffle_xor
#define warp_shuffle_up MEERKAT_HERE.warp_shuffle_up
#define warp_shuffle_down MEERKAT_HERE.warp_shuffle_down
#define tile_dequeue MEERKAT_HERE.tile_dequeue
#define tile_broadcast MEERKAT_HERE.tile_broadcast
#define tile_shuffle MEERKAT_HERE.tile_shuffle
#define block_broadcast MEERKAT_HERE.block_broadcast

extern "C" __global__ void meerkat_take_fault(Fault* found) {
    *found = meerkat_fault;
    meerkat_fault.kind = 0;
}
