/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/fuzz/corpus.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/workload/rf_lines.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/core/config.h"
#include "harness/core/source.h"
#include "harness/fuzz/mutate.h"
#include "harness/fuzz/player.h"

#define VERSION "1"
#define CYCLES_MAX 2000000u /* of an entry */
#define EPOCH_COST 16u      /* cycles that a reset and a new stimulus are taken for */
#define SHORTEST 32u        /* an entry is cut in halves down to so many cycles */
#define SPANS_MAX 600u      /* of all entries that are kept: some 25 KB */

void ls_corpus_add(ls_corpus *corpus, const ls_script *entry) {
    corpus->list = ls_grow(corpus->list, corpus->count, sizeof *corpus->list);
    corpus->list[corpus->count] = (ls_script){0};
    ls_script_append(&corpus->list[corpus->count++], entry, 0, entry->count);
}

void ls_corpus_free(ls_corpus *corpus) {
    for (size_t i = 0; i < corpus->count; i++) ls_script_free(&corpus->list[i]);
    free(corpus->list);
    *corpus = (ls_corpus){0};
}

void ls_corpus_join(ls_corpus *corpus, const ls_corpus *other) {
    for (size_t i = 0; i < other->count; i++) ls_corpus_add(corpus, &other->list[i]);
}

void ls_corpus_script(const ls_corpus *corpus, ls_script *script) {
    for (size_t i = 0; i < corpus->count; i++) ls_script_append(script, &corpus->list[i], 0, corpus->list[i].count);
}

/* ---- minimising ---- */

/* An entry or the beginning of one, and what it reaches. */
typedef struct choice {
    ls_script entry;
    uint64_t cycles;
    uint32_t *features;
    size_t count;
    size_t open; /* of the features, those that nothing chosen so far reaches: at most so many */
} choice;

typedef struct choices {
    choice *list;
    size_t count;
} choices;

/* Plays an entry and adds it to the choices. */
static void weigh(choices *to, const ls_script *entry, ls_player *player, ls_novelty *novelty) {
    const uint32_t *touched;
    uint64_t last = 0;
    ls_player_begin(player);
    ls_script_append(&player->script, entry, 0, entry->count);
    if (!ls_player_play(player, novelty, &last)) return;
    to->list = ls_grow(to->list, to->count, sizeof *to->list);
    choice *c = &to->list[to->count++];
    *c = (choice){.cycles = last - LS_RESET_CYCLES};
    ls_mutate_cut(entry, c->cycles, &c->entry);
    c->open = c->count = ls_novelty_touched(novelty, &touched);
    c->features = ls_alloc(c->count, sizeof *c->features);
    memcpy(c->features, touched, c->count * sizeof *c->features);
}

/* Fresh features for a cycle, with those of a new epoch's beginning, as a fraction of 2^20. */
static uint64_t worth(const choice *c) { return ((uint64_t)c->open << 20) / (c->cycles + EPOCH_COST); }

/* The choice that reaches most for its length, or NULL when none reaches more than what is `reached`. Of a choice that was not
 * looked at for some turns the worth is at most what it was. */
static choice *best_of(choices *all, const uint8_t *reached) {
    choice *best = NULL;
    for (size_t i = 0; i < all->count; i++) {
        choice *c = &all->list[i];
        if (c->open == 0 || (best != NULL && worth(c) <= worth(best))) continue;
        size_t open = 0;
        for (size_t k = 0; k < c->count; k++)
            if (reached[c->features[k]] == 0) c->features[open++] = c->features[k];
        c->open = c->count = open;
        if (open > 0 && (best == NULL || worth(c) > worth(best))) best = c;
    }
    return best;
}

uint64_t ls_corpus_minimise(ls_corpus *corpus, const ls_unit *unit, const void *cfg, const ls_settings *surroundings) {
    ls_novelty *novelty = ls_novelty_new(unit, cfg);
    uint8_t *reached = ls_zeroed(ls_novelty_features(novelty));
    ls_player player;
    ls_corpus kept = {.fill = corpus->fill};
    ls_script cut = {0};
    choices all = {0};
    uint64_t features = 0;
    size_t spans = 0;
    ls_player_open(&player, unit, cfg, surroundings, false);
    for (size_t i = 0; i < corpus->count; i++) {
        const ls_script *entry = &corpus->list[i];
        weigh(&all, entry, &player, novelty);
        for (uint64_t part = ls_script_cycles(entry, 0, entry->count) / 2; part >= SHORTEST; part /= 2) {
            ls_mutate_cut(entry, part, &cut);
            weigh(&all, &cut, &player, novelty);
        }
    }
    for (choice *c; (c = best_of(&all, reached)) != NULL && spans + c->entry.count <= SPANS_MAX;) {
        for (size_t k = 0; k < c->count; k++) reached[c->features[k]] = 1;
        features += c->count;
        spans += c->entry.count;
        c->open = 0;
        ls_corpus_add(&kept, &c->entry);
    }
    for (size_t i = 0; i < all.count; i++) {
        ls_script_free(&all.list[i].entry);
        free(all.list[i].features);
    }
    free(all.list);
    free(reached);
    ls_player_close(&player);
    ls_novelty_free(novelty);
    ls_script_free(&cut);
    ls_corpus_free(corpus);
    *corpus = kept;
    return features;
}

/* ---- files ---- */

static const char *const verbs[] = {"reset", "knobs", "epoch", "draw"}; /* by ls_span_kind */

bool ls_corpus_is(const char *path) {
    static const char magic[] = "lockstep-corpus";
    char begin[sizeof magic - 1];
    FILE *f = fopen(path, "r");
    const bool is = f != NULL && fread(begin, sizeof begin, 1, f) == 1 && memcmp(begin, magic, sizeof begin) == 0;
    if (f != NULL) (void)fclose(f);
    return is;
}

static void write_span(const ls_span *s, ls_text *t) {
    ls_text_add(t, "%s %016" PRIx64, verbs[s->kind], s->seed);
    if (s->cycles != 0) ls_text_add(t, " %u %u", s->first, s->cycles);
    if (s->period != 0) ls_text_add(t, " period=%u", s->period);
    if (s->extreme != 0) ls_text_add(t, " extreme=%u", s->extreme);
    if (s->again != 0) ls_text_add(t, " again=%u", s->again);
    ls_text_add(t, "\n");
}

int ls_corpus_write(const ls_corpus *corpus, const ls_unit *unit, const void *cfg, const char *path, char *error, size_t size) {
    ls_text t = {0};
    char *params = ls_config_text(unit, cfg);
    ls_text_add(&t, "lockstep-corpus " VERSION "\nunit %s\nparams %s\n", unit->name, params);
    if (corpus->fill != 0) ls_text_add(&t, "fill %016" PRIx64 "\n", corpus->fill);
    free(params);
    for (size_t i = 0; i < corpus->count; i++)
        for (size_t k = 0; k < corpus->list[i].count; k++) write_span(&corpus->list[i].list[k], &t);
    ls_text_add(&t, "end %zu\n", corpus->count);
    const int failed = ls_text_write(&t, path);
    if (failed != 0) (void)snprintf(error, size, "%s: %s", path, strerror(-failed));
    free(ls_text_take(&t));
    return failed != 0 ? -1 : 0;
}

typedef struct reader {
    const char *path;
    char *rest;
    size_t number;
    const ls_unit *unit; /* once it is known */
    char *error;
    size_t size;
} reader;

static int fail(reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int fail(reader *r, const char *format, ...) {
    va_list args;
    va_start(args, format);
    ls_error_at(r->error, r->size, r->path, r->number, format, args);
    va_end(args);
    return -1;
}

/* The next line that is neither empty nor a comment; NULL at the end. */
static char *next_line(reader *r) {
    for (char *line; (line = strsep(&r->rest, "\n")) != NULL;) {
        r->number++;
        if (line[0] != '\0' && line[0] != '#') return line;
    }
    return NULL;
}

static const char *header(reader *r, const char *key) {
    const char *line = next_line(r);
    const size_t n = strlen(key);
    return line != NULL && strncmp(line, key, n) == 0 && (line[n] == ' ' || line[n] == '\0') ? line + n + (line[n] == ' ') : NULL;
}

static bool read_seed(const char *word, uint64_t *seed) {
    if (word == NULL || strlen(word) != 16 || strspn(word, "0123456789abcdef") != 16) return false;
    *seed = strtoull(word, NULL, 16);
    return true;
}

static bool read_number(const char *word, uint64_t max, uint32_t *to) {
    uint64_t n = 0;
    if (word == NULL || !ls_whole_number(word, false, &n) || n > max) return false;
    *to = (uint32_t)n;
    return true;
}

/* "period=3" and its like, at the end of a line. */
static int read_way(reader *r, char *word, ls_span *s) {
    char *value = strchr(word, '=');
    uint32_t n = 0;
    if (value != NULL) *value++ = '\0';
    if (strcmp(word, "period") == 0 && s->kind == LS_SPAN_DRAW) {
        if (!read_number(value, CYCLES_MAX, &s->period) || s->period == 0)
            return fail(r, "period: expected 1 to %u cycles", CYCLES_MAX);
        return 0;
    }
    const bool extreme = strcmp(word, "extreme") == 0;
    if (!extreme && strcmp(word, "again") != 0)
        return fail(r, "\"%s\": expected %sextreme or again", word, s->kind == LS_SPAN_DRAW ? "period, " : "");
    if (!read_number(value, UINT8_MAX, &n) || n == 0) return fail(r, "%s: expected 1 to %u, of 256 draws", word, UINT8_MAX);
    *(extreme ? &s->extreme : &s->again) = (uint8_t)n;
    return 0;
}

/* What follows the seed. */
static int read_rest(reader *r, char *rest, ls_span *s) {
    if (s->kind == LS_SPAN_DRAW || s->kind == LS_SPAN_EPOCH) {
        const uint64_t most = s->kind == LS_SPAN_DRAW ? UINT32_MAX : r->unit->stim_rng != SIZE_MAX;
        const char *first = strsep(&rest, " "), *cycles = strsep(&rest, " ");
        if (!read_number(first, most, &s->first))
            return fail(r, "%s: expected %s", verbs[s->kind],
                        most == UINT32_MAX ? "the first cycle, a whole number"
                        : most == 1        ? "0, or 1 for one that is searched for coincidences"
                                           : "0");
        if (!read_number(cycles, CYCLES_MAX, &s->cycles) || s->cycles == 0)
            return fail(r, "%s: expected how many cycles, 1 to %u", verbs[s->kind], CYCLES_MAX);
    }
    for (char *word; (word = strsep(&rest, " ")) != NULL;)
        if (read_way(r, word, s) != 0) return -1;
    return 0;
}

static int read_end(reader *r, const char *rest, const ls_corpus *corpus) {
    char *count = ls_format("%zu", corpus->count);
    const bool right = strcmp(rest, count) == 0;
    free(count);
    if (!right) return fail(r, "end does not say %zu, the number of entries above", corpus->count);
    return next_line(r) != NULL ? fail(r, "something follows the \"end\" line") : 1;
}

/* A line behind the header. 1 at the end of the file. */
static int read_span(reader *r, char *line, ls_corpus *to) {
    char *rest = line;
    const char *verb = strsep(&rest, " ");
    if (rest == NULL) rest = line + strlen(line);
    if (strcmp(verb, "end") == 0) return read_end(r, rest, to);
    if (strcmp(verb, "fill") == 0) {
        if (to->count > 0 || to->fill != 0) return fail(r, "fill: expected before the entries, and once");
        return read_seed(rest, &to->fill) ? 0 : fail(r, "fill: expected 16 hexadecimal digits");
    }
    ls_span s = {0};
    int kind = 0;
    while (kind < 4 && strcmp(verb, verbs[kind]) != 0) kind++;
    if (kind == 4) return fail(r, "\"%s\": expected reset, knobs, epoch, draw or end", verb);
    s.kind = (ls_span_kind)kind;
    char *seed = strsep(&rest, " ");
    if (!read_seed(seed, &s.seed)) return fail(r, "%s: expected a seed of 16 hexadecimal digits", verb);
    const bool begins = s.kind == LS_SPAN_RESET || s.kind == LS_SPAN_EPOCH;
    if (!begins && to->count == 0) return fail(r, "%s: expected reset, with which an entry begins", verb);
    if (s.kind == LS_SPAN_KNOBS && !ls_source_renews(r->unit))
        return fail(r, "knobs: %s has none without a reset", r->unit->name);
    if (read_rest(r, rest, &s) != 0) return -1;
    if (begins) ls_corpus_add(to, &(ls_script){0});
    ls_script *entry = &to->list[to->count - 1];
    ls_script_add(entry, s);
    if (ls_script_cycles(entry, 0, entry->count) > CYCLES_MAX) return fail(r, "an entry of more than %u cycles", CYCLES_MAX);
    return 0;
}

/* The whole file, of which `cfg` is a new configuration once the unit is known. */
static int read_all(reader *r, const ls_unit **unit, void **cfg, ls_corpus *to) {
    char why[256] = "expected \"params [NAME=VALUE …]\"";
    const char *text = header(r, "lockstep-corpus");
    if (text == NULL) return fail(r, "not a corpus: the first line is not \"lockstep-corpus " VERSION "\"");
    if (strcmp(text, VERSION) != 0) return fail(r, "corpus version \"%s\"; this lockstep reads " VERSION, text);
    text = header(r, "unit");
    *unit = text != NULL ? ls_unit_find(text) : NULL;
    if (*unit == NULL) return fail(r, "expected \"unit NAME\" with a known unit");
    r->unit = *unit;
    *cfg = ls_config_new(*unit);
    text = header(r, "params");
    const char *wrong = text == NULL || ls_config_set_all(*unit, *cfg, text, why, sizeof why) != 0 ? why : (*unit)->check(*cfg);
    if (wrong != NULL) return fail(r, "%s", wrong);
    for (char *line; (line = next_line(r)) != NULL;) {
        const int status = read_span(r, line, to);
        if (status != 0) return status < 0 ? -1 : 0;
    }
    return fail(r, "the file ends before its \"end\" line: truncated?");
}

int ls_corpus_read(ls_corpus *corpus, const ls_unit **unit, void **cfg, const char *path, char *error, size_t size) {
    ls_text text = {0};
    ls_corpus read = {0};
    char shown[RF_PATH_SHOWN];
    *cfg = NULL;
    const int failed = ls_text_read(&text, path);
    if (failed != 0) {
        (void)snprintf(error, size, "%s: %s", rf_path_shown(path, shown), strerror(-failed));
        return -1;
    }
    ls_text_put(&text, "", 0);
    reader r = {.path = path, .rest = text.data, .error = error, .size = size};
    int status = strlen(text.data) != text.size ? fail(&r, "a NUL in the file") : read_all(&r, unit, cfg, &read);
    if (status == 0) {
        ls_corpus_join(corpus, &read);
        corpus->fill = read.fill;
    }
    ls_corpus_free(&read);
    free(text.data);
    if (status != 0) {
        free(*cfg);
        *cfg = NULL;
    }
    return status;
}

int ls_corpus_folder(ls_corpus *corpus, const char *folder, const ls_unit *unit, const void *cfg, char *error, size_t size) {
    static const char ending[] = ".corpus";
    ls_args names = {0};
    DIR *d = opendir(folder);
    int status = 0;
    if (d == NULL && errno != ENOENT) {
        (void)snprintf(error, size, "%s: %s", folder, strerror(errno));
        return -1;
    }
    for (const struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
        const size_t n = strlen(e->d_name), m = sizeof ending - 1;
        if (e->d_name[0] != '.' && n > m && strcmp(e->d_name + n - m, ending) == 0) ls_args_add(&names, "%s", e->d_name);
    }
    if (d != NULL) (void)closedir(d);
    ls_args_sort(&names);
    for (size_t i = 0; i < names.count && status == 0; i++) {
        char *path = ls_format("%s/%s", folder, names.list[i]);
        ls_corpus read = {0};
        const ls_unit *of = NULL;
        void *at = NULL;
        status = ls_corpus_read(&read, &of, &at, path, error, size);
        const bool ours = status == 0 && strcmp(of->name, unit->name) == 0 && memcmp(at, cfg, unit->cfg_size) == 0;
        for (size_t k = 0; ours && k < read.count; k++) /* what a failure left has epochs too, in which nothing can be changed */
            if (read.list[k].list[0].kind == LS_SPAN_RESET) ls_corpus_add(corpus, &read.list[k]);
        ls_corpus_free(&read);
        free(at);
        free(path);
    }
    ls_args_free(&names);
    return status;
}
