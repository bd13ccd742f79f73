// SPDX-License-Identifier: MIT
#pragma once

#include <map>

#include "tests/unit/core/harness/chance.hpp"
#include "tests/unit/core/harness/network.hpp"

namespace launch {

/// The sshds of the hosts, whose trouble costs no host. Some are overloaded and close one or two
/// connections while keys are exchanged (MaxStartups in sshd_config(5)). Login shells print
/// something of their own. And a node logs in to few hosts at a time.
class Sshds : Chance {
  public:
    enum class Are : uint8_t { quiet, chatty, overloaded };
    /// By the seed.
    explicit Sshds(uint32_t seed) : Sshds(seed, Are::quiet) { are_ = static_cast<Are>(draw(3)); }
    Sshds(uint32_t seed, Are are) : Chance(seed), are_(are) {}

    /// How that host answers, which answers so without any trouble.
    Login answer(NodeIndex node, Login login);
    /// See Network::logins_at_once.
    size_t logins_at_once() { return are_ == Are::overloaded ? 1 + draw(3) : 256; }

  private:
    std::string some_noise();

    Are are_;
    std::map<NodeIndex, uint32_t> closed_;  ///< connections in a row
};

}  // namespace launch
