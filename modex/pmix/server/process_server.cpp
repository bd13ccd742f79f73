// SPDX-License-Identifier: MIT
#include "modex/pmix/server/process_server.hpp"

#include <mutex>

#include "modex/pmix/server/callbacks.hpp"
#include "modex/pmix/server/info_list.hpp"
#include "modex/pmix/server/status.hpp"

namespace launch {
namespace {

/// The facts about the server itself.
InfoList server_info(const PmixJob& job, StandInTopology* topology) {
    InfoList infos;
    infos.add_string(PMIX_SERVER_TMPDIR, job.folders.of_server());
    infos.add_string(PMIX_SERVER_NSPACE, job.nspace + ".server");
    infos.add_rank(PMIX_SERVER_RANK, job.node);
    // Its own name for this host must be the one in the map of nodes.
    infos.add_string(PMIX_HOSTNAME, job.hosts[job.node]);
    if (topology != nullptr) infos.add_topology(PMIX_TOPOLOGY2, topology->get());
    return infos;
}

/// The server that stays, for all threads. libpmix serves once in a process.
struct Kept {
    std::mutex mutex;
    std::shared_ptr<ProcessServer> server;
};

/// Never destroyed: at the process's end libpmix is left as it is.
Kept& kept() {
    static Kept* const the_one = new Kept;
    return *the_one;
}

}  // namespace

Result<std::shared_ptr<ProcessServer>> ProcessServer::get(const PmixJob& job) {
    if (job.folders.shared.empty()) return make(job);
    Kept& stays = kept();
    const std::lock_guard lock(stays.mutex);
    if (stays.server == nullptr) {
        auto made = make(job);
        if (!made) return made;
        stays.server = *made;
    }
    return stays.server;
}

std::string ProcessServer::kept_folder() {
    Kept& stays = kept();
    const std::lock_guard lock(stays.mutex);
    return stays.server == nullptr ? std::string() : stays.server->folder_->path();
}

Result<std::shared_ptr<ProcessServer>> ProcessServer::make(const PmixJob& job) {
    auto lib = LibPmix::open(job.library);
    if (!lib) return lib.error();
    auto folder = PrivateFolder::make(job.folders.of_server());
    if (!folder) return folder.error();
    std::shared_ptr<ProcessServer> server(new ProcessServer(*lib));
    server->folder_ = std::make_unique<PrivateFolder>(std::move(*folder));
    if (auto opened = server->open(job); !opened) return opened.error();
    return server;
}

Status ProcessServer::open(const PmixJob& job) {
    // Release 3 does not know the attribute.
    if (lib_->release() >= 4) topology_ = StandInTopology::make();
    auto table = callback_table(lib_->release());
    auto infos = server_info(job, topology_.get());
    const auto status = lib_->PMIx_server_init(&table.module, infos.data(), infos.size());
    if (!succeeded(status)) return refused(*lib_, "PMIx_server_init", status);
    open_ = true;
    return Ok{};
}

ProcessServer::~ProcessServer() {
    if (open_) lib_->PMIx_server_finalize();
}

}  // namespace launch
