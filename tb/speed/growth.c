/* SPDX-License-Identifier: Apache-2.0 */
/* build/growth: what growth.sh needs besides the tool.
 *
 *     growth cost OUTPUT COMMAND…      runs it, its output into a file; prints its processor seconds, its peak megabytes and its
 * exit status, children included growth records FOLDER RUN        stands in for all jobs of a regression but the last: each has
 * passed and recorded what is in the file RUN. The last one was only started; prints the ticket of that
 *
 * Exit status 2 and a message: it could not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "harness/base/process.h"
#include "harness/regress/regress.h"

static int fail(const char *what) {
    ls_say(stderr, "growth: %s\n", what);
    return 2;
}

static int cost(const char *output, const char *const *command) {
    ls_process_result run;
    struct rusage used;
    const int error = ls_process_run(&(ls_process){.argv = command, .output_path = output}, &run);
    if (error != 0) return fail(strerror(-error));
    (void)getrusage(RUSAGE_CHILDREN, &used);
    (void)printf("%.3f %.1f %d\n",
                 (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                     1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec),
                 run.megabytes, run.signal != 0 ? 128 + run.signal : run.status);
    ls_process_free(&run);
    return 0;
}

static int records(const char *folder, const char *path) {
    ls_regress regression;
    ls_jobs jobs;
    ls_text run = {0};
    char error[1024] = "";
    if (ls_regress_read(&regression, &jobs, folder, error, sizeof error) != 0) return fail(error);
    if (ls_text_read(&run, path) != 0 || run.data == NULL) return fail(path);
    run.data[strcspn(run.data, "\n")] = '\0';
    char *mark = ls_job_mark(&jobs.list[jobs.count - 1]), *ticket = ls_format("1.1.1.%s", mark);
    for (size_t i = 0; i < jobs.count; i++) {
        const bool last = i + 1 == jobs.count;
        const ls_record record = {.attempt = 1,
                                  .final = !last,
                                  .status = last ? "crash" : "pass",
                                  .message = "",
                                  .host = "",
                                  .command = "",
                                  .seconds = 0.1,
                                  .lost = "",
                                  .run = last ? NULL : run.data,
                                  .ticket = ticket};
        if (ls_record_write(&regression, &jobs.list[i], i, &record, error, sizeof error) != 0) return fail(error);
    }
    (void)printf("%s\n", ticket);
    free(mark);
    free(ticket);
    free(run.data);
    ls_jobs_free(&jobs);
    ls_regress_free(&regression);
    return 0;
}

int main(int argc, char **argv) {
    if (argc >= 4 && strcmp(argv[1], "cost") == 0) return cost(argv[2], (const char *const *)&argv[3]);
    if (argc == 4 && strcmp(argv[1], "records") == 0) return records(argv[2], argv[3]);
    return fail("growth cost OUTPUT COMMAND…, or growth records FOLDER RUN");
}
