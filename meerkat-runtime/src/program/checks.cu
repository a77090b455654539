// The checked mode: the first fault is kept, and its lane ends. Nothing traps,
// so the device stays usable.
#define divide(a, b) divide_at(a, b, __LINE__, __FILE__)
#define remainder_of(a, b) remainder_at(a, b, __LINE__, __FILE__)

extern "C" __global__ void meerkat_take_fault(Fault* found) {
    *found = meerkat_fault;
    meerkat_fault.kind = 0;
}
