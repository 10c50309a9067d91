/* SPDX-License-Identifier: Apache-2.0 */
/* One lane of ATOM and RED (PTX ISA, "Parallel Synchronization and Communication Instructions: atom"). */
#include "cmodel/workload/rf_simt_machine.h"

static uint64_t add(uint8_t type, uint64_t old, uint64_t a, bool flush) {
    const uint32_t keep = flush ? 0 : UINT32_C(0x7fffffff);
    if (type == RF_T_F32) {
        const float sum = rf_as_f32(rf_flush((uint32_t)old, keep)) + rf_as_f32(rf_flush((uint32_t)a, keep));
        return sum != sum ? RF_NAN_F32 : rf_flush(rf_bits_f32(sum), keep);
    }
    if (type == RF_T_F64) {
        const double sum = rf_as_f64(old) + rf_as_f64(a);
        return sum != sum ? RF_NAN_F64 : rf_bits_f64(sum);
    }
    return old + a;
}

static bool below(uint8_t type, uint64_t a, uint64_t b) {
    switch (type) {
    case RF_T_S32:
        return (int32_t)a < (int32_t)b;
    case RF_T_S64:
        return (int64_t)a < (int64_t)b;
    case RF_T_U32:
        return (uint32_t)a < (uint32_t)b;
    default:
        return a < b;
    }
}

uint64_t rf_simt_atomic(const rf_kinst *inst, uint8_t *bytes, uint64_t a, uint64_t b, bool flush) {
    const size_t size = rf_ktype_bits(inst->type) / 8;
    uint64_t old = 0, now = 0;
    memcpy(&old, bytes, size);
    switch (inst->mode) {
    case RF_M_AND:
        now = old & a;
        break;
    case RF_M_OR:
        now = old | a;
        break;
    case RF_M_XOR:
        now = old ^ a;
        break;
    case RF_M_EXCH:
        now = a;
        break;
    case RF_M_CAS:
        now = size == 4 ? ((uint32_t)old == (uint32_t)a ? b : old) : old == a ? b : old;
        break;
    case RF_M_ADD:
        now = add(inst->type, old, a, flush);
        break;
    case RF_M_INC:
        now = old >= (uint32_t)a ? 0 : old + 1;
        break;
    case RF_M_DEC:
        now = old == 0 || old > (uint32_t)a ? a : old - 1;
        break;
    case RF_M_MIN:
        now = below(inst->type, a, old) ? a : old;
        break;
    default:
        now = below(inst->type, old, a) ? a : old;
        break;
    }
    memcpy(bytes, &now, size);
    return old;
}

bool rf_simt_atomic_known(const rf_kinst *inst) {
    const uint8_t type = inst->type;
    const uint32_t bits = rf_ktype_bits(type);
    const bool integer = (bits == 32 || bits == 64) && !rf_ktype_float(type);
    switch (inst->mode) {
    case RF_M_AND:
    case RF_M_OR:
    case RF_M_XOR:
    case RF_M_CAS:
    case RF_M_EXCH:
        return bits == 32 || bits == 64;
    case RF_M_ADD:
        return integer || type == RF_T_F32 || type == RF_T_F64;
    case RF_M_INC:
    case RF_M_DEC:
        return type == RF_T_U32;
    case RF_M_MIN:
    case RF_M_MAX:
        return integer && type != RF_T_B32 && type != RF_T_B64;
    default:
        return false;
    }
}
