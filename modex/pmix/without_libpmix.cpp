// SPDX-License-Identifier: MIT
// Replaces this folder in a build without libpmix's headers.
#include "modex/pmix/pmix_server.hpp"

namespace launch {

class PmixServer::Session {};

PmixServer::~PmixServer() = default;

void PmixServer::set_up_environment(const std::string&) {}

std::string PmixServer::kept_folder() {
    return {};
}

Result<std::unique_ptr<PmixServer>> PmixServer::start(any_io_executor, PmixJob, PmixEvents&) {
    return Error{.kind = ErrorKind::internal,
                 .operation = "offer PMIx",
                 .cause = "this build of launch has no PMIx",
                 .hint = "build launch with libpmix-dev installed, or use another --pmi"};
}

Status PmixServer::rank_env(uint32_t, std::vector<std::string>&) {
    return Ok{};
}

void PmixServer::leave_out_own_settings(std::vector<std::string>&) const {}

Status PmixServer::meet(const PmixJob&) {
    return Ok{};
}

void PmixServer::part(const std::string&) {}

void PmixServer::fetch_local(uint32_t, PmixEvents::Done) {}
void PmixServer::give_up_fetches(uint32_t) {}
void PmixServer::stop_waiting_for(uint32_t) {}
void PmixServer::notify_died(uint32_t) {}
void PmixServer::tell_event(const std::string&) {}
void PmixServer::remove_files() {}
void PmixServer::pass_output(uint32_t, bool, std::string_view) const {}

bool PmixServer::serves_tools() const {
    return false;
}

std::function<void()> PmixServer::end() {
    return [] {};
}

}  // namespace launch
