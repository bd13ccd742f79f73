#include "modex/pmix/server/pending_fetches.hpp"

#include <algorithm>

#include "modex/pmix/server/info_list.hpp"

namespace launch {
namespace {

/// How long libpmix itself waits for a rank of the same node.
constexpr std::chrono::seconds patience{2};

Error no_data(uint32_t rank, std::string cause) {
    return {.kind = ErrorKind::not_found,
            .operation = "fetch PMIx data",
            .rank = static_cast<int>(rank),
            .cause = std::move(cause)};
}

}  // namespace

void PendingFetches::keep(uint32_t rank) {
    ended_.insert(rank);
    ask(rank, [this, rank](Result<std::string> data) {
        if (data) kept_.emplace(rank, std::move(*data));
    });
}

void PendingFetches::ask(uint32_t rank, PmixEvents::Done done) {
    const auto kept = kept_.find(rank);
    if (kept != kept_.end()) return done(kept->second);
    Request& request =
        requests_.emplace_back(Request{.inbox = inbox_,
                                       .owner = shared_from_this(),
                                       .rank = rank,
                                       .done = std::move(done),
                                       .limit = asio::steady_timer(inbox_->executor())});
    const pmix_proc_t proc = make_proc(inbox_->nspace(), rank);
    const auto status = inbox_->lib().PMIx_server_dmodex_request(&proc, answered, &request);
    if (status != PMIX_SUCCESS) {
        const auto refused = std::move(request.done);
        forget(&request);
        return refused(no_data(rank, inbox_->lib().error_text(status)));
    }
    if (ended_.contains(rank)) return settle(rank);
    if (inbox_->fenced()) limit(request);
}

void PendingFetches::limit(Request& request) {
    request.limit.expires_after(patience);
    request.limit.async_wait(
        [self = shared_from_this(), rank = request.rank](std::error_code gone) {
            if (!gone && self->inbox_->is_open()) self->settle(rank);
        });
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

void PendingFetches::rank_ended(uint32_t rank) {
    ended_.insert(rank);
    const bool wanted = std::any_of(requests_.begin(), requests_.end(), [&](const auto& request) {
        return request.rank == rank && request.done;
    });
    if (wanted) settle(rank);
}

/// When libpmix's thread has dealt with all requests, its answers are in the inbox.
void PendingFetches::settle(uint32_t rank) {
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
