/* SPDX-License-Identifier: Apache-2.0 */
/* Random PTX: the instructions that compute and those that access memory, as templates (random_ptx_inside.h). */
#include <string.h>

#include "tb/workload/judge/random_ptx_inside.h"

typedef struct template {
    uint64_t needs; /* features */
    const char *text;
}
template;

#define N(f) (UINT64_C(1) << F_##f)

static const template integer[] = {
    {0, "<add|sub|mul.lo|mul.hi|min|max>.<s|u>32 ~r, ~r, ~R"},
    {0, "mad.<lo|lo|hi>.<s|u>32 ~r, ~r, ~R, ~R"},
    {0, "<abs|neg>.s32 ~r, ~r"},
    {0, "sad.<s|u>32 ~r, ~r, ~R, ~R"},
    {0, "<not|cnot>.b32 ~r, ~r"},
    {0, "<and|or|xor>.b32 ~r, ~r, ~R"},
    {0, "!and.b32 ~1, ~r, 63; <shl.b|shr.s|shr.u>32 ~r, ~r, ~1"},
    {0, "<shl.b|shr.s|shr.u|shr.b>32 ~r, ~r, <~R|~n>"},
    {0, "mov.<b|u|s>32 ~r, ~R"},
    {0, "mov.u32 ~r, "
        "<%%tid.x|%%tid.y|%%tid.z|%%ntid.x|%%ntid.y|%%ntid.z|%%ctaid.x|%%ctaid.y|%%ctaid.z|%%nctaid.x|%%nctaid.y|%%nctaid.z>"},
    {0, "mov.u32 ~r, %%<laneid|lanemask_eq|lanemask_le|lanemask_lt|lanemask_ge|lanemask_gt>"},
    {N(DIV), "<div|rem>.<s|u>32 ~r, ~r, ~R"},
    {N(W64), "<add|sub|mul.lo|mul.hi|min|max>.<s|u>64 ~d, ~d, ~D"},
    {N(W64), "mad.<lo|lo|hi>.<s|u>64 ~d, ~d, ~D, ~D"},
    {N(W64), "<abs|neg>.s64 ~d, ~d"},
    {N(W64), "sad.<s|u>64 ~d, ~d, ~D, ~D"},
    {N(W64), "<not|cnot>.b64 ~d, ~d"},
    {N(W64), "<and|or|xor>.b64 ~d, ~d, ~D"},
    {N(W64), "!and.b32 ~1, ~r, 127; <shl.b|shr.s|shr.u>64 ~d, ~d, ~1"},
    {N(W64), "<shl.b|shr.s|shr.u>64 ~d, ~d, <~R|~n>"},
    {N(W64), "mov.<b|u|s>64 ~d, ~D"},
    {N(W64) | N(DIV), "<div|rem>.<s|u>64 ~d, ~d, ~D"},
    {N(W64), "mul.wide.<s|u>32 ~d, ~r, ~R"},
    {N(W64), "mad.wide.<s|u>32 ~d, ~r, ~R, ~D"},
    {N(W16), "<add|sub|mul.lo|mul.hi|min|max>.<s|u>16 ~h, ~h, ~H"},
    {N(W16), "mad.<lo|hi>.<s|u>16 ~h, ~h, ~H, ~H"},
    {N(W16), "<abs|neg>.s16 ~h, ~h"},
    {N(W16), "<not|cnot>.b16 ~h, ~h"},
    {N(W16), "<and|or|xor>.b16 ~h, ~h, ~H"},
    {N(W16), "<shl.b|shr.s|shr.u>16 ~h, ~h, <~R|~n>"},
    {N(W16) | N(DIV), "<div|rem>.<s|u>16 ~h, ~h, ~H"},
    {N(W16), "mul.wide.<s|u>16 ~r, ~h, ~H"},
    {N(W16), "mad.wide.<s|u>16 ~r, ~h, ~H, ~R"},
    {N(SAT), "<add|sub>.sat.s32 ~r, ~r, ~R"},
    {N(SAT), "mad.hi.sat.s32 ~r, ~r, ~R, ~R"},
    {N(CARRY), "!add.cc.<s|u>32 ~r, ~r, ~R; !addc.cc.<s|u>32 ~r, ~r, ~R; !addc.<s|u>32 ~r, ~r, ~R"},
    {N(CARRY), "!sub.cc.<s|u>32 ~r, ~r, ~R; !subc.cc.<s|u>32 ~r, ~r, ~R; !subc.<s|u>32 ~r, ~r, ~R"},
    {N(CARRY), "!mad.lo.cc.u32 ~r, ~r, ~R, ~R; !madc.hi.cc.<s|u>32 ~r, ~r, ~R, ~R; !addc.u32 ~r, ~r, 0"},
    {N(CARRY),
     "!<add|sub>.cc.u32 ~r, ~r, ~R; !@~p <add|sub>.cc.u32 ~r, ~r, ~R; !addc.u32 ~r, ~r, ~R"}, /* some lanes keep the first's */
    {N(CARRY) | N(GUARD), "add.cc.u32 ~r, ~r, ~R; !subc.cc.u32 ~r, ~r, 0; madc.lo.u32 ~r, ~r, ~R, ~R"},
    {N(CARRY) | N(W64), "!<add|sub>.cc.u64 ~d, ~d, ~D; !<add|sub>c.s64 ~d, ~d, ~D"},
};

static const template bits[] = {
    {N(BITS), "<popc|clz>.b32 ~r, ~r"},
    {N(BITS), "bfind<|.shiftamt>.<s|u>32 ~r, ~r"},
    {N(BITS), "brev.b32 ~r, ~r"},
    {N(BITS), "!and.b32 ~1, ~r, <31|63>; !and.b32 ~2, ~r, <31|63|15>; <bfe.s32 ~r|bfe.u32 ~r|bfi.b32 ~r, ~R>, ~r, ~1, ~2"},
    {N(BITS), "<bfe.s32 ~r|bfe.u32 ~r|bfi.b32 ~r, ~R>, ~r, <~n|~b>, <~n|~b>"},
    {N(BITS), "prmt.b32 ~r, ~r, ~R, <~R|0x3715|0x7a4d|0xc0b9|0x2604>"},
    {N(BITS), "prmt.b32.<f4e|b4e|rc8|ecl|ecr|rc16> ~r, ~r, ~R, ~R"},
    {N(BITS), "lop3.b32 ~r, ~r, ~R, ~R, ~b"},
    {N(BITS), "shf.<l|r>.<wrap|clamp>.b32 ~r, ~r, ~R, <~R|~n>"},
    {N(BITS), "mul24.<lo|hi>.<s|u>32 ~r, ~r, ~R"},
    {N(BITS), "mad24.<lo|hi>.<s|u>32 ~r, ~r, ~R, ~R"},
    {N(BITS), "dp4a.<s|u>32.<s|u>32 ~r, ~r, ~R, ~R"},
    {N(BITS) | N(W64), "<popc|clz>.b64 ~r, ~d"},
    {N(BITS) | N(W64), "bfind<|.shiftamt>.<s|u>64 ~r, ~d"},
    {N(BITS) | N(W64), "brev.b64 ~d, ~d"},
    {N(BITS) | N(W64), "!and.b32 ~1, ~r, <63|127>; !and.b32 ~2, ~r, <63|15>; <bfe.s64 ~d|bfe.u64 ~d|bfi.b64 ~d, ~D>, ~d, ~1, ~2"},
    {N(PACK) | N(W64), "mov.b64 ~d, {~r, ~r}"},
    {N(PACK) | N(W64), "mov.b64 {%%r0, %%r1}, ~d"},
    {N(PACK) | N(W16), "mov.b32 ~r, {~h, ~h}"},
    {N(PACK) | N(W16), "mov.b32 {%%h1, %%h0}, ~r"},
    {N(PACK) | N(W16) | N(W64), "mov.b64 ~d, {~h, ~h, ~h, ~h}"},
    {N(PACK) | N(W16) | N(W64), "mov.b64 {%%h0, %%h1, %%h2, _}, ~d"},
    {N(PACK) | N(W64), "mov.b64 <{~1, ~r}|{~r, ~1}>, ~d"}, /* one half is dead at once */
    {N(PACK) | N(F32), "mov.b32 ~f, ~r"},
    {N(PACK) | N(F64) | N(W64), "mov.b64 ~g, ~d"},
    {N(PACK) | N(F64), "mov.b64 ~g, {~r, ~r}"},
};

static const template choice[] = {
    {0, "setp.~E.b32 ~p, ~r, ~R"},
    {0, "setp.<~C.s|~U.u>32 ~p, ~r, ~R"},
    {0, "setp.<~C.and.s|~U.or.u|~U.xor.u>32 ~p, ~r, ~R, <|!>~p"},
    {0, "setp.<~C.s|~U.u>32 %%p0|%%p1, ~r, ~R"},
    {0, "setp.~C.s32 <~p~|~7|~7~|~p>, ~r, ~R"},
    {0, "setp.<~C.and.s|~C.or.s|~U.xor.u>32 %%p1|%%p0, ~r, ~R, <|!>~p"},
    {0, "<and|or|xor>.pred ~p, ~p, ~p"},
    {0, "<not|mov>.pred ~p, ~p"},
    {N(W64), "setp.<~C.s|~U.u|~E.b>64 ~p, ~d, ~D"},
    {N(W16), "setp.<~C.s|~U.u|~E.b>16 ~p, ~h, ~H"},
    {N(F32), "setp.~K~z.f32 ~p, ~f, ~F"},
    {N(F32), "setp.~K.<and|or|xor>~z.f32 ~p, ~f, ~F, <|!>~p"},
    {N(F64), "setp.~K.f64 ~p, ~g, ~G"},
    {N(SELECT), "selp.<b|u|s>32 ~r, ~R, ~R, ~p"},
    {N(SELECT), "slct.<b|u|s>32.s32 ~r, ~r, ~R, ~r"},
    {N(SELECT), "set.<~C.u32.s|~U.s32.u>32 ~r, ~r, ~R"},
    {N(SELECT), "set.<~C.and.u32.s|~U.xor.u32.u>32 ~r, ~r, ~R, <|!>~p"},
    {N(SELECT) | N(W64), "selp.<b|u|s>64 ~d, ~D, ~D, ~p"},
    {N(SELECT) | N(W64), "slct.<b|u|s>64.s32 ~d, ~d, ~D, ~r"},
    {N(SELECT) | N(W64), "set.<~C.u32.s|~U.s32.u>64 ~r, ~d, ~D"},
    {N(SELECT) | N(W16), "selp.<b|u|s>16 ~h, ~h, ~H, ~p"},
    {N(SELECT) | N(W16), "slct.<b|u|s>16.s32 ~h, ~h, ~H, ~r"},
    {N(SELECT) | N(F32), "selp.f32 ~f, ~F, ~F, ~p"},
    {N(SELECT) | N(F32), "slct~z.u32.f32 ~r, ~r, ~R, ~f"},
    {N(SELECT) | N(F32), "slct~z.f32.f32 ~f, ~f, ~F, ~f"},
    {N(SELECT) | N(F32), "set.~K~z.u32.f32 ~r, ~f, ~F"},
    {N(SELECT) | N(F32), "set.~K~z.f32.f32 ~f, ~f, ~F"},
    {N(SELECT) | N(F32), "set.~C.f32.s32 ~f, ~r, ~R"},
    {N(SELECT) | N(F64), "selp.f64 ~g, ~G, ~G, ~p"},
    {N(SELECT) | N(F64), "set.~K.<u|s>32.f64 ~r, ~g, ~G"},
};

static const template real[] = {
    {N(F32), "<fma|mad>.~o~z~s.f32 ~f, ~f, ~F, ~f"},
    {N(F32), "<add|sub|mul>~z~s.f32 ~f, ~f, ~F"},
    {N(F32), "<add|sub|mul>.~o~z~s.f32 ~f, ~f, ~F"},
    {N(F32), "<min|max>~z.f32 ~f, ~f, ~F"},
    {N(F32), "<abs|neg>~z.f32 ~f, ~f"},
    {N(F32) | N(DIV), "div.~o~z.f32 ~f, ~f, ~F"},
    {N(F32) | N(DIV), "<sqrt|rcp>.~o~z.f32 ~f, ~f"},
    {N(F32), "!mov.f32 ~9, ~f; !setp.nan.f32 ~7, ~9, ~9; !selp.f32 ~9, 0f80000000, ~9, ~7; copysign.f32 ~f, ~9, ~F"},
    {N(F32), "testp.<finite|infinite|number|notanumber|normal|subnormal>.f32 ~p, ~f"},
    {N(F32), "mov.f32 ~f, ~F"},
    {N(F32) | N(APPROX), "<rcp|sqrt|rsqrt|sin|cos|lg2|ex2>.approx~z.f32 ~f, ~f"},
    {N(F64), "<fma|mad>.~o.f64 ~g, ~g, ~G, ~g"},
    {N(F64), "<add|sub|mul>.~o.f64 ~g, ~g, ~G"},
    {N(F64), "<add|sub|mul>.f64 ~g, ~g, ~G"},
    {N(F64), "<min|max>.f64 ~g, ~g, ~G"},
    {N(F64), "<abs|neg>.f64 ~g, ~g"},
    {N(F64) | N(DIV), "div.~o.f64 ~g, ~g, ~G"},
    {N(F64) | N(DIV), "<sqrt|rcp>.~o.f64 ~g, ~g"},
    {N(F64), "!mov.f64 ~0, ~g; !setp.nan.f64 ~7, ~0, ~0; !selp.f64 ~0, 0dBFF0000000000000, ~0, ~7; copysign.f64 ~g, ~0, ~G"},
    {N(F64), "testp.<finite|infinite|number|notanumber|normal|subnormal>.f64 ~p, ~g"},
    {N(F64), "mov.f64 ~g, ~G"},
};

static const template conversion[] = {
    {N(CVT), "cvt.<s32.s16|u32.u16|s32.u16|u32.s16> ~r, ~r"},
    {N(CVT) | N(W16), "cvt.<s32.s16|u32.u16|s32.u16|u32.s16> ~r, ~h"},
    {N(CVT) | N(W16), "cvt.<s|u>16.<s|u>32 ~h, ~r"},
    {N(CVT) | N(W64), "cvt.<s|u>32.<s|u>64 ~r, ~d"},
    {N(CVT) | N(W64), "cvt.<s|u>64.<s|u>32 ~d, ~r"},
    {N(CVT) | N(W64) | N(W16), "cvt.<s|u>16.<s|u>64 ~h, ~d"},
    {N(CVT) | N(W64) | N(W16), "cvt.<s|u>64.<s|u>16 ~d, ~h"},
    {N(CVT) | N(BYTE), "cvt.<s|u><8|16>.<s|u>32 ~r, ~r"},
    {N(CVT) | N(BYTE), "cvt.<s|u>32.<s|u>8 ~r, ~r"},
    {N(CVT) | N(BYTE) | N(W16), "cvt.<s|u>8.<s|u>16 ~h, ~h"},
    {N(CVT) | N(BYTE) | N(W64), "cvt.<s|u>64.<s|u>8 ~d, ~r"},
    {N(CVT) | N(BYTE) | N(W64), "cvt.<s|u><8|16|32>.<s|u>64 ~d, ~d"},
    {N(CVT) | N(SAT), "cvt.sat.<u32.s|s32.u|s16.s|u16.s>32 ~r, ~r"},
    {N(CVT) | N(SAT) | N(BYTE), "cvt.sat.<u|s>8.<s|u><16|32> ~r, ~r"},
    {N(CVT) | N(SAT) | N(W64), "cvt.sat.<u|s>32.<s|u>64 ~r, ~d"},
    {N(CVT) | N(F32), "cvt.~o.f32.<s|u>32 ~f, ~r"},
    {N(CVT) | N(F32) | N(BYTE), "cvt.~o.f32.<s|u>8 ~f, ~r"},
    {N(CVT) | N(F32) | N(W16), "cvt.~o.f32.<s|u>16 ~f, ~h"},
    {N(CVT) | N(F32) | N(W64), "cvt.~o.f32.<s|u>64 ~f, ~d"},
    {N(CVT) | N(F32), "cvt.~O~z.<s|u>32.f32 ~r, ~f"},
    {N(CVT) | N(F32) | N(BYTE), "cvt.~O~z.<s|u>8.f32 ~r, ~f"},
    {N(CVT) | N(F32) | N(W16), "cvt.~O~z.<s|u>16.f32 ~h, ~f"},
    {N(CVT) | N(F32) | N(W64), "cvt.~O~z.<s|u>64.f32 ~d, ~f"},
    {N(CVT) | N(F32), "cvt.~O~z~s.f32.f32 ~f, ~f"},
    {N(CVT) | N(F64), "cvt.~o.f64.<s|u>32 ~g, ~r"},
    {N(CVT) | N(F64) | N(W64), "cvt.~o.f64.<s|u>64 ~g, ~d"},
    {N(CVT) | N(F64), "cvt.~O.<s|u><16|32>.f64 ~r, ~g"},
    {N(CVT) | N(F64) | N(W64), "cvt.~O.<s|u>64.f64 ~d, ~g"},
    {N(CVT) | N(F64), "cvt.~O.f64.f64 ~g, ~g"},
    {N(CVT) | N(F32) | N(W16), "cvt.f32.f16 ~f, ~h"},
    {N(CVT) | N(F32) | N(W16),
     "!mov.f32 ~9, ~f; !setp.nan.f32 ~7, ~9, ~9; !selp.f32 ~9, 0f3F801000, ~9, ~7; cvt.~o.f16.f32 ~h, ~9"},
    {N(CVT) | N(F32) | N(W16),
     "!cvt.rn.f32.s16 ~9, ~h; !mul.f32 ~9, ~9, <0f33800000|0f3A000000|0f3F801000>; cvt.~o.f16.f32 ~h, ~9"},
    {N(CVT) | N(F64) | N(F32), "cvt~z.f64.f32 ~g, ~f"},
    {N(CVT) | N(F64) | N(F32), "cvt.~o~z~s.f32.f64 ~f, ~g"},
};

/* Addresses in the input: %in is its base, %out the thread's slots, %atoms the atomics' cells, %mine the offset of its shared
 * slots (never written again). */
#define IN(mask, shift) "!and.b32 ~1, ~r, " mask "; !shl.b32 ~2, ~1, " shift "; !cvt.u64.u32 ~5, ~2; !add.s64 ~6, %%in, ~5; "
#define IN_WIDE(mask, scale) "!and.b32 ~1, ~r, " mask "; !mul.wide.u32 ~5, ~1, " scale "; !add.s64 ~6, %%in, ~5; "
#define AT_TABLE(name) "!and.b32 ~1, ~r, 60; !cvt.u64.u32 ~5, ~1; !mov.u64 ~6, " name "; !add.s64 ~6, ~6, ~5; "
#define AT_STACK "!and.b32 ~1, ~r, 0x30; !cvt.u64.u32 ~5, ~1; !mov.u64 ~6, stack; !add.u64 ~6, ~6, ~5; "
#define AT_MINE "!mov.u32 ~1, slots; !add.u32 ~2, ~1, %%mine; !cvt.u64.u32 ~6, ~2; "

static const template memory[] = {
    {0, IN("511", "2") "ld<.global|.global.nc|.volatile.global>.<u|s|b>32 ~r, [~6+<0|4|64|2044>]"},
    {0, IN_WIDE("511", "4") "ld<.global|.global|>.<u|s|b>32 ~r, [~6]"},
    {N(W64), IN_WIDE("255", "8") "ld.global.<u|s|b>64 ~d, [~6+<0|8|2040>]"},
    {N(W16), IN_WIDE("1023", "2") "ld.global.<u|s|b>16 <~h|~r>, [~6+<0|2|2046>]"},
    {N(BYTE), IN("2047", "0") "ld.global.<u|s>8 ~r, [~6+<0|1|2047>]"},
    {N(BYTE) | N(W16), IN("2047", "0") "ld.global.<u|s|b>8 ~h, [~6+<0|1|2047>]"},
    {N(BYTE) | N(W64), IN("2047", "0") "ld.global.<u|s>8 ~d, [~6+<0|1|2047>]"},
    {N(W64), IN_WIDE("511", "4") "ld.global.<u|s>32 ~d, [~6+<0|4|64|2044>]"},
    {N(F32), IN("511", "2") "ld.global.f32 ~f, [~6+<0|4|2044>]"},
    {N(F64), IN_WIDE("255", "8") "ld.global.f64 ~g, [~6+<0|8|2040>]"},
    {N(VECTOR), IN_WIDE("255", "8") "ld.global.v2.<u|b>32 {%%r0, <%%r1|_>}, [~6+<0|8>]"},
    {N(VECTOR), IN_WIDE("127", "16") "ld.global.v4.<u|b>32 {%%r1, %%r0, %%r3, %%r4}, [~6+<0|16>]"},
    {N(VECTOR), IN_WIDE("127", "16") "ld.global.v4.u32 <{~1, ~2, ~r, ~3}|{~r, ~3, ~2, ~1}>, [~6]"},
    {N(VECTOR) | N(F32), IN_WIDE("127", "16") "ld.global.v4.f32 {%%f1, %%f0, %%f2, _}, [~6]"},
    {N(VECTOR) | N(W64), IN_WIDE("127", "16") "ld.global.v2.b64 {%%d1, %%d0}, [~6+32]"},
    {N(VECTOR) | N(F64), IN_WIDE("127", "16") "ld.global.v2.f64 {%%g0, %%g1}, [~6+32]"},
    {N(VECTOR) | N(W16), IN_WIDE("255", "8") "ld.global.v4.u16 {%%h2, %%h1, %%h0, _}, [~6]"},
    {N(VECTOR) | N(BYTE), IN("511", "2") "ld.global.v4.u8 {%%r3, %%r0, %%r4, %%r1}, [~6]"},
    {0, "membar.<gl|cta>"},
    {0, "st<|.volatile>.global.<u|s|b>32 [%%out+<0|4|8|12>], ~R"},
    {0, "ld<.global|>.u32 ~r, [%%out+<0|4|8|12>]"},
    {N(BYTE), "st.global.<u|b>8 [%%out+<1|5|10|15>], ~r; <ld.global.s8 ~r|ld.global.u8 ~r>, [%%out+<0|5|14|15>]"},
    {N(W16), "st.global.u16 [%%out+<2|6|8>], ~h; <ld.global.s16 ~r|ld.global.u16 ~h>, [%%out+<0|6|14>]"},
    {N(W64), "st.global.u64 [%%out+<16|24>], ~D; ld.global.u64 ~d, [%%out+<16|24>]"},
    {N(VECTOR), "st.global.v2.u32 [%%out+<0|8|16>], {~r, ~r}"},
    {N(VECTOR), "st.global.v4.u32 [%%out+<0|16>], {~r, ~R, ~r, ~r}"},
    {N(VECTOR) | N(W64), "st.global.v2.u64 [%%out+32], {~d, ~d}"},
    {N(F32), "!mov.f32 ~9, ~f; !setp.nan.f32 ~7, ~9, ~9; !selp.f32 ~9, 0f7FFFFFFF, ~9, ~7; st.global.f32 [%%out+<0|4>], ~9"},
    {N(F64),
     "!mov.f64 ~0, ~g; !setp.nan.f64 ~7, ~0, ~0; !selp.f64 ~0, 0d7FF8000000000000, ~0, ~7; st.global.f64 [%%out+<16|24>], ~0"},
    {N(TABLE), AT_TABLE("ctable") "ld.const.<u|s|b>32 ~r, [~6+<0|4|64>]"},
    {N(TABLE), AT_TABLE("gtable") "ld.global.u32 ~r, [~6]"},
    {N(TABLE), "ld.const.u32 ~r, [ctable+<0|4|60|124>]"},
    {N(TABLE), "ld.global.u32 ~r, [gtable+<0|4|60>]"},
    {N(TABLE) | N(BYTE), "ld.const.<u|s>8 ~r, [cbytes+<0|1|2|6>]"},
    {N(TABLE) | N(F32), "ld.const.f32 ~f, [creal<|+4|+8>]"},
    {N(TABLE) | N(F64), "ld.global.f64 ~g, [greal<|+8>]"},
    {N(TABLE) | N(W64), "ld.global.u64 ~d, [glong<|+8|+16>]"},
    {0, "ld.param.u32 ~r, [<p_word|p_struct|p_struct+20>]"},
    {N(BYTE), "ld.param.<s|u>8 ~r, [<p_byte|p_struct+13>]"},
    {N(W16), "ld.param.<s|u>16 <~r|~h>, [<p_half|p_struct+6>]"},
    {N(W64), "ld.param.<b|u|s>64 ~d, [<p_long|p_struct+8>]"},
    {N(F32), "ld.param.f32 ~f, [p_real]"},
    {N(F64), "ld.param.f64 ~g, [p_double]"},
    {N(LOCAL), AT_STACK "st.local.<u|b>32 [~6+<0|4|12>], ~r"},
    {N(LOCAL), AT_STACK "ld.local.<u|b>32 ~r, [~6+<0|4|12>]"},
    {N(LOCAL), "st.local.u32 [stack+<0|20|60>], ~r; ld.local.u32 ~r, [stack+<0|20|56>]"},
    {N(LOCAL) | N(W64), AT_STACK "st.local.u64 [~6+<0|8>], ~d; ld.local.u64 ~d, [~6+<0|8>]"},
    {N(LOCAL) | N(VECTOR), AT_STACK "st.local.v2.u32 [~6+<0|8>], {~r, ~r}; ld.local.v4.u32 {%%r0, %%r4, %%r1, %%r3}, [~6]"},
    {N(LOCAL) | N(BYTE), AT_STACK "st.local.u8 [~6+<0|3|9>], ~r; ld.local.s8 ~r, [~6+<3|14>]"},
    {N(LOCAL) | N(GENERIC), AT_STACK "!cvta.local.u64 ~5, ~6; st.u32 [~5+<0|4>], ~r; ld.u32 ~r, [~5+<0|4|8>]"},
    {N(SHARED), AT_MINE "st.shared.<u|b>32 [~6+<0|4|12>], ~r; ld.shared.<u|b>32 ~r, [~6+<0|4|12>]"},
    {N(SHARED), "!mov.u32 ~1, slots; !add.u32 ~2, ~1, %%mine; !cvt.u64.u32 ~6, ~2; ld.shared.u32 ~r, [~6+8]"},
    {N(SHARED) | N(W64), AT_MINE "st<|.volatile>.shared.u64 [~6+<0|8>], ~d; ld.shared.s64 ~d, [~6+<0|8>]"},
    {N(SHARED) | N(VECTOR), AT_MINE "st.shared.v4.u32 [~6], {~r, ~r, ~r, ~R}; ld.shared.v2.u32 {%%r3, %%r0}, [~6+8]"},
    {N(SHARED) | N(BYTE), AT_MINE "st.shared.u8 [~6+<1|7>], ~r; ld.shared.<u|s>16 ~r, [~6+<0|6>]"},
    {N(SHARED) | N(GENERIC), AT_MINE "!cvta.shared.u64 ~5, ~6; st.u32 [~5+4], ~r; ld.<u|s>32 ~r, [~5+<0|4|8>]"},
    {N(SHARED) | N(GENERIC), AT_MINE "!cvta.shared.u64 ~5, ~6; !cvta.to.shared.u64 ~6, ~5; ld.shared.u32 ~r, [~6]"},
    {N(GENERIC), "!cvta.to.global.u64 ~5, %%out; !cvta.global.u64 ~6, ~5; st.u32 [~6+4], ~r; ld.global.u32 ~r, [~5+<0|4>]"},
    /* A cell sees one operation only; what comes back depends on the order, so it goes to a register that nobody reads. */
    {N(ATOM), "!and.b32 ~1, ~r, 28; !cvt.u64.u32 ~5, ~1; !add.s64 ~6, %%atoms, ~5; "
              "red.global.<add.u32 [~6|add.s32 [~6|min.u32 [~6+32|max.u32 [~6+64|min.s32 [~6+96|max.s32 [~6+128|and.b32 [~6+160|"
              "or.b32 [~6+192|xor.b32 [~6+224>], ~r"},
    {N(ATOM), "!and.b32 ~1, ~r, 28; !cvt.u64.u32 ~5, ~1; !add.s64 ~6, %%atoms, ~5; "
              "atom<.global|>.<add.u32 ~3, [~6|max.s32 ~3, [~6+128|or.b32 ~3, [~6+192>], ~r"},
    {N(ATOM) | N(W64),
     "!and.b32 ~1, ~r, 24; !cvt.u64.u32 ~5, ~1; !add.s64 ~6, %%atoms, ~5; "
     "red.global.<add.u64 [~6+512|min.u64 [~6+544|max.s64 [~6+576|and.b64 [~6+608|or.b64 [~6+640|xor.b64 [~6+672>], ~d"},
    {N(ATOM), "<red.global.add.u32|red.global.add.s32> [gcount+<0|4|8|12>], <~R|1>"},
    {N(ATOM), "atom.global.<add.u32|exch.b32|min.s32|max.u32|and.b32|xor.b32|inc.u32|dec.u32> ~r, [%%out+<0|4|8|12>], ~R"},
    {N(ATOM), "!and.b32 ~1, ~r, 28; !cvt.u64.u32 ~5, ~1; !add.s64 ~6, %%atoms, ~5; <red.global.inc.u32 |atom.global.inc.u32 ~3, "
              ">[~6+256], 7"},
    {N(ATOM), "atom.global.cas.b32 ~r, [%%out+<0|4|8|12>], ~R, ~R"},
    {N(ATOM) | N(W64), "atom.global.<add.u64|exch.b64|min.s64|max.u64|or.b64> ~d, [%%out+<16|24>], ~D"},
    {N(ATOM) | N(SHARED),
     "!and.b32 ~1, ~r, 12; !mov.u32 ~2, cells; !add.u32 ~1, ~1, ~2; red.shared.<add.u32 [~1|max.s32 [~1+16|xor.b32 [~1+32>], ~r"},
};

#define COUNT(list) ((uint32_t)(sizeof(list) / sizeof *(list)))

/* A template whose needs are met, by rejection; some lists may have none. */
static void from_list(random_gen *g, const template *list, uint32_t n) {
    for (uint32_t tries = 0; tries < 20; tries++) {
        const template *const t = &list[below(g, n)];
        if ((t->needs & ~g->features) != 0) continue;
        random_emit(g, t->text, 0);
        return;
    }
}

void random_memory(random_gen *g) { from_list(g, memory, COUNT(memory)); }

void random_compute(random_gen *g) {
    switch (below(g, 12)) {
    case 0:
        from_list(g, bits, COUNT(bits));
        break;
    case 1:
    case 2:
        from_list(g, choice, COUNT(choice));
        break;
    case 3:
    case 4:
        from_list(g, real, COUNT(real));
        break;
    case 5:
        from_list(g, conversion, COUNT(conversion));
        break;
    default:
        from_list(g, integer, COUNT(integer));
    }
}

uint32_t random_predicate(random_gen *g) {
    if (chance(g, 40)) return below(g, g->pool[PR]);
    const uint32_t p = random_temp(g, PR);
    switch (below(g, 4)) {
    case 0:
        random_emit(g, "!setp.<~C.s|~U.u>32 %%p%u, ~r, ~R", (unsigned)p);
        break;
    case 1:
        random_emit(g, "!setp.~C.and.s32 %%p%u, ~r, ~R, ~p", (unsigned)p);
        break;
    default:
        random_emit(g, "!and.b32 ~1, ~r, <1|2|4|8|16|3>; !setp.~E.b32 %%p%u, ~1, 0", (unsigned)p);
    }
    return p;
}
