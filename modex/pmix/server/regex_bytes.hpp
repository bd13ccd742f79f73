// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace launch {

/// The complete result of PMIx_generate_regex() or _ppn(): text that ends with a NUL, or, from 4
/// KiB on and if libpmix finds zlib, "blob:" NUL "component=zlib:" NUL "size=N:" NUL and N bytes,
/// which may contain NULs (libpmix's preg/compress since its 3.2). The result has no NUL at its
/// end. Bytes that begin like a blob but are none are treated as text.
std::string regex_bytes(const char* regex);

}  // namespace launch
