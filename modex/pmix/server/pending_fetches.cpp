// SPDX-License-Identifier: MIT
#include "modex/pmix/server/pending_fetches.hpp"

#include <algorithm>

#include "modex/pmix/server/info_list.hpp"

namespace launch {
namespace {

Error no_data(uint32_t rank, std::string cause) {
    return {.kind = ErrorKind::not_found,
            .operation = "fetch PMIx data",
            .rank = static_cast<int>(rank),
            .cause = std::move(cause)};
}

}  // namespace

void PendingFetches::keep(uint32_t rank) {
    ask(rank, [this, rank](Result<std::string> data) {
        if (data) kept_.emplace(rank, std::move(*data));
    });
    give_up(rank);
}

void PendingFetches::ask(uint32_t rank, PmixEvents::Done done) {
    const auto kept = kept_.find(rank);
    if (kept != kept_.end()) return done(kept->second);
    const auto refused = std::find_if(requests_.begin(), requests_.end(), [&](const auto& request) {
        return request.rank == rank && !request.done;
    });
    if (refused != requests_.end()) {
        refused->done = std::move(done);
        return;
    }
    Request& request =
        requests_.emplace_back(Request{inbox_, shared_from_this(), rank, std::move(done)});
    const pmix_proc_t proc = make_proc(inbox_->nspace(), rank);
    const auto status = inbox_->lib().PMIx_server_dmodex_request(&proc, answered, &request);
    if (status == PMIX_SUCCESS) return;
    const auto failed = std::move(request.done);
    forget(&request);
    failed(no_data(rank, inbox_->lib().error_text(status)));
}

/// On libpmix's thread. The request stays where it is until the executor's thread forgets it.
void PendingFetches::answered(pmix_status_t status, char* data, size_t size, void* cookie) {
    auto* const request = static_cast<Request*>(cookie);
    std::string copy(data == nullptr ? std::string_view() : std::string_view(data, size));
    request->inbox->post([request, status, copy = std::move(copy)](PmixEvents&) mutable {
        const auto owner = request->owner;
        const auto done = std::move(request->done);
        const uint32_t rank = request->rank;
        owner->forget(request);
        if (!done) return;
        if (status == PMIX_SUCCESS) return done(std::move(copy));
        done(no_data(rank, owner->inbox_->lib().error_text(status)));
    });
}

/// When libpmix's thread has dealt with all requests, its answers are in the inbox.
void PendingFetches::give_up(uint32_t rank) {
    const bool wanted = std::any_of(requests_.begin(), requests_.end(), [&](const auto& request) {
        return request.rank == rank && request.done;
    });
    if (!wanted) return;
    rounds_->after_requests([self = shared_from_this(), rank] { self->refuse(rank); });
}

void PendingFetches::refuse(uint32_t rank) {
    std::vector<PmixEvents::Done> refused;
    for (auto& request : requests_) {
        if (request.rank == rank && request.done) refused.push_back(std::move(request.done));
        if (request.rank == rank) request.done = nullptr;
    }
    for (const auto& done : refused)
        done(no_data(rank, "the rank has published nothing"));
}

void PendingFetches::forget(const Request* request) {
    requests_.remove_if([&](const auto& kept) { return &kept == request; });
}

void PendingFetches::close() {
    auto requests = std::move(requests_);
    requests_.clear();
    for (const auto& request : requests) {
        if (request.done) request.done(no_data(request.rank, "the job's PMIx service has ended"));
    }
}

}  // namespace launch
