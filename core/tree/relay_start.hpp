// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "core/hosts/host.hpp"
#include "core/job/job_spec.hpp"
#include "core/link/framed_link.hpp"
#include "core/push/image.hpp"
#include "core/push/opening.hpp"
#include "core/push/push.hpp"
#include "core/transport.hpp"
#include "core/tree/relay_request.hpp"

namespace launch {

/// The state of a node that starting relays needs.
struct StartContext {
    any_io_executor executor;
    Transport& transport;
    const TreePolicies& policies;
    const LaunchPath launch;
    const std::string& build_id;
    std::stop_token stop;  ///< the job ends: start nobody any more
    std::shared_ptr<StartClock> clock;
    /// Our own executable, from when the first host was seen to want it.
    std::optional<Image>& image;
};

/// Starts the relay of one host: through the transport, with our own executable where the host's
/// will not do (--push), up to a greeting that we understand.
class RelayStart {
  public:
    using Link = std::unique_ptr<FramedLink>;

    RelayStart(StartContext context, Host host)
        : context_(std::move(context)), host_(std::move(host)) {}

    awaitable<Result<Link>> run();
    /// The executable that was sent took the place of another build's.
    bool replaced() const { return replaced_; }
    /// Bytes of the executable that were sent, in all attempts.
    uint64_t pushed_bytes() const { return pushed_bytes_; }

  private:
    awaitable<Result<Link>> run_what_is_there();
    awaitable<Result<Link>> attempt(StartRequest request);
    struct Attempt;
    awaitable<std::optional<Error>> open(Attempt& at);
    awaitable<std::optional<Error>> answer(Attempt& at, Opening::State state);
    std::optional<Error> prepare_push(const std::string& machine);
    awaitable<std::optional<Error>> greet(FramedLink& link, const StreamWatch& watch);
    Error timed_out_error() const;
    Error no_hello_error(const FramedLink& link) const;
    std::string ending(const FramedLink& link) const;
    uint64_t image_size() const { return context_.image ? context_.image->size() : 0; }

    StartContext context_;
    Host host_;
    uint64_t pushed_bytes_ = 0;
    bool replaced_ = false;
    // State of the current attempt:
    /// Bytes of the executable that the host has taken; nothing: it is not sent.
    std::optional<uint64_t> taken_;
    /// The exit code of the command there if it ended before it greeted.
    std::optional<int> code_;
    bool other_build_ = false;
    bool script_only_ = false;  ///< nothing but our script was to run, which first of all asks
    std::string ending_;        ///< how it ended without a greeting
};

}  // namespace launch
