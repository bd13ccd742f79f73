// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/async/event.hpp"
#include "core/link/direct_links.hpp"
#include "core/transport.hpp"
#include "transports/command/child_stream.hpp"

namespace launch {

/// One run of a program that starts many hosts, and those hosts: node 1 and so on of the links by
/// which they call back.
class Call : public DirectLinkHandler {
  public:
    explicit Call(const any_io_executor& executor) : changed_(executor), limit_(executor) {}

    /// The place of one more host.
    size_t add(const Host& host);
    const std::vector<Host>& hosts() const { return hosts_; }
    std::vector<std::string> host_names() const;

    bool wants_link(const DirectCall& call) override;
    void direct_link(const DirectCall& call, std::unique_ptr<ByteStream> stream) override;

    /// Waits for one host's call. `hint`: to somebody who wonders why it does not come.
    awaitable<Result<std::unique_ptr<ByteStream>>> wait_for(size_t place, StartRequest request,
                                                            std::string hint);
    /// All that are waited for have called, or will not.
    awaitable<void> settled();
    bool is_settled() const;
    /// None of those will call that are still waited for.
    void fail(Error error);
    /// This one will not, if it is still waited for.
    void fail_host(size_t place, Error error);

    void runs(std::unique_ptr<ChildStream> child) { child_ = std::move(child); }
    ChildStream* child() const { return child_.get(); }
    void child_ended() { limit_.cancel(); }
    /// A host whose link is closed, or that is not waited for any more.
    void leave(const std::shared_ptr<Call>& self);

  private:
    struct Caller {
        std::unique_ptr<ByteStream> stream;
        std::optional<Error> failure;
        bool waits = true;
    };

    std::vector<Host> hosts_;
    std::vector<Caller> callers_;
    size_t present_ = 0;
    std::unique_ptr<ChildStream> child_;
    Event changed_;
    Timer limit_;
};

}  // namespace launch
