// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/async/event.hpp"
#include "modex/pmix/pmix_server.hpp"

namespace launch {

class PlayedPmixServer;

/// The library of PMIx in a simulation, for all processes of it. It offers fences of all ranks with
/// data, and nothing else of PMIx. Like libpmix, a server waits until all ranks of its node have
/// come to a fence, and passes on their contributions put end to end.
class PlayedPmix {
  public:
    PmixLibrary library();
    /// Null: that server has closed.
    PlayedPmixServer* server(uint32_t number) const;

  private:
    friend class PlayedPmixServer;
    std::map<uint32_t, PlayedPmixServer*> servers_;
    uint32_t last_ = 0;
};

/// A rank's connection to the server that its environment names.
class PmixTalk {
  public:
    /// `pmix` and `changed`, which is notified when there is an answer, outlive it.
    PmixTalk(PlayedPmix& pmix, const std::vector<std::string>& env, uint32_t rank, Event& changed);

    /// False: the environment names none.
    bool is_open() const { return number_ != 0; }
    /// Comes to a fence, for the first time after PMIx_Init().
    void fence(std::string data);
    /// False: it has come to no fence, or the server has closed. Otherwise there is an answer, too.
    bool finalize();
    /// The answer to a fence is the contributions of all. Nothing: it is not here, or will not be.
    std::optional<std::string> take_answer();
    /// The rank's process is gone.
    void close();

  private:
    PlayedPmixServer* server() const { return pmix_.server(number_); }
    std::function<void(std::string)> expect_answer();

    PlayedPmix& pmix_;
    uint32_t number_ = 0;
    const uint32_t rank_;
    Event& changed_;
    bool has_joined_ = false;
    std::shared_ptr<std::optional<std::string>> answer_;
};

}  // namespace launch
