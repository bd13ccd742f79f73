#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "core/hosts/host.hpp"

namespace launch {

/// Takes hosts out of lists. One to be taken out is meant by its name, and by user and port only
/// where it has them.
class HostFilter {
  public:
    explicit HostFilter(std::vector<Host> unwanted);

    void apply(std::vector<Host>& hosts);

    /// Names that were in none of the lists.
    std::vector<std::string> unmatched() const;

  private:
    struct Unwanted {
        Host host;
        bool matched = false;
    };

    bool takes(const Host& host);

    std::unordered_multimap<std::string, Unwanted> unwanted_;  ///< by name
};

}  // namespace launch
