/* SPDX-License-Identifier: Apache-2.0 */
/* For tests: a file with a text. To be included behind cmocka. */
#ifndef TEXT_FILE_H
#define TEXT_FILE_H

#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"

static inline void text_file(const char *path, const char *contents) {
    ls_text text = {0};
    ls_text_put(&text, contents, strlen(contents));
    const int error = ls_text_write(&text, path);
    free(text.data);
    if (error != 0) fail_msg("%s: %s", path, strerror(-error));
}

#endif
