// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "core/hosts/host.hpp"

namespace launch {

/// Removes hosts from lists. A host is matched by its name, and by user and port only if they are
/// given. This machine is matched by any of its names, if these are known.
class HostFilter {
  public:
    /// `own_names`: see names_of_machine().
    explicit HostFilter(std::vector<Host> unwanted, std::vector<std::string> own_names = {});

    void apply(std::vector<Host>& hosts);

    /// Names that were in none of the lists.
    std::vector<std::string> unmatched() const;

  private:
    struct Unwanted {
        Host host;
        bool matched = false;
    };

    bool takes(const Host& host);
    /// One for all names of this machine.
    const std::string& key_of(const Host& host) const;

    std::vector<std::string> own_names_;
    std::unordered_multimap<std::string, Unwanted> unwanted_;  ///< by key_of()
};

}  // namespace launch
