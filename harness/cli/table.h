/* SPDX-License-Identifier: Apache-2.0 */
/* The commands and their options, once: parser, help, manual page and completion are made from these tables. */
#ifndef LS_TABLE_H
#define LS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/core/options.h"

/* What an option takes, and so the type of its member of ls_options. */
typedef enum ls_takes {
    LS_TAKES_NOTHING, /* bool */
    LS_TAKES_TEXT,    /* const char * */
    LS_TAKES_PARAM,   /* the unit's configuration, when all words are read */
    LS_TAKES_MACRO,   /* ls_args */
    LS_TAKES_FILES,   /* ls_args; all words up to the next option */
    LS_TAKES_LIST,    /* ls_args; one more each time */
    LS_TAKES_HEX,     /* uint64_t: up to 16 digits */
    LS_TAKES_INDEX,   /* uint64_t from 0 */
    LS_TAKES_COUNT,   /* uint64_t from 1 */
    LS_TAKES_SCALED,  /* uint64_t from 1, with k or M */
    LS_TAKES_SMALL,   /* uint32_t from 1 to `max` */
    LS_TAKES_JOBS,    /* int from 1 to `max` */
    LS_TAKES_SECONDS, /* double, whole, from 1 to `max` */
    LS_TAKES_NS       /* double above 0 */
} ls_takes;

typedef struct ls_option {
    const char *name;     /* "--output" */
    const char *letter;   /* "-o"; NULL: none */
    const char *argument; /* "FOLDER"; NULL: takes none */
    ls_takes takes;
    size_t to; /* offset of its member of ls_options */
    uint32_t max;
    const char *help; /* one line */
    const char *more; /* what the manual page says besides; NULL: nothing */
} ls_option;

/* Where an option means something of its own to one command. */
typedef struct ls_meaning {
    const char *command, *option;
    const char *argument;
    const char *help;
} ls_meaning;

/* What a command takes besides options. */
typedef enum ls_subject { LS_OF_NOTHING, LS_OF_UNIT, LS_OF_CASE, LS_OF_EITHER, LS_OF_WORKLOAD, LS_OF_COMMAND } ls_subject;

typedef struct ls_command {
    const char *name;
    const char *verb;  /* second word of a command of two; else NULL */
    const char *group; /* heading of the overview; those of a group stand together */
    ls_subject subject;
    const char *synopsis;      /* what follows the name, a line a form */
    const char *purpose;       /* one line */
    const char *about;         /* a paragraph more; NULL: there is nothing to add */
    const char *options;       /* the options that it uses, each behind a blank; all others are refused */
    const char *of_case;       /* the same with a case file in place of a unit; NULL: the same */
    const char *example;       /* lines for a shell in the project's folder */
    const char *good;          /* what exit code 0 means; NULL: never */
    const char *finding;       /* what 1 means; NULL: never */
    int (*call)(ls_options *); /* NULL: help */
    bool needs_unit;
    bool says_nothing; /* of a unit: it does not matter what this program was compiled from */
} ls_command;

/* Each ends with an entry without a name (of ls_meanings: without a command). */
extern const ls_option ls_option_table[];
extern const ls_meaning ls_meaning_table[];
extern const ls_command ls_command_table[];

/* The command of that name, and of that verb if it has any; NULL: there is none. */
const ls_command *ls_command_find(const char *name, const char *verb);

/* What a word is called now, when that is another than in the version before; else the word. `command`: of which it is the second
 * word; NULL: it is the first. */
const char *ls_word_now(const char *command, const char *word);

/* Whether some form of the command uses the option; all take --help. */
bool ls_command_takes(const ls_command *command, const char *option);

/* The option of that name or letter; NULL: there is none. */
const ls_option *ls_option_find(const char *word);

/* "workload build", to be freed. */
char *ls_command_words(const ls_command *command);

/* What the option means to the command, when that is not what its own line says; else NULL. */
const ls_meaning *ls_meaning_find(const ls_command *command, const ls_option *option);

/* Whether a list of words, each behind a blank, has the word. */
bool ls_list_has(const char *list, const char *word);

#endif
