// SPDX-License-Identifier: Apache-2.0
// Hides one Verilated design behind harness/dut/dut.h. The same file for every design: build.c compiles it in one translation
// unit with the generated code and with ls_dut_table.inc, which lists the design's signals through these macros:
//
//   LS_TOP(top)                               name of the top module
//   LS_CLOCK(member)  LS_RESET(member)        clock and reset, where they exist
//   LS_PORT(KIND, name, member, bits, count)  every other port; `member` of the model class
//   LS_REG(scope, var, name, bits, count)     a register; found by name, because only ports are members of an official class
//
// Plain tables and loops: each DUT compiles this anew, and with the C++ library's templates a small one took a quarter longer.
//
// LS_DUT_FILL_SCOPE, "" by default: in a design that wraps another, the instance path of the latter with a dot ("rtl."), so that
// its registers start as they do when it is built alone.

#include "dut.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#ifndef __cpp_aligned_new
#error "new would not align Verilator's classes as their code expects"
#endif

#if LS_DUT_WAVES
#include "verilated_fst_c.h"
#endif
#if LS_DUT_COVERAGE
#include "verilated_cov.h"
#endif

#ifndef LS_DUT_FILL_SCOPE
#define LS_DUT_FILL_SCOPE ""
#endif

void Vdut___024root___eval_settle(Vdut___024root *); // of the generated code
bool ls_inputs_held;                                 // for the generated code (make_units.c): dut_edge runs

struct ls_dut {
    ls_dut_stop_fn *on_stop;
    VerilatedContext *context;
    Vdut *top;
    bool closing; // its final blocks run: the end that $finish asks for is there
    ls_signal *signals;
    size_t signal_count;
    uint8_t *clock;
    uint8_t *reset;
#if LS_DUT_WAVES
    VerilatedFstC *wave;
#endif
};

namespace {

thread_local ls_dut *current = nullptr; // whose code runs: $finish and the like do not say
thread_local char last_message[1024];   // what $error or $fatal printed just before they stop

// Makes `dut` the one that the runtime's callbacks speak of.
void enter(ls_dut *dut) {
    current = dut;
    Verilated::threadContextp(dut->context);
}

void stop(ls_dut_stop what, const char *file, int line, const char *message) {
    if (what == LS_STOP_FINISH && current != nullptr && current->closing) {
        return;
    }
    char text[1400];
    if (file != nullptr && file[0] != '\0') {
        std::snprintf(text, sizeof text, "%s:%d: %s", file, line, message);
    } else {
        std::snprintf(text, sizeof text, "%s", message);
    }
    if (current != nullptr && current->on_stop != nullptr) {
        current->on_stop(what, text);
    } else {
        std::fprintf(stderr, "%s\n", text);
    }
    if (what == LS_STOP_FATAL) {
        std::abort();
    }
}

// One step of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
uint64_t draw(uint64_t &state) {
    state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

// Verilator wants a seed of 31 bits, not zero.
int seed_of(uint64_t fill) {
    const int seed = static_cast<int>(draw(fill) & 0x7fffffff);
    return seed != 0 ? seed : 1;
}

// Fills a register with bits that follow from the fill and its name (64-bit FNV-1a) alone: Verilator's own random values depend
// on what else is in the build, so that a build with waves would start from other contents.
void fill_signal(const ls_signal &s, uint64_t fill) {
    const size_t skip =
        std::strncmp(s.name, LS_DUT_FILL_SCOPE, sizeof LS_DUT_FILL_SCOPE - 1) == 0 ? sizeof LS_DUT_FILL_SCOPE - 1 : 0;
    uint64_t state = UINT64_C(0xcbf29ce484222325);
    for (const char *p = s.name + skip; *p != '\0'; p++) {
        state = (state ^ static_cast<unsigned char>(*p)) * UINT64_C(0x100000001b3);
    }
    state ^= draw(fill);
    for (uint32_t i = 0; i < s.count; i++) {
        uint8_t *const element = static_cast<uint8_t *>(s.addr) + static_cast<size_t>(i) * s.stride;
        for (uint32_t bit = 0; bit < s.stride * 8; bit += 64) {
            const uint32_t left = bit < s.bits ? s.bits - bit : 0;
            const uint64_t value = left >= 64 ? draw(state) : draw(state) & ((UINT64_C(1) << left) - 1);
            std::memcpy(element + bit / 8, &value, s.stride - bit / 8 < 8 ? s.stride - bit / 8 : 8);
        }
    }
}

#define LS_TOP(top)
#define LS_CLOCK(member)
#define LS_RESET(member)
#define LS_PORT(kind, name, member, bits, count)
#define LS_REG(scope, var, name, bits, count) {"TOP." scope, var, name, bits, count},
struct ls_register {
    const char *scope, *var, *name;
    uint32_t bits, count;
};
const ls_register registers[] = {
#include "ls_dut_table.inc"
    {}};
#undef LS_CLOCK
#undef LS_RESET
#undef LS_PORT
#undef LS_REG

void list_signals(ls_dut *dut) {
#define LS_CLOCK(member) dut->clock = reinterpret_cast<uint8_t *>(&dut->top->member);
#define LS_RESET(member) dut->reset = reinterpret_cast<uint8_t *>(&dut->top->member);
#define LS_PORT(kind, name, member, bits, count)
#define LS_REG(scope, var, name, bits, count)
#include "ls_dut_table.inc"
#undef LS_CLOCK
#undef LS_RESET
#undef LS_PORT
#define LS_CLOCK(member)
#define LS_RESET(member)
#define LS_PORT(kind, name, member, bits, count) {name, &dut->top->member, bits, count, ls_stride(bits), LS_SIGNAL_##kind},
    const ls_signal ports[] = {
#include "ls_dut_table.inc"
        {}};
#undef LS_TOP
#undef LS_PORT
    dut->signals = new ls_signal[sizeof ports / sizeof *ports + sizeof registers / sizeof *registers];
    for (const ls_signal *p = ports; p->name != nullptr; p++) {
        dut->signals[dut->signal_count++] = *p;
    }
    for (const ls_register *r = registers; r->name != nullptr; r++) {
        const VerilatedScope *const in = dut->context->scopeFind(r->scope);
        const VerilatedVar *const found = in != nullptr ? in->varFind(r->var) : nullptr;
        if (found != nullptr) {
            dut->signals[dut->signal_count++] = {r->name, found->datap(), r->bits, r->count, ls_stride(r->bits), LS_SIGNAL_REG};
        }
    }
}

void dut_close(ls_dut *dut) {
    if (dut == nullptr) {
        return;
    }
    enter(dut);
#if LS_DUT_WAVES
    delete dut->wave;
#endif
    dut->closing = true;
    if (dut->top != nullptr) {
        dut->top->final();
    }
    delete dut->top;
    Verilated::threadContextp(Verilated::defaultContextp());
    delete dut->context;
    delete[] dut->signals;
    delete dut;
    current = nullptr;
}

int x_now = LS_X_RANDOM;

void x_value(int value) { x_now = value; }

ls_dut *dut_open(uint64_t fill, ls_dut_stop_fn *on_stop) {
    ls_dut *dut = nullptr;
    try {
        dut = new ls_dut{};
        dut->on_stop = on_stop;
        dut->context = new VerilatedContext;
        enter(dut);
        static const char *arguments[] = {"lockstep"};
        dut->context->commandArgs(1, arguments); // $test$plusargs ends the process without
        dut->context->randReset(x_now);
        dut->context->randSeed(seed_of(fill)); // also restarts the runtime's one generator, which all instances of a thread share
#if LS_DUT_WAVES
        dut->context->traceEverOn(true);
#endif
        for (int i = 0; i < 16; i++) { // its first outputs are the seed, barely mixed
            (void)VL_RANDOM_I();
        }
        dut->top = new Vdut{dut->context, "TOP"};
        list_signals(dut);
    } catch (const std::bad_alloc &) {
        dut_close(dut);
        return nullptr;
    }
    for (size_t i = 0; i < dut->signal_count; i++) {
        const ls_signal &s = dut->signals[i];
        if (s.kind == LS_SIGNAL_IN) {
            std::memset(s.addr, 0, static_cast<size_t>(s.stride) * s.count);
        } else {
            fill_signal(s, fill); // outputs too: one may be a register
        }
    }
    for (uint8_t *const pin : {dut->clock, dut->reset}) {
        if (pin != nullptr) {
            *pin = 0;
        }
    }
    return dut;
}

void dut_eval(ls_dut *dut) {
    enter(dut);
    dut->top->eval();
}

void dut_edge(ls_dut *dut) {
    enter(dut);
    ls_inputs_held = true;
    dut->top->eval();
    ls_inputs_held = false;
}

void dut_settle(ls_dut *dut) {
    enter(dut);
    Vdut___024root___eval_settle(dut->top->rootp);
}

size_t dut_signals(ls_dut *dut, const ls_signal **list) {
    *list = dut->signals;
    return dut->signal_count;
}

uint8_t *dut_clock(ls_dut *dut) { return dut->clock; }
uint8_t *dut_reset(ls_dut *dut) { return dut->reset; }

// Verilator's writers end the process when they cannot make their file.
[[maybe_unused]] bool can_write(const char *path) {
    std::FILE *const file = std::fopen(path, "wb");
    return file != nullptr && std::fclose(file) == 0;
}

#if LS_DUT_WAVES
void wave_close(ls_dut *dut) {
    enter(dut);
    delete dut->wave; // closes the file
    dut->wave = nullptr;
}

int wave_open(ls_dut *dut, const char *path) {
    wave_close(dut);
    if (!can_write(path)) {
        return -1;
    }
    dut->wave = new VerilatedFstC;
    dut->top->trace(dut->wave, 1 << 20);
    dut->wave->open(path);
    if (!dut->wave->isOpen()) {
        wave_close(dut);
        return -1;
    }
    return 0;
}

void wave_dump(ls_dut *dut, uint64_t time) {
    if (dut->wave != nullptr) {
        enter(dut);
        dut->wave->dump(time);
    }
}
#endif

#if LS_DUT_COVERAGE
int coverage_write(ls_dut *dut, const char *path) {
    if (!can_write(path)) {
        return -1;
    }
    enter(dut);
    dut->context->coveragep()->write(path);
    return 0;
}
#endif

} // namespace

// The runtime's VL_PRINTF: what the RTL prints goes to stderr, because stdout belongs to the engine.
extern "C" int ls_dut_printf(const char *format, ...) {
    va_list list;
    va_start(list, format);
    char text[sizeof last_message];
    const int size = std::vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (std::strstr(text, "%Fatal: ") != nullptr || std::strstr(text, "%Error: ") != nullptr) {
        std::memcpy(last_message, text, sizeof text);
    }
    if (size >= static_cast<int>(sizeof text)) {
        va_start(list, format);
        std::vfprintf(stderr, format, list);
        va_end(list);
    } else {
        std::fputs(text, stderr);
    }
    return size;
}

void vl_finish(const char *file, int line, const char *) { stop(LS_STOP_FINISH, file, line, "$finish"); }

// $stop, and after a message by ls_dut_printf ("[0] %Error: file:line: Assertion failed in TOP.top: text") a failed assertion,
// $error and $fatal. Verilator 5.006 says "%Error" for $fatal too: the two cannot be told apart there.
void vl_stop(const char *file, int line, const char *) {
    const char *const said = std::strchr(last_message, '%');
    const bool fatal = said != nullptr && std::strncmp(said, "%Fatal:", 7) == 0;
    char where[32], message[sizeof last_message];
    (void)std::snprintf(where, sizeof where, ":%d: ", line);
    const char *const at = said != nullptr ? std::strstr(said, where) : nullptr;
    std::strcpy(message, at != nullptr ? at + std::strlen(where) : said != nullptr ? said : "$stop");
    last_message[0] = '\0';
    for (size_t end = std::strlen(message); end > 0 && message[end - 1] == '\n'; end--) {
        message[end - 1] = '\0';
    }
    stop(fatal ? LS_STOP_FATAL : LS_STOP_STOP, file, line, message);
}

void vl_fatal(const char *file, int line, const char *, const char *message) { stop(LS_STOP_FATAL, file, line, message); }

extern "C" __attribute__((visibility("default"))) const ls_dut_api ls_dut_table;
const ls_dut_api ls_dut_table = {
    LS_DUT_ABI,
#define LS_TOP(top) top
#define LS_PORT(kind, name, member, bits, count)
#include "ls_dut_table.inc"
    ,
    LS_DUT_VERILATOR,
    dut_open,
    dut_close,
    dut_eval,
    dut_edge,
    dut_settle,
    dut_signals,
    dut_clock,
    dut_reset,
#if LS_DUT_WAVES
    wave_open,
    wave_dump,
    wave_close,
#else
    nullptr,    nullptr,          nullptr,
#endif
#if LS_DUT_COVERAGE
    coverage_write,
#else
    nullptr,
#endif
    x_value,
};
