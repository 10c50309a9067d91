/* SPDX-License-Identifier: Apache-2.0 */
/* What must have happened in the random runs of rf_wir_results's judge. */
#ifndef RF_JUDGE_WIR_RESULTS_EVENTS_H
#define RF_JUDGE_WIR_RESULTS_EVENTS_H

#include "tb/wir/judge/judge_wir_results.h"

/* clang-format off */
#define SEEN(X)                                                                                                                  \
    X(REFUSED, "a result is refused")                                                                                            \
    X(TURN_SKIPS, "the turn passes over a port with a lower number that has a result of the group")                              \
    X(TURN_STAYS, "a result that waits, and another one of the group that would not: nothing else is tried")                     \
    X(NO_ROOM, "a queue is full, another port's result is tried")                                                                \
    X(NO_ROOM_POP, "a queue is full, and popped: nothing is pushed yet")                                                         \
    X(ALL_GROUPS, "four groups' results are taken in one cycle")                                                                 \
    X(SHARE, "all lanes, hit, in the cache, equal")                                                                              \
    X(DIFFER, "all lanes, hit, in the cache, values differ")                                                                     \
    X(DIFFER_BIT, "... in one lane")                                                                                             \
    X(DIFFER_TOP, "... the last of several")                                                                                     \
    X(VERIFY, "all lanes, hit, not in the cache")                                                                                \
    X(VERIFY_NO_CACHE, "... because there is none")                                                                              \
    X(MISS, "all lanes, no hit")                                                                                                 \
    X(MISS_STALE, "... of a hash whose entry was dropped")                                                                       \
    X(NO_VSB, "all lanes, VSB 0")                                                                                                \
    X(IN_PLACE, "not all lanes, the old mapping pinned")                                                                         \
    X(MERGE, "not all lanes, an old mapping")                                                                                    \
    X(PARTIAL, "not all lanes, no old mapping")                                                                                  \
    X(PARTIAL_ZERO, "... and values in lanes that it does not have")                                                             \
    X(PARTIAL_PIN, "... though pinned")                                                                                          \
    X(PARTIAL_NONE, "no lane at all")                                                                                            \
    X(PARTIAL_KNOWN, "not all lanes, and the buffer has its hash")                                                               \
    X(ALL_PINNED, "all lanes, the old mapping pinned")                                                                           \
    X(STARVED_NEW, "a result waits for a new register")                                                                          \
    X(STARVED_VERIFY, "a result waits for a promise")                                                                            \
    X(STARVED_PROMISED, "... while registers are free, all promised")                                                            \
    X(SHARE_NONE_LEFT, "SHARE with nothing left")                                                                                \
    X(IN_PLACE_NONE_LEFT, "in place with nothing left")                                                                          \
    X(OVER, "nothing left: an old register of its own is overwritten, all lanes")                                                \
    X(OVER_VERIFY, "... by a result that would VERIFY")                                                                          \
    X(OVER_MERGE, "... by one that would MERGE")                                                                                 \
    X(OVER_COLLIDES, "... by one that differs from the cache's line")                                                            \
    X(OVER_NOT_LOW, "... not in low register mode, all being promised: the entry that has missed stays")                         \
    X(OVER_LOW, "... in low register mode: it is dropped")                                                                       \
    X(OVER_NOT_OWN, "not, because others name it")                                                                               \
    X(OVER_NOT_MAPPED, "not, because there is no old mapping")                                                                   \
    X(OVER_NEED, "not, because a verifier of the group gets a register")                                                         \
    X(OVER_SPARE, "not, because one is left")                                                                                    \
    X(OVER_MAX, "not, with CAPPED 0")                                                                                            \
    X(LIMIT_STARVES, "a result waits because of the limit alone")                                                                \
    X(LIMIT_FALLS, "more in use and promised than the limit")                                                                    \
    X(LAST_LEFT, "a group takes the last one, the next one waits")                                                               \
    X(LAST_VERIFY, "... to VERIFY")                                                                                              \
    X(LEFT_WRAPS, "more promised than free: taken all the same")                                                                 \
    X(GIVE, "a verifier gets a register")                                                                                        \
    X(GIVE_LOWEST, "the lower of two")                                                                                           \
    X(GIVE_BOTH, "two groups' verifiers in one cycle")                                                                           \
    X(NEED_STOPS, "a verifier's need stops a result, though more are left")                                                      \
    X(NEED_STOPS_VERIFY, "... that is to VERIFY")                                                                                \
    X(NEED_SHARE, "... but not SHARE")                                                                                           \
    X(NEED_IN_PLACE, "... nor in place")                                                                                         \
    X(NEED_OTHER, "a verifier's need before a result of another group that gets the next register")                              \
    X(NONE_NEED, "a verifier gets register 0, none is free")                                                                     \
    X(NONE_NEW, "a result gets register 0, none is free")                                                                        \
    X(SOME_NONE, "one group gets the last free register, the next one register 0")                                               \
    X(PROMISED_SHARED, "a promise ends: shared")                                                                                 \
    X(PROMISED_BOTH, "a promise comes and one goes in one cycle")                                                                \
    X(PROMISED_WRAPS, "promised_q counts down below 0")                                                                          \
    X(PUT_EMPTY, "put into an invalid entry of the buffer")                                                                      \
    X(PUT_OVER, "put over another hash")                                                                                         \
    X(PUT_TWICE, "two groups put into one entry in one cycle")                                                                   \
    X(PUT_EQUAL, "... of one hash")                                                                                              \
    X(PUT_LOOKED, "a group hits the entry that another one overwrites")                                                          \
    X(DROP, "low register mode: the entry that has missed is dropped")                                                           \
    X(DROP_EMPTY, "... which is invalid")                                                                                        \
    X(DROP_TWICE, "two groups drop one entry")                                                                                   \
    X(RND, "an entry is dropped at random")                                                                                      \
    X(RND_EMPTY, "... which is invalid")                                                                                         \
    X(RND_LOOKED, "not, because a result that looked up is taken")                                                               \
    X(RND_HIT, "... that has hit")                                                                                               \
    X(RND_NEED, "not, because group 0 has a need")                                                                               \
    X(RND_OTHER_NEED, "all the same, when another group has a need")                                                             \
    X(RND_PARTIAL, "all the same, when a result that did not look up is taken")                                                  \
    X(RND_WAITS, "all the same, when a result that looked up is not taken")                                                      \
    X(RND_NOT_LOW, "not without low register mode")                                                                              \
    X(RND_OUTSIDE, "random_i beyond VENTRIES")                                                                                   \
    X(FILL, "a fill")                                                                                                            \
    X(FILL_GIVEN, "of a register that is given in the same cycle")                                                               \
    X(FILL_REPLACES, "that replaces a line")                                                                                     \
    X(GIVEN_LINE, "a register that has a line is given")                                                                         \
    X(GIVEN_LINE_SHARED, "... in the cycle in which it is shared")                                                               \
    X(LOW_COUNT, "low register mode: fewer free than groups")                                                                    \
    X(LOW_EDGE, "as many free as groups: not yet")                                                                               \
    X(LOW_LIMIT, "low register mode: one less than groups may be given up to the limit")                                         \
    X(LOW_ZERO, "low register mode: nothing in use, limit 0")                                                                    \
    X(LOW_UNDER, "as many as groups may be given up to the limit: not yet")                                                      \
    X(NOT_CAPPED, "the limit does not count with CAPPED 0")                                                                      \
    X(BACK_TWO, "two registers come back")                                                                                       \
    X(BACK_FULL, "a register comes back when all are free")                                                                      \
    X(BACK_HALF, "two come back and one finds no place")                                                                         \
    X(BACK_GIVEN, "one that came back is given before a fresh one")                                                              \
    X(POP_EMPTY, "an empty queue is popped")                                                                                     \
    X(WARP_OUTSIDE, "a warp that does not exist")                                                                                \
    X(REG_OUTSIDE, "a physical register that does not exist is merged with")                                                     \
    X(PLAIN, "REUSE 0: a result passes")                                                                                         \
    X(PLAIN_PARTIAL, "REUSE 0: not all lanes")                                                                                   \
    X(PLAIN_ROW, "REUSE 0: the bank turns with the warp, and the low bits of row x BANKS + bank")                                \
    X(PLAIN_WAITS, "REUSE 0: a queue is full")                                                                                   \
    X(PLAIN_ALL, "REUSE 0: eight ports pass one each")                                                                           \
    X(RESET, "reset with everything in use")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

/* The result that group g tries. */
static inline void count_result(const slow_results *s, const rf_wir_results_in *in, const slow_turn *t, uint32_t g,
                                uint64_t *seen) {
    const uint32_t e = t->tried[g], left = t->left_over[g];
    const slow_result *w = &t->push[g];
    const bool took = t->took[g], all = t->all[g], merge = w->op == RF_RESULT_MERGE, verify = w->op == RF_RESULT_VERIFY;
    const bool share = w->op == RF_RESULT_SHARE, gives = t->gives[g] != NOBODY, needs_new = t->new_reg[g];
    if (e == NOBODY) return;
    const bool over = t->over[g], wants = needs_new || verify || over, capped = s->cfg.capped == 1, own = judge_bit(in->own, g);
    const slow_pipe *p = &s->pipe[e];
    const slow_result *r = &p->seat[s->cfg.stages - 1];
    const slow_place *v = &s->place[p->hash % s->cfg.ventries];
    const bool partial = took && !all && !t->in_place[g] && !merge, differ = took && t->cached[g] && !t->same[g];
    const rf_vec *const line = differ ? &s->line[line_of(s, v->reg)].data : &r->data;
    const bool mapped = r->info / 2 % 2 == 1, miss = t->looked[g] && !t->hit[g];
    seen[OVER] += over && all, seen[OVER_VERIFY] += over && t->hit[g] && !t->cached[g], seen[OVER_MERGE] += over && !all;
    seen[OVER_COLLIDES] += over && t->cached[g], seen[OVER_NOT_LOW] += over && miss && !t->out.low && v->valid;
    seen[OVER_LOW] += over && miss && t->freed[g], seen[OVER_NOT_OWN] += capped && !took && !gives && !own && mapped;
    seen[OVER_NOT_MAPPED] += capped && !took && !gives && own && !mapped,
        seen[OVER_NEED] += capped && !took && gives && own && mapped;
    seen[OVER_SPARE] += capped && took && wants && !over && own && mapped,
        seen[OVER_MAX] += !capped && !took && !gives && own && mapped;
    seen[LIMIT_STARVES] += !took && !gives && t->count > s->promised && s->promised < s->cfg.pregs;
    uint32_t lanes = 0, top = s->cfg.lanes - 1;
    for (uint32_t i = 0; i <= top; i++) lanes += line->lane[i] != r->data.lane[i];
    seen[SHARE] += took && share, seen[DIFFER] += differ, seen[DIFFER_BIT] += differ && lanes == 1;
    seen[DIFFER_TOP] += differ && lanes == 1 && top > 0 && line->lane[top] != r->data.lane[top];
    seen[VERIFY] += took && verify && s->cfg.vcache > 0, seen[VERIFY_NO_CACHE] += took && verify && s->cfg.vcache == 0;
    seen[MISS] += took && t->looked[g] && !t->hit[g];
    seen[MISS_STALE] += took && t->looked[g] && !v->valid && v->hash == p->hash && p->hash != 0;
    seen[NO_VSB] += took && all && s->cfg.vsb == 0, seen[IN_PLACE] += took && t->in_place[g], seen[MERGE] += took && merge;
    seen[PARTIAL] += partial, seen[PARTIAL_PIN] += partial && r->info % 4 == 1;
    seen[PARTIAL_ZERO] += partial && memcmp(&w->data, &r->data, sizeof w->data) != 0;
    seen[PARTIAL_NONE] += took && r->mask == 0;
    seen[PARTIAL_KNOWN] += took && !all && s->cfg.vsb == 1 && v->valid && v->hash == p->hash;
    seen[ALL_PINNED] += took && all && r->info % 4 == 3;
    seen[STARVED_NEW] += !took && needs_new && left == 0, seen[STARVED_VERIFY] += !took && verify && left == 0;
    seen[STARVED_PROMISED] += !took && left == 0 && t->count > 0 && s->promised == t->count && !gives;
    seen[SHARE_NONE_LEFT] += took && share && left == 0, seen[IN_PLACE_NONE_LEFT] += took && t->in_place[g] && left == 0;
    seen[LEFT_WRAPS] += took && needs_new && s->promised > t->count;
    seen[NEED_STOPS] += gives && needs_new && left > 0, seen[NEED_STOPS_VERIFY] += gives && verify && left > 0;
    seen[NEED_SHARE] += gives && took && share, seen[NEED_IN_PLACE] += gives && took && t->in_place[g];
    seen[NONE_NEW] += took && needs_new && t->count == 0;
    seen[WARP_OUTSIDE] += took && r->warp >= s->cfg.warps, seen[REG_OUTSIDE] += took && merge && w->cand >= s->cfg.pregs;
    seen[RND_WAITS] += !took && t->looked[g] && t->rnd, seen[RND_PARTIAL] += took && !all && t->rnd;
    seen[RND_HIT] += took && t->hit[g] && t->out.low && !t->rnd && t->gives[0] == NOBODY;
    seen[DROP] += took && t->looked[g] && !t->hit[g] && t->out.low && t->freed[g];
    seen[DROP_EMPTY] += took && t->looked[g] && !t->hit[g] && t->out.low && !t->freed[g];
    seen[PUT_EMPTY] += t->put[g] && !t->freed[g], seen[PUT_OVER] += t->put[g] && t->freed[g] && v->valid && v->hash != p->hash;
    for (uint32_t o = 0; o < s->cfg.issues; o++) {
        const bool other =
            o != g && t->took[o] && t->looked[o] && s->pipe[t->tried[o]].hash % s->cfg.ventries == p->hash % s->cfg.ventries;
        const bool both = other && took && t->looked[g] && !t->hit[g] && !t->hit[o];
        seen[PUT_TWICE] += both && t->put[g] && o < g && t->freed[g];
        seen[PUT_EQUAL] += both && t->put[g] && o < g && s->pipe[t->tried[o]].hash == p->hash;
        seen[DROP_TWICE] += both && t->out.low && v->valid;
        seen[PUT_LOOKED] += other && took && t->hit[g] && t->put[o];
        seen[LAST_LEFT] += !took && !gives && o < g && left == 0 && t->left_over[o] == 1 && t->took[o] && t->new_reg[o];
        seen[LAST_VERIFY] += !took && !gives && o < g && left == 0 && t->left_over[o] == 1 && t->push[o].op == RF_RESULT_VERIFY;
        seen[NEED_OTHER] += t->gives[o] != NOBODY && o < g && took && needs_new && t->count > 1;
        seen[GIVEN_LINE_SHARED] += took && share && judge_bit(t->out.given, o) && t->out.given_reg[o] == w->preg;
    }
    for (uint32_t i = 0; i < s->cfg.exports; i++) {
        const slow_result *x = &s->pipe[i].seat[s->cfg.stages - 1];
        const bool here = i != e && s->pipe[i].taken[s->cfg.stages - 1] && x->warp % s->cfg.issues == g,
                   full = s->queue[i].length == s->cfg.wbdepth;
        seen[TURN_SKIPS] += here && !full && i < e, seen[NO_ROOM] += here && full;
        seen[TURN_STAYS] += here && !full && !took && x->info % 4 == 3 && x->mask != lanes_on(s);
    }
}

/* What else group g does. */
static inline void count_group(const slow_results *s, const slow_turn *t, const rf_wir_results_in *in, uint32_t g,
                               uint64_t *seen) {
    const bool gives = t->gives[g] != NOBODY, given = judge_bit(t->out.given, g),
               fill = judge_bit(in->fill, g) && s->cfg.vcache > 0;
    uint32_t needs = 0, lines = 0;
    for (uint32_t v = 0; v < s->cfg.verifiers; v++) needs += judge_bit(in->need, g * s->cfg.verifiers + v);
    for (uint32_t l = 0; l < s->cfg.vcache; l++) lines += s->line[l].valid;
    seen[GIVE] += gives, seen[GIVE_LOWEST] += needs > 1, seen[NONE_NEED] += gives && t->count == 0;
    seen[GIVE_BOTH] += gives && g > 0 && t->gives[g - 1] != NOBODY;
    seen[SOME_NONE] +=
        g > 0 && given && judge_bit(t->out.given, g - 1) && t->count > 0 && t->out.given_reg[g] == 0 && t->count < 1 + g;
    seen[PROMISED_SHARED] += judge_bit(in->shared, g) && s->promised > 0;
    seen[PROMISED_WRAPS] += s->promised == 0 && (judge_bit(in->shared, g) || gives);
    seen[PROMISED_BOTH] += judge_bit(in->shared, g) && t->took[g] && t->push[g].op == RF_RESULT_VERIFY;
    seen[RND_NEED] += g == 0 && gives && t->out.low && !t->any_looked;
    seen[RND_OTHER_NEED] += g > 0 && gives && t->rnd;
    seen[FILL] += fill, seen[FILL_REPLACES] += fill && lines == s->cfg.vcache && line_of(s, in->fill_reg[g]) == NOBODY;
    seen[GIVEN_LINE] += given && line_of(s, t->out.given_reg[g]) != NOBODY;
    for (uint32_t o = 0; o < s->cfg.issues; o++)
        seen[FILL_GIVEN] += fill && judge_bit(t->out.given, o) && t->out.given_reg[o] == in->fill_reg[g];
    seen[BACK_GIVEN] += given && s->backs > 0 && s->fresh < s->cfg.pregs;
}

static inline void count_plain(const slow_results *s, const slow_turn *t, uint64_t *seen) {
    uint32_t passed = 0;
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        const slow_result *r = &s->pipe[e].seat[s->cfg.stages - 1];
        const bool left = t->left[e];
        passed += left;
        seen[PLAIN] += left, seen[PLAIN_PARTIAL] += left && r->mask != lanes_on(s);
        seen[PLAIN_ROW] += left && t->pushed[e].preg != r->dst && r->dst + r->warp >= s->cfg.banks && r->warp >= 20;
        seen[PLAIN_WAITS] += s->pipe[e].taken[s->cfg.stages - 1] && !left;
    }
    seen[PLAIN_ALL] += passed == 8;
}

static inline void count(const slow_results *s, const slow_turn *t, const rf_wir_results_in *in, uint64_t *seen) {
    const uint32_t n = s->cfg.exports, used = s->cfg.pregs - t->count;
    uint32_t took = 0;
    seen[REFUSED] += (in->res_valid & ~t->out.res_ready) != 0;
    for (uint32_t e = 0; e < n; e++) {
        seen[POP_EMPTY] += s->queue[e].length == 0 && judge_bit(in->pop, e);
        seen[NO_ROOM_POP] += s->queue[e].length == s->cfg.wbdepth && judge_bit(in->pop, e) && s->pipe[e].taken[s->cfg.stages - 1];
    }
    if (s->cfg.reuse == 0) {
        count_plain(s, t, seen);
        return;
    }
    for (uint32_t g = 0; g < s->cfg.issues; g++)
        count_result(s, in, t, g, seen), count_group(s, t, in, g, seen), took += t->took[g];
    seen[ALL_GROUPS] += took == 4;
    seen[RND] += t->rnd && t->rnd_valid, seen[RND_EMPTY] += t->rnd && !t->rnd_valid;
    seen[RND_LOOKED] += t->out.low && t->any_looked && t->gives[0] == NOBODY;
    seen[RND_NOT_LOW] += !t->out.low && !t->any_looked && s->place[in->random % s->cfg.ventries].valid;
    seen[RND_OUTSIDE] += t->rnd && in->random >= s->cfg.ventries;
    seen[LOW_COUNT] += t->count < s->cfg.issues && t->count > 0, seen[LOW_EDGE] += t->count == s->cfg.issues && !t->out.low;
    seen[LOW_LIMIT] += s->cfg.capped && used + s->cfg.issues == in->limit + 1u && used > 0 && t->count >= s->cfg.issues;
    seen[LIMIT_FALLS] += s->cfg.capped && spoken_for(s, t) > t->bound && used <= t->bound;
    seen[LOW_ZERO] += s->cfg.capped && used == 0 && in->limit == 0;
    seen[LOW_UNDER] += s->cfg.capped && used + s->cfg.issues == in->limit && !t->out.low;
    seen[NOT_CAPPED] += !s->cfg.capped && used >= in->limit && !t->out.low;
    seen[BACK_TWO] += in->back == 3 && used >= 2, seen[BACK_FULL] += in->back != 0 && used == 0;
    seen[BACK_HALF] += in->back == 3 && used == 1;
}

#endif
