// SPDX-License-Identifier: MIT
#include "transports/command/command_transport.hpp"

#include "core/async/event.hpp"
#include "core/hosts/host_text.hpp"
#include "transports/command/child_stream.hpp"
#include "transports/remote_command.hpp"
#include "transports/start_error.hpp"
#include "transports/tries.hpp"

namespace launch {
namespace {

using std::chrono::milliseconds;

/// Programs that are under way at once: each is a process that computes.
constexpr size_t starts_at_once = 64;

class CommandTransport : public Transport {
  public:
    CommandTransport(const any_io_executor& executor, Reaper& reaper, CommandService service)
        : executor_(executor),
          reaper_(reaper),
          service_(std::move(service)),
          tries_(executor, starts_at_once) {}

    awaitable<Tries::Started> start(StartRequest request) override {
        return tries_.start(std::move(request),
                            [this](const StartRequest& its, Clock::time_point deadline) {
                                return try_once(its, deadline);
                            });
    }
    std::string explain(const StartRequest& request) override {
        return shell_line(service_.command_line(request));
    }
    std::string by_hand(const std::vector<std::string>& argv) const override {
        return service_.by_hand ? service_.by_hand(argv) : Transport::by_hand(argv);
    }

  private:
    awaitable<Try> try_once(const StartRequest& request, Clock::time_point deadline);

    any_io_executor executor_;
    Reaper& reaper_;
    CommandService service_;
    Tries tries_;
};

awaitable<Try> CommandTransport::try_once(const StartRequest& request, Clock::time_point deadline) {
    request.enter(StartStage::client);
    const auto run = service_.prepare(request);
    auto started =
        ChildStream::start(executor_, reaper_, run->command_line(), service_.own_failure);
    if (!started) {
        started.error().hint =
            "launch reaches hosts by this program: is it installed, and in PATH?";
        co_return Try{nullptr, {std::move(started.error()), Retry::no}};
    }
    auto stream = std::move(*started);
    const auto first = co_await stream->wait_for_first_byte(deadline, request.stop);
    co_await run->settled();
    using First = ChildStream::First;
    if (first == First::spoke) co_return Try{std::move(stream), {}};
    if (first == First::stopped) co_return Try{nullptr, {start_error::given_up(), Retry::no}};
    if (first == First::timed_out) {
        auto error = start_error::no_answer(start_error::execute, request.start_timeout);
        co_return Try{nullptr, {std::move(error), Retry::no}};
    }
    CommandService::Ending ending{stream->error_text(), stream->exit_code()};
    auto failure = co_await service_.diagnose(request, std::move(ending));
    if (!failure) co_return Try{std::move(stream), {}};
    co_return Try{nullptr, std::move(*failure)};
}

}  // namespace

std::unique_ptr<Transport> make_command_transport(const any_io_executor& executor, Reaper& reaper,
                                                  CommandService service) {
    return std::make_unique<CommandTransport>(executor, reaper, std::move(service));
}

}  // namespace launch
