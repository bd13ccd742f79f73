// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>

#include "modex/pmix/server/inbox.hpp"
#include "modex/pmix/server/rounds.hpp"

namespace launch {

/// Requests of other nodes for data of ranks here, until libpmix answers. libpmix keeps a request
/// until the rank has published data, perhaps forever; launch does not, see give_up().
class PendingFetches : public std::enable_shared_from_this<PendingFetches> {
  public:
    PendingFetches(std::shared_ptr<Inbox> inbox, std::shared_ptr<Rounds> rounds)
        : inbox_(std::move(inbox)), rounds_(std::move(rounds)) {}

    void ask(uint32_t rank, PmixEvents::Done done);
    /// Takes what a rank that has ended has published from libpmix, which is about to forget it.
    void keep(uint32_t rank);
    /// Refuses the requests that libpmix cannot answer now.
    void give_up(uint32_t rank);
    /// When libpmix has ended: answers all.
    void close();

  private:
    struct Request {
        std::shared_ptr<Inbox> inbox;
        std::shared_ptr<PendingFetches> owner;
        uint32_t rank;
        PmixEvents::Done done;  ///< empty: we have refused
    };
    static void answered(pmix_status_t status, char* data, size_t size, void* cookie);
    void refuse(uint32_t rank);
    void forget(const Request* request);

    std::shared_ptr<Inbox> inbox_;
    std::shared_ptr<Rounds> rounds_;
    std::list<Request> requests_;  ///< also those that we have refused and libpmix still knows
    std::map<uint32_t, std::string> kept_;
};

}  // namespace launch
