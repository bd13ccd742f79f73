// SPDX-License-Identifier: MIT
#ifndef LAUNCH_MODEX_JOIN_H
#define LAUNCH_MODEX_JOIN_H

#include "modex/client/wire.h"

/* Opens the wire to the launcher that the environment tells of: the descriptor PMI_FD, or the port
 * PMI_PORT, where PMI_ID says which rank comes. Codes of launch_modex.h; ENOTFOUND: it tells of
 * none. Where it fails nothing stays open. */
int modex_join(struct modex_wire* wire, int* rank, int* size);

#endif
