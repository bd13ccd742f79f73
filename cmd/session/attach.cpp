// SPDX-License-Identifier: MIT
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "cmd/command_functions.hpp"
#include "cmd/console.hpp"
#include "cmd/exit_code.hpp"
#include "cmd/options/usage_error.hpp"
#include "cmd/session/job_words.hpp"
#include "cmd/session/join.hpp"

namespace launch {
namespace {

/// How often the file is looked at for more: it may lie on a file system that tells of no change.
constexpr int look_every_ms = 50;

/// A file that grows, copied to standard output.
class GrowingFile {
  public:
    static Result<GrowingFile> open(const std::string& path) {
        UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
        if (file) return GrowingFile(path, std::move(file));
        auto error = os_error("read " + path, errno);
        error.hint = "the job's output was there: was it moved?";
        return error;
    }

    /// Copies what the job wrote since the last call.
    Status copy_new() {
        for (;;) {
            const ssize_t n = read(file_.get(), buffer_.data(), buffer_.size());
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) return os_error("read " + path_, errno);
            if (n == 0) return Ok{};
            auto printed = print(std::string(buffer_.data(), static_cast<size_t>(n)));
            if (!printed) return printed;
        }
    }

  private:
    GrowingFile(std::string path, UniqueFd file) : path_(std::move(path)), file_(std::move(file)) {}

    std::string path_;
    UniqueFd file_;
    std::array<char, 1 << 16> buffer_{};
};

std::string name_of(JobNumber job) {
    return "job " + std::to_string(static_cast<uint32_t>(job));
}

/// Where a detached job writes.
Result<std::string> find_output(SessionClient& session, JobNumber job) {
    const auto answer = session.ask(OutputRequest{job});
    if (!answer) return answer.error();
    const std::string of_session = " of session " + session.state().name;
    if (answer->kind == SessionAnswer::Kind::no_job) {
        auto error = usage_error("there is no " + name_of(job) + of_session);
        error.hint = "`launch ps` lists the running jobs";
        return error;
    }
    if (answer->kind == SessionAnswer::Kind::not_detached) {
        auto error = usage_error(name_of(job) + of_session + " is not detached");
        error.hint = "its output goes where it was started";
        return error;
    }
    return answer->lines.empty() ? std::string() : answer->lines.front();
}

Error lost(ErrorKind kind, JobNumber job, std::string cause) {
    return {kind, "run " + name_of(job), {}, -1, std::move(cause), {}};
}

/// Copies until the session says that the job has ended.
Result<SessionAnswer> follow(SessionClient& session, JobNumber job, GrowingFile& file) {
    const auto asked = session.ask_late(OutcomeRequest{job});
    if (!asked) return asked.error();
    for (;;) {
        auto copied = file.copy_new();
        if (!copied) return std::move(copied.error());
        pollfd answered{session.socket(), POLLIN, 0};
        if (poll(&answered, 1, look_every_ms) <= 0) continue;
        const auto outcome = session.answer();
        copied = file.copy_new();
        if (!copied) return std::move(copied.error());
        if (outcome) return *outcome;
        return lost(ErrorKind::unreachable, job, "session " + session.state().name + " has ended");
    }
}

int attach(SessionClient& session, JobNumber job) {
    const auto path = find_output(session, job);
    if (!path) return fail(path.error());
    auto file = GrowingFile::open(*path);
    if (!file) return fail(file.error());
    const auto outcome = follow(session, job, *file);
    if (!outcome) return fail(outcome.error());
    if (outcome->kind == SessionAnswer::Kind::done) return outcome->exit_code;
    return fail(lost(ErrorKind::internal, job, "the process that ran it was killed"));
}

}  // namespace

int attach_job(const Asked& asked) {
    const auto job = read_job_number(asked);
    if (!job) return fail(job.error());
    auto session = connect_one(asked.settings.session);
    return session ? attach(*session, *job) : fail(session.error());
}

}  // namespace launch
