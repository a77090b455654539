// The Meerkat language in CUDA: self-contained, compiled by NVRTC.

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;
using i8 = signed char;
using i16 = short;
using i32 = int;
using i64 = long long;
using f32 = float;
using f64 = double;

#define DEVICE __device__ __forceinline__
// NVRTC's front end folds the address of a member of a null object.
// The type comes last, for its commas would be taken for those of the macro.
#define offset_of(field, ...) u64(__INTADDR__(&(((__VA_ARGS__*)0)->field)))

constexpr u32 FULL_MASK = 0xffffffffu;

// No weight at all: Rust's `()`. One that is a constant of its type takes another, and nothing changes.
struct Unit {
    template <typename Other> __device__ void operator=(Other) const {}
};

// --- types -----------------------------------------------------------------

template <typename T> struct as_is { using type = T; };

template <typename A, typename B> constexpr bool same = false;
template <typename A> constexpr bool same<A, A> = true;

template <typename T> constexpr bool is_float = same<T, f32> || same<T, f64>;
template <typename T> constexpr bool is_signed =
    same<T, i8> || same<T, i16> || same<T, i32> || same<T, i64>;
template <typename T> constexpr bool is_number =
    is_float<T> || is_signed<T> || same<T, u8> || same<T, u16> || same<T, u32> || same<T, u64>;

template <typename T> struct unsigned_of { using type = T; };
template <> struct unsigned_of<i8> { using type = u8; };
template <> struct unsigned_of<i16> { using type = u16; };
template <> struct unsigned_of<i32> { using type = u32; };
template <> struct unsigned_of<i64> { using type = u64; };

// A value among the type arguments of a struct.
template <u64> struct Const;

template <typename T> struct Limits {
    static constexpr bool SIGNED = is_signed<T>;
    static constexpr u32 BITS = sizeof(T) * 8;
    static constexpr T MAX = SIGNED ? T((u64(1) << (BITS - 1)) - 1) : T(~u64(0));
    static constexpr T MIN = SIGNED ? T(-T((u64(1) << (BITS - 1)) - 1) - 1) : T(0);
};
template <> struct Limits<f32> {
    static constexpr f32 MAX = 3.40282347e+38f;
    static constexpr f32 MIN = -3.40282347e+38f;
    static constexpr f32 EPSILON = 1.1920929e-07f;
    static constexpr f32 MIN_POSITIVE = 1.17549435e-38f;
    static constexpr f32 NAN = __builtin_bit_cast(f32, 0x7fc00000u);
    static constexpr f32 INFINITY = __builtin_bit_cast(f32, 0x7f800000u);
    static constexpr f32 NEG_INFINITY = __builtin_bit_cast(f32, 0xff800000u);
};
template <> struct Limits<f64> {
    static constexpr f64 MAX = 1.7976931348623157e+308;
    static constexpr f64 MIN = -1.7976931348623157e+308;
    static constexpr f64 EPSILON = 2.2204460492503131e-16;
    static constexpr f64 MIN_POSITIVE = 2.2250738585072014e-308;
    static constexpr f64 NAN = __builtin_bit_cast(f64, 0x7ff8000000000000ull);
    static constexpr f64 INFINITY = __builtin_bit_cast(f64, 0x7ff0000000000000ull);
    static constexpr f64 NEG_INFINITY = __builtin_bit_cast(f64, 0xfff0000000000000ull);
};

// --- arithmetic with Rust's meaning ------------------------------------------

#ifdef MEERKAT_CHECKED
struct Fault {
    u32 kind;
    u32 line;
    u64 file;
    u64 index;
    u64 length;
};
enum : u32 { OUT_OF_BOUNDS = 1, DIVISION_BY_ZERO = 2, ASSERTION = 3, NO_SUCH_LANE = 4 };
__device__ Fault meerkat_fault;

// FNV-1a: which file, without strings on the device.
DEVICE constexpr u64 file_hash(const char* name) {
    u64 hash = 14695981039346656037ull;
    for (; *name; ++name) hash = (hash ^ u8(*name)) * 1099511628211ull;
    return hash;
}
DEVICE void fail(u32 kind, u32 line, const char* file, u64 index, u64 length) {
    if (atomicCAS(&meerkat_fault.kind, 0u, kind) == 0u) {
        meerkat_fault.line = line;
        meerkat_fault.file = file_hash(file);
        meerkat_fault.index = index;
        meerkat_fault.length = length;
    }
    asm volatile("exit;");
}
#endif

// Assertions are for the checked mode.
#undef assert
#ifdef MEERKAT_CHECKED
#define assert(...) ((__VA_ARGS__) ? void() : fail(ASSERTION, __LINE__, __FILE__, 0, 0))
#else
#define assert(...) void()
#endif

// Integers wrap: computed unsigned, and narrowed again.
// Narrow integers are computed as `u32`: a promoted `int` may be taken not to
// overflow.
template <bool wide> struct wide_word { using type = u32; };
template <> struct wide_word<true> { using type = u64; };
template <typename T> using wide_of = typename wide_word<sizeof(T) == 8>::type;

// CUDA 13.0's assembler widens `neg.s16` and `abs.s16` before it computes, so the
// smallest i16 loses its sign; in 32 bits there is nothing to widen.
template <typename T> DEVICE T narrowed(wide_of<T> value) {
    // Opaque, or the compiler makes `neg.s16` of it again.
    if constexpr (same<T, i16>) asm("" : "+r"(value));
    return T(value);
}

template <typename T> DEVICE T wrapping_add(T a, typename as_is<T>::type b) {
    if constexpr (is_float<T>) return a + b;
    else return narrowed<T>(wide_of<T>(a) + wide_of<T>(b));
}
template <typename T> DEVICE T wrapping_sub(T a, typename as_is<T>::type b) {
    if constexpr (is_float<T>) return a - b;
    else return narrowed<T>(wide_of<T>(a) - wide_of<T>(b));
}
template <typename T> DEVICE T wrapping_mul(T a, typename as_is<T>::type b) {
    if constexpr (is_float<T>) return a * b;
    else return narrowed<T>(wide_of<T>(a) * wide_of<T>(b));
}
// Not known to be what it is: CUDA 13.0 makes `abs.s32` of `a < 0 ? -a : a`, takes it
// to be no less than 0, and so computes a remainder of the smallest number unsigned.
template <typename U> DEVICE U opaque(U value) {
    if constexpr (sizeof(U) == 8) asm("" : "+l"(value));
    else asm("" : "+r"(value));
    return value;
}
template <typename T> DEVICE T wrapping_neg(T a) {
    if constexpr (is_float<T>) return -a;
    else return narrowed<T>(opaque(wide_of<T>(0) - wide_of<T>(a)));
}
template <typename T> DEVICE T wrapping_shl(T a, u32 by) {
    using U = typename unsigned_of<T>::type;
    return T(U(u64(U(a)) << (by & (sizeof(T) * 8 - 1))));
}
template <typename T> DEVICE T wrapping_shr(T a, u32 by) {
    return T(a >> (by & (sizeof(T) * 8 - 1)));
}
template <typename T> DEVICE T divide(T a, typename as_is<T>::type b) {
    if constexpr (is_signed<T>) return b == T(-1) ? wrapping_neg(a) : T(a / b);
    else return T(a / b);
}
template <typename T> DEVICE T remainder_of(T a, typename as_is<T>::type b) {
    if constexpr (same<T, f32>) return fmodf(a, b);
    else if constexpr (same<T, f64>) return fmod(a, b);
    else if constexpr (is_signed<T>) return b == T(-1) ? T(0) : T(a % b);
    else return T(a % b);
}
#ifdef MEERKAT_CHECKED
template <typename T>
DEVICE T divide_at(T a, typename as_is<T>::type b, u32 line, const char* file) {
    if (!is_float<T> && b == T(0)) fail(DIVISION_BY_ZERO, line, file, 0, 0);
    return divide(a, b);
}
template <typename T>
DEVICE T remainder_at(T a, typename as_is<T>::type b, u32 line, const char* file) {
    if (!is_float<T> && b == T(0)) fail(DIVISION_BY_ZERO, line, file, 0, 0);
    return remainder_of(a, b);
}
#endif
template <typename T> DEVICE T bit_not(T a) {
    if constexpr (same<T, bool>) return !a;
    else return T(~a);
}
// C++ computes narrow integers as `int`.
template <typename T> DEVICE T bit_and(T a, typename as_is<T>::type b) { return T(a & b); }
template <typename T> DEVICE T bit_or(T a, typename as_is<T>::type b) { return T(a | b); }
template <typename T> DEVICE T bit_xor(T a, typename as_is<T>::type b) { return T(a ^ b); }
template <typename T> DEVICE T saturating_add(T a, typename as_is<T>::type b) {
    const T sum = wrapping_add(a, b);
    if constexpr (is_signed<T>)
        return b >= 0 ? (sum < a ? Limits<T>::MAX : sum) : (sum > a ? Limits<T>::MIN : sum);
    else return sum < a ? Limits<T>::MAX : sum;
}
template <typename T> DEVICE T min(T a, typename as_is<T>::type b) {
    if constexpr (same<T, f32>) return fminf(a, b);
    else if constexpr (same<T, f64>) return fmin(a, b);
    else return b < a ? b : a;
}
template <typename T> DEVICE T max(T a, typename as_is<T>::type b) {
    if constexpr (same<T, f32>) return fmaxf(a, b);
    else if constexpr (same<T, f64>) return fmax(a, b);
    else return b > a ? b : a;
}
template <typename T> DEVICE T abs(T a) {
    if constexpr (same<T, f32>) return fabsf(a);
    else if constexpr (same<T, f64>) return fabs(a);
    else if constexpr (is_signed<T>) {
        const wide_of<T> sign = opaque(a < 0 ? ~wide_of<T>(0) : wide_of<T>(0));
        return narrowed<T>((wide_of<T>(a) ^ sign) - sign);
    } else return a;
}
template <typename T> DEVICE bool is_nan(T a) { return a != a; }

template <typename T> DEVICE u32 count_ones(T a) {
    if constexpr (sizeof(T) == 8) return __popcll(u64(a));
    else return __popc(u32(typename unsigned_of<T>::type(a)));
}
template <typename T> DEVICE u32 leading_zeros(T a) {
    if constexpr (sizeof(T) == 8) return __clzll(u64(a));
    else return __clz(u32(typename unsigned_of<T>::type(a))) - (32 - sizeof(T) * 8);
}
template <typename T> DEVICE u32 trailing_zeros(T a) {
    if constexpr (sizeof(T) == 8) return a == 0 ? 64 : __ffsll(u64(a)) - 1;
    else return a == 0 ? sizeof(T) * 8 : __ffs(u32(typename unsigned_of<T>::type(a))) - 1;
}

// In assembly, so that `fast_math` neither flushes nor approximates what is exact.
#define EXACT_FLOAT(name, type, instruction, kind)                                   \
    DEVICE type name(type a) {                                                       \
        type result;                                                                 \
        asm(instruction " %0, %1;" : "=" kind(result) : kind(a));                    \
        return result;                                                               \
    }
EXACT_FLOAT(floor, f32, "cvt.rmi.f32.f32", "f")
EXACT_FLOAT(floor, f64, "cvt.rmi.f64.f64", "d")
EXACT_FLOAT(ceil, f32, "cvt.rpi.f32.f32", "f")
EXACT_FLOAT(ceil, f64, "cvt.rpi.f64.f64", "d")
EXACT_FLOAT(trunc, f32, "cvt.rzi.f32.f32", "f")
EXACT_FLOAT(trunc, f64, "cvt.rzi.f64.f64", "d")
EXACT_FLOAT(sqrt, f32, "sqrt.rn.f32", "f")
EXACT_FLOAT(sqrt, f64, "sqrt.rn.f64", "d")
#undef EXACT_FLOAT
DEVICE f32 mul_add(f32 a, f32 b, f32 c) {
    f32 result;
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(result) : "f"(a), "f"(b), "f"(c));
    return result;
}
DEVICE f64 mul_add(f64 a, f64 b, f64 c) { return __fma_rn(a, b, c); }

DEVICE u32 f32_to_bits(f32 a) { return __float_as_uint(a); }
DEVICE u64 f64_to_bits(f64 a) { return u64(__double_as_longlong(a)); }
DEVICE f32 f32_from_bits(u32 a) { return __uint_as_float(a); }
DEVICE f64 f64_from_bits(u64 a) { return __longlong_as_double(i64(a)); }

DEVICE f32 copysign(f32 a, f32 sign) {
    return f32_from_bits((f32_to_bits(a) & 0x7fffffffu) | (f32_to_bits(sign) & 0x80000000u));
}
DEVICE f64 copysign(f64 a, f64 sign) {
    constexpr u64 SIGN = u64(1) << 63;
    return f64_from_bits((f64_to_bits(a) & ~SIGN) | (f64_to_bits(sign) & SIGN));
}
// Half away from zero.
template <typename T> DEVICE T round(T a) {
    const T whole = trunc(a);
    // Exact: the two have the same sign, and the fraction fits.
    return abs(a - whole) >= T(0.5) ? whole + copysign(T(1), a) : whole;
}
template <typename T> DEVICE T signum(T a) {
    if constexpr (is_float<T>) return a == a ? copysign(T(1), a) : a;
    else return T(T(a > 0) - T(a < 0));
}
DEVICE bool is_finite(f32 a) { return (f32_to_bits(a) << 1) < 0xff000000u; }
DEVICE bool is_finite(f64 a) { return (f64_to_bits(a) << 1) < 0xffe0000000000000ull; }
DEVICE bool is_infinite(f32 a) { return (f32_to_bits(a) << 1) == 0xff000000u; }
DEVICE bool is_infinite(f64 a) { return (f64_to_bits(a) << 1) == 0xffe0000000000000ull; }

// CUDA's own, which differ from the CPU's in the last bits. Those of `f64` that are not
// here have their names in CUDA.
DEVICE f32 exp(f32 a) { return expf(a); }
DEVICE f32 exp2(f32 a) { return exp2f(a); }
DEVICE f32 ln(f32 a) { return logf(a); }
DEVICE f64 ln(f64 a) { return log(a); }
DEVICE f32 log2(f32 a) { return log2f(a); }
DEVICE f32 sin(f32 a) { return sinf(a); }
DEVICE f32 cos(f32 a) { return cosf(a); }
DEVICE f64 powf(f64 a, f64 b) { return pow(a, b); }

template <typename T>
DEVICE T clamp(T a, typename as_is<T>::type low, typename as_is<T>::type high) {
    if (a < low) a = low;
    if (a > high) a = high;
    return a;
}
template <typename T> DEVICE T saturating_sub(T a, typename as_is<T>::type b) {
    const T difference = wrapping_sub(a, b);
    if constexpr (is_signed<T>) {
        return b >= 0 ? (difference > a ? Limits<T>::MIN : difference)
                      : (difference < a ? Limits<T>::MAX : difference);
    } else return b > a ? T(0) : difference;
}
template <typename T> DEVICE T saturating_mul(T a, typename as_is<T>::type b) {
    bool fits;
    if constexpr (same<T, i64>) fits = __mul64hi(a, b) == wrapping_mul(a, b) >> 63;
    else if constexpr (same<T, u64>) fits = __umul64hi(a, b) == 0;
    else if constexpr (is_signed<T>) fits = i64(a) * b == i64(wrapping_mul(a, b));
    else fits = u64(a) * b == wrapping_mul(a, b);
    if (fits) return wrapping_mul(a, b);
    return is_signed<T> && (a < 0) != (b < 0) ? Limits<T>::MIN : Limits<T>::MAX;
}
template <typename T> DEVICE T abs_diff(T a, typename as_is<T>::type b) {
    return b > a ? T(b - a) : T(a - b);
}
// Of any integers, or C++ would find a power of floats.
template <typename T, typename Exponent> DEVICE T pow(T a, Exponent by) {
    T power = 1;
    for (u32 exponent = u32(by); exponent != 0; exponent >>= 1) {
        if (exponent & 1) power = wrapping_mul(power, a);
        a = wrapping_mul(a, a);
    }
    return power;
}
template <typename T> DEVICE T rotate_left(T a, u32 by) {
    using U = typename unsigned_of<T>::type;
    constexpr u32 LAST = sizeof(T) * 8 - 1;
    const wide_of<T> bits = U(a);
    return T(U(bits << (by & LAST) | bits >> (-by & LAST)));
}
template <typename T> DEVICE T rotate_right(T a, u32 by) { return rotate_left(a, -by); }
template <typename T> DEVICE T reverse_bits(T a) {
    using U = typename unsigned_of<T>::type;
    if constexpr (sizeof(T) == 8) return T(__brevll(U(a)));
    else return T(U(__brev(U(a)) >> (32 - sizeof(T) * 8)));
}
template <typename T> DEVICE T swap_bytes(T a) {
    using U = typename unsigned_of<T>::type;
    U bytes = U(a), swapped = 0;
    for (u32 at = 0; at < sizeof(T); ++at) {
        swapped = U(swapped << (sizeof(T) > 1 ? 8 : 0) | U(bytes & 0xff));
        bytes = U(bytes >> (sizeof(T) > 1 ? 8 : 0));
    }
    return T(swapped);
}

// Rust's `as` from floats: truncates, saturates, and makes NaN zero.
template <typename To, typename From> DEVICE To saturating_cast(From a) {
    if (a != a) return To(0);
    if (a <= From(Limits<To>::MIN)) return Limits<To>::MIN;
    // The largest integer may round up to a power of two that does not fit.
    if (a >= From(Limits<To>::MAX)) return Limits<To>::MAX;
    return To(a);
}
template <typename To, typename From> DEVICE To cast(From a) {
    if constexpr (is_float<From> && !is_float<To>) return saturating_cast<To>(a);
    else return To(a);
}
template <typename T> DEVICE T select(bool condition, T then, typename as_is<T>::type otherwise) {
    return condition ? then : otherwise;
}

// --- weights: nothing, or 32 bits ------------------------------------------------

DEVICE u32 to_bits(u32 a) { return a; }
DEVICE u32 to_bits(i32 a) { return u32(a); }
DEVICE u32 to_bits(f32 a) { return __float_as_uint(a); }
DEVICE u64 to_bits(f64 a) { return f64_to_bits(a); }
DEVICE u32 to_bits(Unit) { return 0; }

// --- memory ----------------------------------------------------------------------

template <typename To, typename From> DEVICE To bits_as(From from) {
    static_assert(sizeof(To) == sizeof(From));
    return __builtin_bit_cast(To, from);
}

template <bool wide> struct word { using type = u32; };
template <> struct word<true> { using type = u64; };

// A value that lanes share: every access is one atomic operation, relaxed unless its
// name says more.
template <typename T> struct Atomic {
    // Two numbers of 4 bytes are aligned to 4 by themselves.
    alignas(sizeof(T) == 8 ? 8 : alignof(T)) T value;

    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "an Atomic holds 4 or 8 bytes");
    using Bits = typename word<sizeof(T) == 8>::type;

    DEVICE Bits* bits() const { return (Bits*)&value; }

    DEVICE T load() const {
        Bits found;
        if constexpr (sizeof(T) == 8)
            asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(found) : "l"(bits()) : "memory");
        else
            asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(found) : "l"(bits()) : "memory");
        return bits_as<T>(found);
    }
    DEVICE T load_acquire() const {
        Bits found;
        if constexpr (sizeof(T) == 8)
            asm volatile("ld.acquire.gpu.u64 %0, [%1];" : "=l"(found) : "l"(bits()) : "memory");
        else
            asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(found) : "l"(bits()) : "memory");
        return bits_as<T>(found);
    }
    DEVICE void store_release(T next) const {
        if constexpr (sizeof(T) == 8)
            asm volatile("st.release.gpu.u64 [%0], %1;" :: "l"(bits()), "l"(bits_as<Bits>(next)) : "memory");
        else
            asm volatile("st.release.gpu.u32 [%0], %1;" :: "l"(bits()), "r"(bits_as<Bits>(next)) : "memory");
    }
    // Where the compiler sees that it is memory of the block, one instruction of that.
    DEVICE T load_shared() const { return bits_as<T>(*(volatile Bits*)bits()); }
    DEVICE void store(T next) const {
        if constexpr (sizeof(T) == 8)
            asm volatile("st.relaxed.gpu.u64 [%0], %1;" :: "l"(bits()), "l"(bits_as<Bits>(next)) : "memory");
        else
            asm volatile("st.relaxed.gpu.u32 [%0], %1;" :: "l"(bits()), "r"(bits_as<Bits>(next)) : "memory");
    }
    DEVICE T swap(T next) const { return bits_as<T>(atomicExch(bits(), bits_as<Bits>(next))); }
    DEVICE T compare_and_swap(T current, T next) const {
        return bits_as<T>(atomicCAS(bits(), bits_as<Bits>(current), bits_as<Bits>(next)));
    }
    DEVICE T fetch_add(T other) const {
        if constexpr (is_float<T>) return atomicAdd((T*)&value, other);
        else return bits_as<T>(atomicAdd(bits(), bits_as<Bits>(other)));
    }
    DEVICE T fetch_add_aggregated(T other) const;
    DEVICE T fetch_sub(T other) const { return fetch_add(wrapping_neg(other)); }
    DEVICE T fetch_and(T other) const { return bits_as<T>(atomicAnd(bits(), bits_as<Bits>(other))); }
    DEVICE T fetch_or(T other) const { return bits_as<T>(atomicOr(bits(), bits_as<Bits>(other))); }
    DEVICE T fetch_xor(T other) const { return bits_as<T>(atomicXor(bits(), bits_as<Bits>(other))); }

    // Numbers by value; structs as one little-endian number.
    static DEVICE bool less(T a, T b) {
        if constexpr (is_number<T>) return a < b;
        else return bits_as<Bits>(a) < bits_as<Bits>(b);
    }
    DEVICE T fetch_min(T other) const {
        if constexpr (is_float<T>) return replace_while(other, [](T a, T b) { return less(a, b); });
        else if constexpr (is_signed<T>) return atomicMin((T*)&value, other);
        else return bits_as<T>(atomicMin(bits(), bits_as<Bits>(other)));
    }
    DEVICE T fetch_max(T other) const {
        if constexpr (is_float<T>) return replace_while(other, [](T a, T b) { return less(b, a); });
        else if constexpr (is_signed<T>) return atomicMax((T*)&value, other);
        else return bits_as<T>(atomicMax(bits(), bits_as<Bits>(other)));
    }
    template <typename Better> DEVICE T replace_while(T other, Better better) const {
        T seen = load();
        // Any number is better than a NaN, as min and max have it.
        while (better(other, seen) || (seen != seen && other == other)) {
            const T before = compare_and_swap(seen, other);
            if (bits_as<Bits>(before) == bits_as<Bits>(seen)) break;
            seen = before;
        }
        return seen;
    }
};

DEVICE void memory_fence() { __threadfence(); }

// A few values in registers.
template <typename T, u32 N> struct Array {
    T items[N];
    static DEVICE Array filled(T value) {
        Array all;
        for (u32 i = 0; i < N; i++) all.items[i] = value;
        return all;
    }
    DEVICE T& operator[](u32 index) { return items[index]; }
    DEVICE const T& operator[](u32 index) const { return items[index]; }
#ifdef MEERKAT_CHECKED
    DEVICE T& at(u32 index, u32 line, const char* file) {
        if (index >= N) fail(OUT_OF_BOUNDS, line, file, index, N);
        return items[index];
    }
    DEVICE const T& at(u32 index, u32 line, const char* file) const {
        if (index >= N) fail(OUT_OF_BOUNDS, line, file, index, N);
        return items[index];
    }
#endif
};

// A few values of several types, in registers: Rust gives a tuple no layout.
template <typename... T> struct Tuple;
template <typename A, typename B> struct Tuple<A, B> { A _0; B _1; };
template <typename A, typename B, typename C> struct Tuple<A, B, C> { A _0; B _1; C _2; };
template <typename A, typename B, typename C, typename D> struct Tuple<A, B, C, D> {
    A _0; B _1; C _2; D _3;
};
template <typename... T> DEVICE Tuple<T...> tuple(T... parts) { return {parts...}; }

// 128 bytes of a slab list: 31 words of keys (and weights), one link.
struct alignas(128) Slab {
    u32 words[32];
    DEVICE const Atomic<u32>& word(u32 lane) const { return *(const Atomic<u32>*)&words[lane]; }
    DEVICE Array<u32, 4> quad(u32 part) const {
        Array<u32, 4> found;
        asm volatile("ld.relaxed.gpu.v4.u32 {%0, %1, %2, %3}, [%4];"
            : "=r"(found[0]), "=r"(found[1]), "=r"(found[2]), "=r"(found[3])
            : "l"(&words[part * 4]) : "memory");
        return found;
    }
    DEVICE Array<u32, 2> duo(u32 part) const {
        Array<u32, 2> found;
        asm volatile("ld.relaxed.gpu.v2.u32 {%0, %1}, [%2];"
            : "=r"(found[0]), "=r"(found[1]) : "l"(&words[part * 2]) : "memory");
        return found;
    }
    DEVICE void store_quad(u32 part, Array<u32, 4> next) const {
        asm volatile("st.relaxed.gpu.v4.u32 [%0], {%1, %2, %3, %4};"
            :: "l"(&words[part * 4]), "r"(next[0]), "r"(next[1]), "r"(next[2]), "r"(next[3])
            : "memory");
    }
    // What nobody writes in this launch: through the cache of the multiprocessor. Not by `__ldg`, whose loads
    // may come before `begin_kernel`, when the kernel before may be writing.
    DEVICE Array<u32, 4> cached_quad(u32 part) const {
        const uint4 found = *(const uint4*)&words[part * 4];
        return {found.x, found.y, found.z, found.w};
    }
    DEVICE u32 cached_word(u32 lane) const { return words[lane]; }
    DEVICE Array<u32, 2> cached_duo(u32 part) const {
        const uint2 found = *(const uint2*)&words[part * 2];
        return {found.x, found.y};
    }
    DEVICE const Atomic<u64>& pair(u32 lane) const { return *(const Atomic<u64>*)&words[lane]; }
};

// A run of elements in device memory.
template <typename T> struct Slice {
    T* data;
    u64 length;
    DEVICE T& operator[](u32 index) const { return data[index]; }
#ifdef MEERKAT_CHECKED
    DEVICE T& at(u32 index, u32 line, const char* file) const {
        if (index >= length) fail(OUT_OF_BOUNDS, line, file, index, length);
        return data[index];
    }
#endif
    DEVICE u32 len() const { return u32(length); }
    DEVICE void write(u32 index, T value) const { data[index] = value; }
    // A slice of a struct, where a function reads one.
    template <typename U> DEVICE operator Slice<const U>() const { return {data, length}; }
};

// --- the kernel ------------------------------------------------------------------

// Each kernel begins so. Its blocks may be there while the kernel before it still runs: here they wait until
// that has ended and what it wrote can be seen, and let the kernel after it come. In this order: so a kernel
// comes only once all before its predecessor have ended.
DEVICE void begin_kernel() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait; griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

// --- the warp --------------------------------------------------------------------

// One-dimensional launches: blocks of whole warps.
DEVICE u32 lane_id() { return threadIdx.x & 31; }
DEVICE u32 thread_id() { return blockIdx.x * blockDim.x + threadIdx.x; }
DEVICE u32 global_warp_id() { return thread_id() >> 5; }
DEVICE u32 warp_count() { return gridDim.x * (blockDim.x >> 5); }
DEVICE u32 lanes_below() { return (1u << lane_id()) - 1; }

#ifdef MEERKAT_TILES_AND_WARPS
// Collectives of tiles leave the tiles of a warp apart where the assembler takes
// them to be together again, and it leaves out the wait before a collective of the
// whole warp. It cannot where the mask is not known to be full, nor to be the one that
// an earlier wait had: so the mask has the clock in it, whose every reading differs.
__constant__ u32 meerkat_all_lanes = FULL_MASK;
DEVICE void meet_as_warp() {
    u32 now;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(now));
    __syncwarp(now | meerkat_all_lanes);
}
#else
DEVICE void meet_as_warp() {}
#endif

DEVICE u32 warp_ballot(bool predicate) {
    meet_as_warp();
    return __ballot_sync(FULL_MASK, predicate);
}
DEVICE bool warp_any(bool predicate) {
    meet_as_warp();
    return __any_sync(FULL_MASK, predicate);
}
DEVICE bool warp_all(bool predicate) {
    meet_as_warp();
    return __all_sync(FULL_MASK, predicate);
}
DEVICE void warp_barrier() {
    meet_as_warp();
    __syncwarp(FULL_MASK);
}

// Takes the lowest lane out of a ballot.
DEVICE u32 warp_dequeue(u32& queue) {
    const u32 lane = __ffs(queue) - 1;
    queue &= queue - 1;
    return lane;
}

// The lanes that happen to be here and add to the same address share one atomic: the lowest
// adds the sum, and each gets what it would have found had they added in order. This is the
// one place that may ask which lanes are here. That is the compiler's choice, so nothing may
// depend on it, and here nothing does: however lanes are grouped, it is `fetch_add`.
template <typename T> DEVICE T Atomic<T>::fetch_add_aggregated(T other) const {
    static_assert(is_number<T> && !is_float<T>, "sums of floats depend on their order");
    const u32 group = __match_any_sync(__activemask(), u64(bits()));
    const Bits own = bits_as<Bits>(other);
    Bits below, sum;
    i32 is_same;
    __match_all_sync(group, own, &is_same);
    if (is_same) {
        below = own * __popc(group & lanes_below());
        sum = own * __popc(group);
    } else {
        below = sum = 0;
        for (u32 rest = group; rest != 0;) {
            const u32 lane = warp_dequeue(rest);
            const Bits theirs = __shfl_sync(group, own, lane);
            if (lane < lane_id()) below += theirs;
            sum += theirs;
        }
    }
    const u32 first = __ffs(group) - 1;
    Bits before = 0;
    if (lane_id() == first) before = atomicAdd(bits(), sum);
    return bits_as<T>(__shfl_sync(group, before, first) + below);
}

// Tiles: 4, 8 or 16 neighbouring lanes.
template <u32 N> DEVICE u32 tile_lane_id() { return threadIdx.x & (N - 1); }
template <u32 N> DEVICE u32 tile_first() { return lane_id() & ~(N - 1); }
template <u32 N> DEVICE u32 tile_mask() { return ((1u << N) - 1) << tile_first<N>(); }
template <u32 N> DEVICE u32 tile_ballot(bool predicate) {
    return (__ballot_sync(tile_mask<N>(), predicate) >> tile_first<N>()) & ((1u << N) - 1);
}
template <u32 N> DEVICE bool tile_any(bool predicate) { return tile_ballot<N>(predicate) != 0; }
template <u32 N> DEVICE bool tile_all(bool predicate) {
    return tile_ballot<N>(predicate) == (1u << N) - 1;
}
template <u32 N> DEVICE u32 tile_dequeue(u32& queue) { return warp_dequeue(queue); }

// Any value, a word at a time.
template <typename T, typename Move> DEVICE T moved(const T& value, Move move) {
    if constexpr (same<T, Unit>) return value;
    else if constexpr (sizeof(T) < 4 && (is_number<T> || same<T, bool>)) return T(move(u32(value)));
    else if constexpr (sizeof(T) % 4 != 0) {
        // A struct of 2 or 6 bytes: the last word is filled up.
        u32 words[(sizeof(T) + 3) / 4] = {};
        memcpy(words, &value, sizeof(T));
#pragma unroll
        for (u32& word : words) word = move(word);
        T found;
        memcpy(&found, words, sizeof(T));
        return found;
    }
    else {
        struct Words { u32 word[sizeof(T) / 4]; };
        Words words = bits_as<Words>(value);
#pragma unroll
        for (u32 at = 0; at < sizeof(T) / 4; ++at) words.word[at] = move(words.word[at]);
        return bits_as<T>(words);
    }
}
template <typename T> DEVICE T warp_broadcast(const T& value, u32 lane) {
    meet_as_warp();
    return moved(value, [=](u32 word) { return __shfl_sync(FULL_MASK, word, lane); });
}
template <typename T> DEVICE T warp_shuffle(const T& value, u32 from) {
    meet_as_warp();
    return moved(value, [=](u32 word) { return __shfl_sync(FULL_MASK, word, from); });
}
template <typename T> DEVICE T warp_shuffle_xor(const T& value, u32 bits) {
    meet_as_warp();
    return moved(value, [=](u32 word) { return __shfl_xor_sync(FULL_MASK, word, bits); });
}
template <typename T> DEVICE T warp_shuffle_up(const T& value, u32 distance) {
    meet_as_warp();
    return moved(value, [=](u32 word) { return __shfl_up_sync(FULL_MASK, word, distance); });
}
template <typename T> DEVICE T warp_shuffle_down(const T& value, u32 distance) {
    meet_as_warp();
    return moved(value, [=](u32 word) { return __shfl_down_sync(FULL_MASK, word, distance); });
}
template <u32 N, typename T> DEVICE T tile_broadcast(const T& value, u32 lane) {
    return moved(value, [=](u32 word) { return __shfl_sync(tile_mask<N>(), word, lane, N); });
}
template <u32 N, typename T> DEVICE T tile_shuffle(const T& value, u32 from) {
    return tile_broadcast<N>(value, from);
}
template <u32 N, typename T> DEVICE T tile_shuffle_xor(const T& value, u32 bits) {
    return moved(value, [=](u32 word) { return __shfl_xor_sync(tile_mask<N>(), word, bits, N); });
}
template <u32 N, typename T, typename Join> DEVICE T tile_butterfly(T value, Join join) {
#pragma unroll
    for (u32 distance = N / 2; distance > 0; distance /= 2)
        value = join(value, tile_shuffle_xor<N>(value, distance));
    return value;
}
template <u32 N, typename T> DEVICE T tile_reduce_sum(T value) {
    return tile_butterfly<N>(value, [](T a, T b) { return wrapping_add(a, b); });
}
template <u32 N, typename T> DEVICE T tile_reduce_min(T value) {
    return tile_butterfly<N>(value, [](T a, T b) { return min(a, b); });
}
template <u32 N, typename T> DEVICE T tile_reduce_max(T value) {
    return tile_butterfly<N>(value, [](T a, T b) { return max(a, b); });
}
// Of flags, one vote says as much.
template <typename T> constexpr bool is_flag = false;
template <> constexpr bool is_flag<bool> = true;
template <u32 N, typename T> DEVICE T tile_reduce_or(T value) {
    if constexpr (is_flag<T>)
        return tile_any<N>(value);
    else
        return tile_butterfly<N>(value, [](T a, T b) { return T(a | b); });
}
template <typename T, typename Join> DEVICE T butterfly(T value, Join join) {
    meet_as_warp();
#pragma unroll
    for (u32 distance = 16; distance > 0; distance /= 2)
        value = join(value, moved(value, [=](u32 word) {
            return __shfl_xor_sync(FULL_MASK, word, distance);
        }));
    return value;
}
template <typename T> DEVICE T warp_reduce_sum(T value) {
    return butterfly(value, [](T a, T b) { return wrapping_add(a, b); });
}
template <typename T> DEVICE T warp_reduce_min(T value) {
    return butterfly(value, [](T a, T b) { return min(a, b); });
}
template <typename T> DEVICE T warp_reduce_max(T value) {
    return butterfly(value, [](T a, T b) { return max(a, b); });
}
template <typename T> DEVICE T warp_reduce_or(T value) {
    return butterfly(value, [](T a, T b) { return T(a | b); });
}
DEVICE bool warp_reduce_or(bool value) { return warp_any(value); }

// --- the block -------------------------------------------------------------------

DEVICE u32 block_id() { return blockIdx.x; }
DEVICE u32 block_count() { return gridDim.x; }
DEVICE u32 block_size() { return blockDim.x; }
DEVICE u32 block_thread_id() { return threadIdx.x; }
DEVICE u32 block_warp_id() { return threadIdx.x >> 5; }
DEVICE u32 block_warp_count() { return blockDim.x >> 5; }

DEVICE void block_barrier() { __syncthreads(); }
DEVICE bool block_any(bool predicate) { return __syncthreads_or(predicate); }
DEVICE bool block_all(bool predicate) { return __syncthreads_and(predicate); }

// Memory of the block, cleared by its threads.
template <typename T, u32 N> DEVICE Slice<Atomic<T>> block_shared(Atomic<T> (&memory)[N]) {
    using Bits = typename Atomic<T>::Bits;
    // In a loop a slow warp may still read what the iteration before left here.
    __syncthreads();
    for (u32 at = threadIdx.x; at < N; at += blockDim.x) *(Bits*)&memory[at] = 0;
    __syncthreads();
    return {memory, N};
}
// The same, not cleared.
template <typename T, u32 N> DEVICE Slice<Atomic<T>> block_memory(Atomic<T> (&memory)[N]) {
    return {memory, N};
}
template <typename T> DEVICE T block_broadcast(const T& value, u32 thread) {
    __shared__ T chosen;
    if (threadIdx.x == thread) chosen = value;
    __syncthreads();
    const T found = chosen;
    // The next broadcast may not overwrite it before all have read it.
    __syncthreads();
    return found;
}
template <typename T, typename Join> DEVICE T block_butterfly(T value, Join join) {
    __shared__ T parts[32];
    const T mine = butterfly(value, join);
    if (lane_id() == 0) parts[threadIdx.x >> 5] = mine;
    __syncthreads();
    T all = parts[0];
    for (u32 at = 1; at < blockDim.x >> 5; ++at) all = join(all, parts[at]);
    __syncthreads();
    return all;
}
// The sum over the threads below each.
template <typename T> DEVICE T block_scan_sum(T value) {
    __shared__ T parts[32];
    T sum = value;
#pragma unroll
    for (u32 distance = 1; distance < 32; distance *= 2) {
        const T below = warp_shuffle_up(sum, distance);
        if (lane_id() >= distance) sum = wrapping_add(sum, below);
    }
    if (lane_id() == 31) parts[threadIdx.x >> 5] = sum;
    __syncthreads();
    T before = wrapping_sub(sum, value);
    for (u32 at = 0; at < threadIdx.x >> 5; ++at) before = wrapping_add(before, parts[at]);
    __syncthreads();
    return before;
}
template <typename T> DEVICE T block_reduce_sum(T value) {
    return block_butterfly(value, [](T a, T b) { return wrapping_add(a, b); });
}
template <typename T> DEVICE T block_reduce_min(T value) {
    return block_butterfly(value, [](T a, T b) { return min(a, b); });
}
template <typename T> DEVICE T block_reduce_max(T value) {
    return block_butterfly(value, [](T a, T b) { return max(a, b); });
}
template <typename T> DEVICE T block_reduce_or(T value) {
    return block_butterfly(value, [](T a, T b) { return T(a | b); });
}
DEVICE bool block_reduce_or(bool value) {
    meet_as_warp();
    return block_any(value);
}
