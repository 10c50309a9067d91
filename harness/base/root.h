/* SPDX-License-Identifier: Apache-2.0 */
/* Where this program's files are, and where it keeps what it builds. */
#ifndef LS_ROOT_H
#define LS_ROOT_H

/* Where this program's own files are: rtl/, cmodel/, harness/. $LOCKSTEP_ROOT, else the tree that build/lockstep lies in, else
 * the installed one. Ends the process when there is none. */
const char *ls_root(void);
/* Where built DUTs are kept: $LOCKSTEP_CACHE, else build/dut in the root, else ~/.cache/rf-lockstep. */
const char *ls_cache(void);

#endif
