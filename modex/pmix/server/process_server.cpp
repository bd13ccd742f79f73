// SPDX-License-Identifier: MIT
#include "modex/pmix/server/process_server.hpp"

#include <array>
#include <climits>
#include <mutex>
#include <set>
#include <unistd.h>

#include "modex/pmix/server/callbacks.hpp"
#include "modex/pmix/server/info_list.hpp"
#include "modex/pmix/server/status.hpp"
#include "modex/pmix/server/tools.hpp"

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
    if (job.tools) infos.add_flag(PMIX_SERVER_TOOL_SUPPORT, true);
    // libpmix is to pass output of ranks to tools, and nowhere else.
    infos.add_flag(PMIX_IOF_LOCAL_OUTPUT, false);
    if (topology != nullptr) infos.add_topology(PMIX_TOPOLOGY2, topology->get());
    return infos;
}

/// A tool that is killed says nothing itself.
void tool_lost(size_t, pmix_status_t, const pmix_proc_t* source, pmix_info_t*, size_t, pmix_info_t*,
               size_t, pmix_event_notification_cbfunc_fn_t answer, void* cookie) {
    if (source != nullptr) tool_left(*source);
    if (answer != nullptr) answer(PMIX_EVENT_ACTION_COMPLETE, nullptr, 0, nullptr, nullptr, cookie);
}

void watch_tools(const LibPmix& lib) {
    pmix_status_t code = PMIX_ERR_LOST_CONNECTION;
    const auto registered = [](pmix_status_t, size_t, void*) {};
    lib.PMIx_Register_event_handler(&code, 1, nullptr, 0, tool_lost, registered, nullptr);
}

/// A tool searches for a contact file with the machine's own name, which need not be the one that
/// the job has for this host. libpmix shortens it by default.
void show_under_own_name(const std::string& folder, const std::string& host) {
    std::array<char, HOST_NAME_MAX + 1> name{};
    gethostname(name.data(), HOST_NAME_MAX);
    const std::string whole = name.data();
    const std::string pid = std::to_string(getpid());
    const std::string file = "pmix." + host + ".tool." + pid;
    for (const std::string& own : std::set<std::string>{whole, whole.substr(0, whole.find('.'))}) {
        const std::string link = folder + "/pmix." + own + ".tool." + pid;
        if (own != host && symlink(file.c_str(), link.c_str()) != 0) return;
    }
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
    auto table = callback_table(lib_->release(), job.tools);
    auto infos = server_info(job, topology_.get());
    const auto status = lib_->PMIx_server_init(&table.module, infos.data(), infos.size());
    if (!succeeded(status)) return refused(*lib_, "PMIx_server_init", status);
    open_ = true;
    serves_tools_ = job.tools;
    if (!serves_tools_) return Ok{};
    watch_tools(*lib_);
    show_under_own_name(folder_->path(), job.hosts[job.node]);
    return Ok{};
}

ProcessServer::~ProcessServer() {
    if (open_) lib_->PMIx_server_finalize();
}

}  // namespace launch
