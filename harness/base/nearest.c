/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { LONGEST = 40 }; /* letters: longer words are near to nothing */

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

static int letter(const char *word, size_t i) { return tolower((unsigned char)word[i]); }

size_t ls_changes(const char *a, const char *b) {
    const size_t m = strlen(a), n = strlen(b);
    size_t d[LONGEST + 1][LONGEST + 1]; /* between the first i letters of `a` and the first k of `b` */
    if (m > LONGEST || n > LONGEST) return m + n;
    for (size_t i = 0; i <= m; i++)
        for (size_t k = 0; k <= n; k++) {
            if (i == 0 || k == 0) {
                d[i][k] = i + k;
                continue;
            }
            d[i][k] = smaller(smaller(d[i - 1][k], d[i][k - 1]) + 1, d[i - 1][k - 1] + (letter(a, i - 1) != letter(b, k - 1)));
            const bool swapped = i > 1 && k > 1 && letter(a, i - 1) == letter(b, k - 2) && letter(a, i - 2) == letter(b, k - 1);
            if (swapped) d[i][k] = smaller(d[i][k], d[i - 2][k - 2] + 1);
        }
    return d[m][n];
}

/* Whether one is the beginning of the other, and says something: three letters, or all but one. */
static bool begins(const char *a, const char *b) {
    const size_t n = smaller(strlen(a), strlen(b)), all = strlen(a) + strlen(b) - n;
    size_t letters = 0;
    for (size_t i = 0; i < n; i++) {
        if (letter(a, i) != letter(b, i)) return false;
        letters += isalnum((unsigned char)a[i]) != 0;
    }
    return letters >= 3 || (letters == 2 && all == n + 1);
}

void ls_nearest_try(ls_nearest *nearest, const char *name) {
    const size_t changes = ls_changes(nearest->word, name), most = smaller(2, strlen(nearest->word) / 3);
    if ((changes > most && !begins(nearest->word, name)) || (nearest->name != NULL && changes >= nearest->changes)) return;
    nearest->name = name;
    nearest->changes = changes;
}

const char *ls_nearest_of(const char *word, const char *const *names) {
    ls_nearest near = {.word = word};
    for (; *names != NULL; names++) ls_nearest_try(&near, *names);
    return near.name;
}
