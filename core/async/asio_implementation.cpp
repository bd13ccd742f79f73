// SPDX-License-Identifier: MIT
// Asio's own code that is no template, compiled once here (ASIO_SEPARATE_COMPILATION) instead of in
// every file that uses it.
#include <asio/impl/src.hpp>
