/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of records, packed structs that are compared and driven member by member: harness/core/plan.c and field.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/common/rf_types.h"
#include "harness/core/pair.h"
#include "harness/base/rng.h"
#include "tb/harness/differs.h"

/* A record's bits lie in the DUT as a struct's, the first member uppermost; in the model each member is a number or an array. */
typedef struct record {
    ls_fields fields;
    ls_signal signal;
    ls_binding binding;
    uint8_t *dut, *model, *seen;
    size_t dut_bytes, model_bytes;
} record;

static void start_record(record *r, ls_kind kind, bool unpacked, bool masked, ls_rng *rng) {
    static const char *const names[] = {"x_i", "x_o", "x"};
    const uint32_t members = 1 + (uint32_t)ls_rng_below(rng, 9), count = 1 + (uint32_t)ls_rng_below(rng, 5);
    uint32_t bits = 0;
    *r = (record){0};
    ls_fields_add(&r->fields,
                  &(ls_field){.name = (char *)(uintptr_t) "x", .kind = kind, .count = count, .offset = 8, .unit = "rf_x"});
    for (uint32_t i = 0; i < members; i++) {
        const uint32_t size = 1u << ls_rng_below(rng, 4), n = ls_rng_chance(rng, 128) ? 1 : 1 + (uint32_t)ls_rng_below(rng, 6);
        const uint32_t width = 1 + (uint32_t)ls_rng_below(rng, size < 8 ? 8 * size : 24);
        char name[16];
        (void)snprintf(name, sizeof name, "m%u", i);
        ls_field *f = &r->fields.list[0];
        ls_fields_member(&r->fields, kind,
                         &(ls_member){.name = name, .bits = width, .count = n, .offset = f->size, .size = size});
        f->size += size * n;
        bits += width * n;
    }
    ls_field *f = &r->fields.list[0];
    assert_int_equal(f->bits, bits);
    r->signal = (ls_signal){.name = names[kind],
                            .bits = unpacked ? bits : bits * count,
                            .count = unpacked ? count : 1,
                            .stride = storage(unpacked ? bits : bits * count),
                            .kind = kind == LS_IN    ? LS_SIGNAL_IN
                                    : kind == LS_OUT ? LS_SIGNAL_OUT
                                                     : LS_SIGNAL_REG};
    r->dut_bytes = (size_t)r->signal.stride * r->signal.count;
    r->model_bytes = (size_t)f->size * count;
    r->signal.addr = r->dut = calloc(r->dut_bytes + 8, 1);
    r->model = calloc(r->model_bytes + 16, 1);
    assert_non_null(r->dut);
    assert_non_null(r->model);
    if (masked) {
        const size_t bytes = (size_t)count * ((bits + 7) / 8);
        f->seen = r->seen = malloc(bytes);
        assert_non_null(r->seen);
        for (size_t i = 0; i < bytes; i++) r->seen[i] = (uint8_t)ls_rng_u64(rng);
    }
    char error[256] = "";
    if (ls_bind(&r->binding, &r->fields, &r->signal, 1, false, error, sizeof error) != 0) fail_msg("record: %s", error);
}

static void stop_record(record *r) {
    ls_binding_free(&r->binding);
    ls_fields_free(&r->fields);
    free(r->dut);
    free(r->model);
    free(r->seen);
}

/* Flips bit `bit` of element `k` of member `member` of record `e`, on one side. */
static void flip(const record *r, bool dut, uint32_t e, uint32_t member, uint32_t k, uint32_t bit) {
    const ls_field *f = &r->fields.list[0];
    uint32_t low = 0; /* of the member: what follows it is below */
    for (uint32_t i = member + 1; i < f->member_count; i++) low += f->members[i].bits * f->members[i].count;
    const ls_member *m = &f->members[member];
    const size_t in_record = low + k * m->bits + bit;
    const size_t at = r->signal.count > 1 ? (size_t)e * r->signal.stride * 8 + in_record : (size_t)e * f->bits + in_record;
    if (dut) r->dut[at / 8] ^= (uint8_t)(1u << at % 8);
    else r->model[8 + e * f->size + m->offset + k * m->size + bit / 8] ^= (uint8_t)(1u << bit % 8);
}

static bool is_seen(const record *r, uint32_t e, uint32_t member, uint32_t k, uint32_t bit) {
    const ls_field *f = &r->fields.list[0];
    const uint32_t at = f->members[member].low + k * f->members[member].bits + bit;
    return r->seen == NULL || (r->seen[e * ((f->bits + 7) / 8) + at / 8] >> at % 8 & 1) != 0;
}

/* Every bit of the records. */
#define EVERY_BIT(r, e, i, k, b)                                                                                                 \
    for (uint32_t e = 0; e < (r)->fields.list[0].count; e++)                                                                     \
        for (uint32_t i = 0; i < (r)->fields.list[0].member_count; i++)                                                          \
            for (uint32_t k = 0; k < (r)->fields.list[0].members[i].count; k++)                                                  \
                for (uint32_t b = 0; b < (r)->fields.list[0].members[i].bits; b++)

static void check_record_compare(ls_kind kind, bool unpacked, bool masked, ls_rng *rng) {
    record r;
    start_record(&r, kind, unpacked, masked, rng);
    const ls_plan *plan = kind == LS_OUT ? &r.binding.outputs : &r.binding.state;
    EVERY_BIT(&r, e, i, k, b) if (ls_rng_chance(rng, 128)) flip(&r, true, e, i, k, b), flip(&r, false, e, i, k, b);
    assert_false(differs(plan, r.model));
    EVERY_BIT(&r, e, i, k, b) {
        flip(&r, ls_rng_chance(rng, 128), e, i, k, b);
        const bool seen = is_seen(&r, e, i, k, b);
        assert_int_equal(differs(plan, r.model), seen);
        assert_int_equal(ls_first_difference(&r.binding.list[0], r.model), seen ? (int64_t)e : -1);
        uint32_t words[32], other[32];
        ls_dut_element(&r.binding.list[0], e, words);
        ls_model_element(&r.fields.list[0], r.model, e, other);
        assert_memory_not_equal(words, other, sizeof words);
        ls_model_store(&r.fields.list[0], r.model, e, words);
        assert_false(differs(plan, r.model));
    }
    stop_record(&r);
}

static void records_are_compared_member_by_member(void **state) {
    (void)state;
    ls_rng rng;
    ls_rng_seed(&rng, 21);
    for (uint32_t i = 0; i < 60; i++)
        for (uint32_t form = 0; form < 4; form++)
            check_record_compare(i % 2 == 0 ? LS_OUT : LS_STATE, (form & 1) != 0, (form & 2) != 0, &rng);
}

static void records_are_driven_member_by_member(void **state) {
    (void)state;
    ls_rng rng;
    ls_rng_seed(&rng, 22);
    for (uint32_t i = 0; i < 200; i++) {
        record r;
        start_record(&r, LS_IN, i % 2 != 0, false, &rng);
        uint8_t *expected = calloc(r.dut_bytes, 1), *driven = r.dut;
        assert_non_null(expected);
        r.dut = expected;
        EVERY_BIT(&r, e, m, k, b) if (ls_rng_chance(&rng, 128)) flip(&r, true, e, m, k, b), flip(&r, false, e, m, k, b);
        memset(driven, 0xa5, r.dut_bytes);
        ls_drive(&r.binding, r.model);
        assert_memory_equal(driven, expected, r.dut_bytes);
        r.dut = driven;
        stop_record(&r);
        free(expected);
    }
}

/* Parts: every member of every record, numbered through. */
static void members_are_named_with_their_record(void **state) {
    (void)state;
    ls_fields fields = {.scope = "u_a", .base = 100};
    ls_fields_add(&fields, &(ls_field){.name = (char *)(uintptr_t) "x_q", .kind = LS_STATE, .count = 3, .offset = 8, .size = 12});
    ls_fields_member(&fields, LS_STATE, &(ls_member){.name = (char *)(uintptr_t) "a", .bits = 5, .count = 1, .size = 1});
    ls_fields_member(&fields, LS_STATE,
                     &(ls_member){.name = (char *)(uintptr_t) "b", .bits = 9, .count = 4, .offset = 2, .size = 2});
    ls_fields_constant(&fields, LS_STATE, "x_q.b", true, "why");
    char name[64];
    assert_int_equal(fields.list[0].bits, 5 + 4 * 9);
    assert_int_equal(fields.list[0].members[0].low, 36);
    assert_int_equal(ls_part_count(&fields.list[0]), 6);
    const ls_part a = ls_part_of(&fields.list[0], 2), b = ls_part_of(&fields.list[0], 5);
    assert_string_equal(ls_part_element(&a, 0, name, sizeof name), "u_a.x_q.a[1]");
    assert_string_equal(ls_part_element(&b, 1, name, sizeof name), "u_a.x_q.b[9]");
    assert_int_equal(b.field.offset, 100 + 8 + 2 * 12 + 2);
    assert_null(a.field.constant);
    assert_string_equal(b.field.constant, "why");
    ls_fields_free(&fields);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_are_compared_member_by_member),
        cmocka_unit_test(records_are_driven_member_by_member),
        cmocka_unit_test(members_are_named_with_their_record),
    };
    return cmocka_run_group_tests_name("records", tests, NULL, NULL);
}
