// SPDX-License-Identifier: MIT
#include "transports/local/local_transport.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "core/base/environment.hpp"
#include "core/base/shortage.hpp"
#include "core/io/fd_stream.hpp"
#include "core/process/spawn.hpp"

namespace launch {
namespace {

class LocalTransport : public Transport {
  public:
    LocalTransport(any_io_executor executor, bool outlives_reader)
        : executor_(std::move(executor)) {
        if (outlives_reader) stderr_.reset(open("/dev/null", O_WRONLY | O_CLOEXEC));
    }

    awaitable<Result<std::unique_ptr<ByteStream>>> start(StartRequest request) override {
        request.enter(StartStage::start);
        FdPair pair = make_socket_pair();
        if (!pair.first) co_return failed(request.host, os_error("create a socket pair", errno));
        UniqueFd out(fcntl(pair.first.get(), F_DUPFD_CLOEXEC, 3));
        if (!out) co_return failed(request.host, os_error("duplicate a socket", errno));
        SpawnRequest spawn;
        spawn.argv = chosen(request);
        spawn.env = own_environment();
        spawn.stdin_fd = pair.second.get();
        spawn.stdout_fd = pair.second.get();
        spawn.stderr_fd = stderr_.get();
        const SpawnResult spawned = spawn_process(spawn);
        if (spawned.pid < 0) {
            Error error;
            error.operation = "start a relay on this machine";
            const ExitStatus& failure = spawned.failure;
            error.cause = failure.stage == ExitStatus::Stage::fork
                              ? not_started_text(failure.stage, no_process_text(failure.value))
                              : to_string(failure);
            co_return failed(request.host, error);
        }
        co_return std::make_unique<FdStream>(executor_, std::move(pair.first), std::move(out));
    }

    std::string explain(const StartRequest& request) override {
        std::string line = "(this machine as " + request.host.name + ")";
        for (const auto& word : chosen(request))
            line += " " + word;
        return line;
    }

  private:
    static const std::vector<std::string>& chosen(const StartRequest& request) {
        const bool there = request.otherwise.empty() || access(request.argv[0].c_str(), X_OK) == 0;
        return there ? request.argv : request.otherwise;
    }

    static Error failed(const Host& host, Error error) {
        error.kind = ErrorKind::unreachable;
        error.host = host.name;
        return error;
    }

    any_io_executor executor_;
    UniqueFd stderr_;  ///< of relays; none: this process's own
};

}  // namespace

std::unique_ptr<Transport> make_local_transport(any_io_executor executor,
                                                const TransportOptions& options) {
    return std::make_unique<LocalTransport>(std::move(executor), options.outlives_reader);
}

}  // namespace launch
