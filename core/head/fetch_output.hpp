// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/fetch/fetched_trees.hpp"
#include "core/head/output_sink.hpp"
#include "core/io/output_files.hpp"

namespace launch {

/// Where the standard output of senders goes, of which each host has one.
class FetchOutput final : public OutputSink {
  public:
    /// `hosts`: by rank. `on_nothing_wanted` is called where a host sends though all are over.
    FetchOutput(any_io_executor executor, std::shared_ptr<FetchedTrees> trees,
                std::vector<std::string> hosts, std::function<void()> on_nothing_wanted)
        : hosts_(std::move(hosts)),
          on_nothing_wanted_(std::move(on_nothing_wanted)),
          trees_(trees),
          writer_(std::move(executor), std::move(trees)) {}

    awaitable<bool> take(const OutputMessage& message) override {
        const bool is_known = message.stream == Stream::out && message.rank < hosts_.size();
        if (!is_known) co_return true;
        if (trees_->over() >= hosts_.size()) {
            on_nothing_wanted_();
            co_return true;
        }
        std::string host = hosts_[message.rank];
        std::string bytes(message.bytes);
        co_return co_await writer_.write(std::move(host), std::move(bytes));
    }
    void ended(uint32_t /*rank*/, const ExitStatus& /*status*/) override {}
    void tell_hosts() const override {}
    awaitable<void> finish() override { co_await writer_.drain(); }
    const Error* file_error() const override {
        return writer_.error() ? &*writer_.error() : nullptr;
    }

  private:
    std::vector<std::string> hosts_;
    std::function<void()> on_nothing_wanted_;
    std::shared_ptr<FetchedTrees> trees_;
    OutputFiles writer_;
};

}  // namespace launch
