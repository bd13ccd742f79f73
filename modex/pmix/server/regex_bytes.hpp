// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace launch {

/// All of what PMIx_generate_regex() or _ppn() made: text that ends with a NUL, or, from 4 KiB on
/// and where libpmix finds zlib, "blob:" NUL "component=zlib:" NUL "size=N:" NUL and N bytes, NULs
/// among them (as libpmix's preg/compress has it since its 3.2). The result has no NUL at its end.
/// What begins like a blob and is none is taken for text.
std::string regex_bytes(const char* regex);

}  // namespace launch
