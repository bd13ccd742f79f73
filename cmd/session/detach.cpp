// SPDX-License-Identifier: MIT
#include "cmd/session/detach.hpp"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

#include "cmd/console.hpp"
#include "cmd/exit_code.hpp"
#include "cmd/run.hpp"

namespace launch {
namespace {

constexpr mode_t readable_by_all = 0666;  // less the umask

std::string number_text(JobNumber job) {
    return std::to_string(static_cast<uint32_t>(job));
}

}  // namespace

Result<DetachedRun> DetachedRun::begin(const SessionPlace& place, const std::string& session,
                                       JobNumber job) {
    auto client = SessionClient::connect(place, session);
    if (!client) return client.error();
    DetachedRun run(*std::move(client), job);
    auto made = run.make_file();
    if (!made) return std::move(made.error());
    auto told = run.session_.ask(DetachRequest{job, run.path_});
    if (told) return run;
    unlink(run.path_.c_str());
    return std::move(told.error());
}

/// Another session of that name may have left one of the same name.
Status DetachedRun::make_file() {
    std::error_code fault;
    const std::filesystem::path folder = std::filesystem::current_path(fault);
    if (fault) return os_error("find the working directory", fault.value());
    const std::string name = "launch-" + session_.state().name + "-" + number_text(job_);
    for (int copy = 1;; ++copy) {
        path_ = folder / (name + (copy == 1 ? "" : "." + std::to_string(copy)) + ".out");
        const int flags = O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC;
        file_ = UniqueFd(open(path_.c_str(), flags, readable_by_all));
        if (file_) return Ok{};
        if (errno == EEXIST) continue;
        auto error = os_error("make " + path_ + " for the job's output", errno);
        error.hint = "--detach writes to the folder that it is called in";
        return error;
    }
}

std::string DetachedRun::text() const {
    const std::string job = number_text(job_);
    const std::string& session = session_.state().name;
    return "job " + job + " of session " + session + ": output in " + path_ +
           "\n  to see it: launch attach --session " + session + " " + job +
           "\n  to end it: launch signal --session " + session + " " + job + " TERM\n";
}

bool DetachedRun::leave(Background& background) {
    if (!background.ready(text())) {
        unlink(path_.c_str());
        return false;
    }
    dup2(file_.get(), STDOUT_FILENO);
    dup2(file_.get(), STDERR_FILENO);
    file_.reset();
    return true;
}

void DetachedRun::end(int exit_code) {
    const auto told = session_.ask(EndedRequest{exit_code});
    if (!told) say(describe(told.error()));
}

int tell_detached(Background& background, bool quiet) {
    const auto text = background.wait();
    if (!text) return background.exit_code();
    return quiet ? exit_code::success : show(*text);
}

}  // namespace launch
