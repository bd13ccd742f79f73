// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/async/asio.hpp"
#include "core/base/error.hpp"
#include "core/hosts/host.hpp"
#include "core/start_clock.hpp"

namespace launch {

/// The standard streams of a relay that a transport started: what we write it reads, and back.
/// All calls come from the io_context's thread; one read and one write may be pending at a time.
class ByteStream {
  public:
    virtual ~ByteStream() = default;

    /// At least one byte; 0 at the end of the stream, also after close() or a fault (`fault()`).
    virtual awaitable<size_t> read_some(std::span<char> buffer) = 0;
    /// How many bytes were taken; 0 when the stream is gone.
    virtual awaitable<size_t> write_some(std::span<const char> bytes) = 0;
    /// Writes as much as possible without waiting, which may be nothing; only while no write_some()
    /// runs.
    virtual size_t write_now(std::string_view) { return 0; }
    /// Ends both directions and wakes pending calls. Idempotent.
    virtual void close() noexcept = 0;

    /// After the end: what the other side said on its standard error, at most a few KiB, and the
    /// exit code of the started command where one is known. They explain a failed start.
    virtual std::string error_text() const { return {}; }
    virtual std::optional<int> exit_code() const { return std::nullopt; }
};

/// The message on standard error of a host that does not execute launch at the given path, because
/// other users may have changed it.
inline constexpr std::string_view others_may_write =
    "others may write to it, or to a folder above it";

struct StartRequest {
    Host host;
    std::vector<std::string> argv;       ///< to run there; the transport quotes it
    std::vector<std::string> otherwise;  ///< where argv[0] is not to be executed; if any
    /// Users who, beside root and the user there, are trusted to have put argv[0] there. It is not
    /// executed where it, or a folder above it, belongs to anybody else.
    std::vector<uint32_t> owners;
    std::chrono::milliseconds connect_timeout{};  ///< for the address to answer
    std::chrono::milliseconds start_timeout{};    ///< for all of it
    std::stop_token stop;                         ///< give up: the job ends
    std::shared_ptr<StartClock> clock;            ///< notes the time of each stage, if not null

    void enter(StartStage stage) const {
        if (clock) clock->enter(stage);
    }
};

/// A remote service that starts a command on a host: ssh, a local process, ...
class Transport {
  public:
    virtual ~Transport() = default;

    /// The command's streams, or the error (`operation` is the stage, `host` is set). Keeps to the
    /// request's deadlines; retries if an overloaded server refuses.
    virtual awaitable<Result<std::unique_ptr<ByteStream>>> start(StartRequest request) = 0;

    /// How start() would go about it, in one line, for --dry-run --explain: the command line itself
    /// where another program does it. Contacts nothing.
    virtual std::string explain(const StartRequest& request) = 0;

    /// The command line with which a person would run the words on HOST in the same way; for hints.
    virtual std::string by_hand(const std::vector<std::string>& argv) const {
        std::string line = "ssh HOST";
        for (const auto& word : argv)
            line += " " + word;
        return line;
    }

    /// Each of these hosts is about to be asked for by a start() of its own, none of which waits
    /// for another. A service that starts many by one call does so when the last one is asked for.
    virtual void will_start(std::span<const Host>) {}

    /// The host is the machine that this runs on, beside others that are not: nobody else is to
    /// start it.
    virtual bool is_own(const Host&) const { return false; }
    /// A numeric address by which others reach this machine, for a host that is_own().
    virtual std::string own_address() const { return {}; }
};

}  // namespace launch
