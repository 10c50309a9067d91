/* SPDX-License-Identifier: Apache-2.0 */
/* Where this program's files are, and where it keeps what it builds. */
#ifndef LS_ROOT_H
#define LS_ROOT_H

/* Where this program's own files are: rtl/, cmodel/, harness/. $LOCKSTEP_ROOT, else the tree that build/lockstep lies in, else
 * the installed one. Ends the process when there is none. */
const char *ls_root(void);
/* The folder whose units are worked on, and their plans, known issues and waivers: that of a project, else ls_root(). */
const char *ls_home(void);
/* It is the project's from now on; `folder` must outlive all. */
void ls_home_set(const char *folder);
/* The folder to include our headers from, as "harness/core/unit.h": ls_root(), or include/rf-lockstep of the installation. */
const char *ls_headers(void);
/* Where a page, as "guide/your-rtl.md", is read: "docs/guide/your-rtl.md" in the root, else with the root before it. The text stays
 * until the next call. */
const char *ls_docs(const char *page);
/* Where built DUTs are kept: $LOCKSTEP_CACHE, else build/dut in the root, else ~/.cache/rf-lockstep. */
const char *ls_cache(void);

#endif
