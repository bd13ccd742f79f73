// SPDX-License-Identifier: MIT
#pragma once

#include "modex/pmix/pmix_events.hpp"

namespace launch {

/// Takes all requests and answers none.
class QuietEvents : public PmixEvents {
  public:
    void pmix_joined(uint32_t) override {}
    void pmix_finalized(uint32_t) override {}
    void pmix_fence(const std::vector<uint32_t>&, std::string, bool, Done) override {}
    void pmix_fetch(uint32_t, Done) override {}
    void pmix_fetch_of(const std::string&, uint32_t, Done) override {}
    void pmix_collective(PmixCollective, CollectiveDone) override {}
    void pmix_publish(uint32_t, std::vector<NamedValue>, bool, NameScope, Done) override {}
    void pmix_lookup(uint32_t, NameLookup, Found) override {}
    void pmix_unpublish(uint32_t, std::vector<std::string>, Done) override {}
    void pmix_spawn(uint32_t, SpawnOrder, Done) override {}
    void pmix_event(std::optional<uint32_t>, std::string) override {}
    void pmix_table(bool, TableDone) override {}
    void pmix_output_wanted(const std::vector<uint32_t>&) override {}
    void pmix_output_unwanted() override {}
    void pmix_abort(uint32_t, int, std::string) override {}
};

}  // namespace launch
