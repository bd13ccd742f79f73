// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "core/topology.hpp"

namespace launch {

/// The balanced tree of the given degree k >= 1: the root of a block of m nodes gives its m - 1
/// descendants to min(k, m - 1) children in contiguous blocks whose sizes differ by at most one,
/// larger ones first.
///
/// Its depth is the least that any tree of degree k has, since an even split makes the largest
/// block as small as can be, and it has at most two block sizes a level, differing by one.
/// Degree 1 is the chain, and is named so.
std::unique_ptr<Topology> make_kary(uint32_t degree);

}  // namespace launch
