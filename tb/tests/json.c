/* SPDX-License-Identifier: Apache-2.0 */
/* json [PATH…] <records: checks that every line is one valid JSON object; prints the values at the paths of the last line, one
 * a line ("-" where there is none). Exit 1 with the line's number when one is not valid, or when there is no line. */
#include "tb/tests/json.h"

#include <stdio.h>

int main(int argc, char **argv) {
    char *line = NULL, *last = NULL;
    size_t room = 0, count = 0;
    for (ssize_t n; (n = getline(&line, &room, stdin)) > 0;) {
        count++;
        if (line[0] != '{' || strlen(line) != (size_t)n || !json_valid(line)) {
            (void)fprintf(stderr, "line %zu is not a JSON object: %.200s\n", count, line);
            return 1;
        }
        free(last);
        last = line;
        line = NULL;
        room = 0;
    }
    if (count == 0) {
        (void)fprintf(stderr, "no record\n");
        return 1;
    }
    for (int i = 1; i < argc; i++) {
        size_t length = 0;
        const char *value = json_find(last, argv[i], &length);
        if (value != NULL && *value == '"') (void)printf("%.*s\n", (int)length - 2, value + 1);
        else (void)printf("%.*s\n", value != NULL ? (int)length : 1, value != NULL ? value : "-");
    }
    free(line);
    free(last);
    return 0;
}
