// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

namespace launch {

/// The numbers (PMI_ID) by which ranks that come to a port are known from strangers. Random, so
/// that no other user of the machine takes a rank's place; below 2^31, as clients read them with
/// atoi().
class RankIds {
  public:
    /// An id of its own for the rank, for as long as it is not removed.
    uint32_t add(uint32_t rank);
    void remove(uint32_t rank);
    /// The rank of that id; nothing: it is nobody's.
    std::optional<uint32_t> find(uint32_t id) const;
    size_t size() const { return ranks_.size(); }

  private:
    std::map<uint32_t, uint32_t> ranks_;  ///< by id
};

}  // namespace launch
