#include "core/relay/relay.hpp"

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

#include "core/async/run.hpp"
#include "core/io/fd_stream.hpp"
#include "core/relay/relay_run.hpp"

namespace launch {
namespace {

/// The streams that the transport gave us; afterwards nothing here reads or writes 0 and 1.
std::unique_ptr<ByteStream> take_streams(any_io_executor executor) {
    UniqueFd in(fcntl(0, F_DUPFD_CLOEXEC, 3));
    UniqueFd out(fcntl(1, F_DUPFD_CLOEXEC, 3));
    const UniqueFd null(open("/dev/null", O_RDWR | O_CLOEXEC));
    dup2(null.get(), 0);
    dup2(null.get(), 1);
    return std::make_unique<FdStream>(executor, std::move(in), std::move(out));
}

}  // namespace

int run_relay(const Factories& factories, const Guard& guard) {
    signal(SIGPIPE, SIG_IGN);
    asio::io_context io(1);
    RelayRun relay(io.get_executor(), take_streams(io.get_executor()), factories, guard);
    run_to_end(io, relay.run());
    return 0;
}

}  // namespace launch
