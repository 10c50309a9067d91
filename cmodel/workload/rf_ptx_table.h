/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions of PTX that are read: one row for each form, with its suffixes and operands. */
#ifndef RF_PTX_TABLE_H
#define RF_PTX_TABLE_H

#include "cmodel/workload/rf_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An opcode with its suffixes, understood. `operands`, a letter for each, `?` behind one that may be missing:
 *   d destination of the type    w of twice its width     n 32-bit integer    q predicate    l as ld's: may be wider, a vector
 *   o destination or `_`         m mov's destination and source
 *   s source of the type         t of src_type            v of twice the type's width         u 32-bit integer
 *   r source of src_type that may be wider                R the same of the type, a vector for st      g may be an address
 *   p predicate, may be !p       B the same, there when a Boolean operation is stated       Q `|` and a predicate destination
 *   a address        b barrier number      h number of threads      k as u, an immediate is at most 255     i only such an
 * immediate L label */
typedef struct rf_ptx_form {
    rf_kinst inst; /* everything that the suffixes say */
    const char *operands;
} rf_ptx_form;

/* Understands `text`. NULL; or a message ("'add.rn.s32': '.rn' is not supported here") in `error`. */
const char *rf_ptx_decode(rf_ptx_form *form, const char *text, char *error, size_t size);

/* The type that ".f32" names, or RF_T_NONE; the name of a type. */
rf_ktype rf_ptx_type(const char *text, size_t length);
const char *rf_ptx_type_text(rf_ktype type);

#ifdef __cplusplus
}
#endif
#endif
