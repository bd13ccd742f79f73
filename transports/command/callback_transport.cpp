// SPDX-License-Identifier: MIT
#include "transports/command/callback_transport.hpp"

#include <array>
#include <utility>

#include "core/async/detached_pool.hpp"
#include "core/async/task_group.hpp"
#include "core/base/hex.hpp"
#include "core/base/random.hpp"
#include "core/link/direct_links.hpp"
#include "core/process/munge.hpp"
#include "core/wire/callback_message.hpp"
#include "transports/command/call.hpp"
#include "transports/command/call_end_error.hpp"
#include "transports/command/call_file.hpp"
#include "transports/command/job_slots.hpp"
#include "transports/command/task_ends.hpp"
#include "transports/command/template_transport.hpp"
#include "transports/direct/tls_links.hpp"
#include "transports/own_addresses.hpp"
#include "transports/remote_command.hpp"
#include "transports/start_error.hpp"
#include "transports/tail_text.hpp"

namespace launch {
namespace {

using Started = Result<std::unique_ptr<ByteStream>>;

/// The program was there, and was not run on hosts where others can have changed it.
std::optional<Error> read_refusal(const std::string& path, std::string_view said) {
    if (said.find(others_may_write) == said.npos) return std::nullopt;
    return start_error::make(
        "start launch there", path + ": " + std::string(others_may_write),
        "chmod go-w there, or copy this executable to a folder that only you may write to");
}

constexpr size_t id_size = 8;

/// The result of a thread, once it is there.
using Written = std::shared_ptr<std::optional<Result<CallFile>>>;
constexpr size_t file_threads = 4;
/// How long the end of a file is waited for.
constexpr std::chrono::seconds removal_patience{3};
/// How long a MUNGE daemon is waited for.
constexpr std::chrono::seconds seal_patience{5};

/// Hosts of which the service knows nothing.
void refuse_strangers(Call& call, const JobSlots& slots) {
    const auto names = call.host_names();
    for (size_t place = 0; place < names.size(); ++place)
        if (!slots.may_have(names[place]))
            call.fail_host(place, start_error::make("start", "the host is not in this PBS job",
                                                    "PBS_NODEFILE lists its hosts"));
}

/// The link of one relay, as its streams.
class CalledStream : public ByteStream {
  public:
    CalledStream(std::shared_ptr<Call> call, std::unique_ptr<ByteStream> link)
        : call_(std::move(call)), link_(std::move(link)) {}
    ~CalledStream() override { CalledStream::close(); }
    CalledStream(const CalledStream&) = delete;
    CalledStream& operator=(const CalledStream&) = delete;

    awaitable<size_t> read_some(std::span<char> buffer) override {
        return link_->read_some(buffer);
    }
    awaitable<size_t> write_some(std::span<const char> bytes) override {
        return link_->write_some(bytes);
    }
    size_t write_now(std::string_view bytes) override { return link_->write_now(bytes); }
    void close() noexcept override {
        link_->close();
        if (auto call = std::exchange(call_, nullptr)) call->leave(call);
    }

  private:
    std::shared_ptr<Call> call_;  ///< null: closed
    std::unique_ptr<ByteStream> link_;
};

class CallbackTransport : public Transport {
  public:
    CallbackTransport(const any_io_executor& executor, Reaper& reaper, CallbackSettings settings)
        : executor_(executor),
          reaper_(reaper),
          line_(std::move(settings.line)),
          folder_(settings.folder.empty() ? usual_call_folder() : std::move(settings.folder)),
          to_remove_(settings.to_remove),
          files_(executor, file_threads),
          tasks_(executor) {}

    void will_start(std::span<const Host> hosts) override { expected_ += hosts.size(); }
    awaitable<Started> start(StartRequest request) override;
    std::string explain(const StartRequest& request) override {
        const std::string file = folder_ + "/" + std::string(call_file_prefix) + "...";
        return "(with all others) " +
               shell_line(command_line({request.host}, request, by_file() ? file : ""));
    }
    std::string by_hand(const std::vector<std::string>& argv) const override {
        Host host;
        host.name = "HOST";
        return shell_line(line_.all_command_line({host}, argv, shell_line(argv)));
    }

  private:
    bool by_file() const { return line_.hands_no_input(); }
    /// `file`: the file in which relays read the address to call; empty: their standard input.
    std::vector<std::string> command_line(const std::vector<Host>& hosts,
                                          const StartRequest& request,
                                          const std::string& file) const;
    std::string why_no_call() const;
    /// `first`: of one of the hosts, whose command is that of all.
    awaitable<void> run(std::shared_ptr<Call> call, StartRequest first);
    awaitable<void> run_by_file(std::shared_ptr<Call> call, StartRequest first, std::string text);
    awaitable<void> run_by_input(std::shared_ptr<Call> call, StartRequest first, std::string text);
    awaitable<std::string> sealed(std::string text, std::stop_token stop);
    awaitable<Result<Written>> write_file(std::string text, StartRequest first);
    awaitable<void> remove_file(Written written);
    bool start_program(Call& call, const StartRequest& first, const std::string& file) const;
    awaitable<void> watch(std::shared_ptr<Call> call, std::string path);
    awaitable<void> watch_tasks(std::shared_ptr<Call> call, JobSlots slots);
    Error end_of_program(const Call& call, const std::string& words) const;
    Result<CallbackMessage> listen(DirectLinks& links, const Call& call,
                                   const DirectLinkSettings& settings) const;

    any_io_executor executor_;
    Reaper& reaper_;
    CommandTemplate line_;
    std::string folder_;
    RemovalList* to_remove_;
    std::shared_ptr<Call> gathering_;
    size_t expected_ = 0;
    DetachedPool files_;
    TaskGroup tasks_;
};

std::vector<std::string> CallbackTransport::command_line(const std::vector<Host>& hosts,
                                                         const StartRequest& request,
                                                         const std::string& file) const {
    std::vector<std::string> argv = request.argv;
    argv.emplace_back(call_back_word);
    if (!file.empty()) argv.push_back(file);
    return line_.all_command_line(hosts, remote_words(argv, {}, request.owners),
                                  remote_command(argv, {}, request.owners));
}

std::string CallbackTransport::why_no_call() const {
    if (by_file())
        return "does " + line_.program() + " start launch there, does the host see " + folder_ +
               ", and can it open a TCP connection to here?";
    return "does the service start launch there, and can the host open a TCP connection to here?";
}

awaitable<Started> CallbackTransport::start(StartRequest request) {
    if (!gathering_) gathering_ = std::make_shared<Call>(executor_);
    const auto call = gathering_;
    const size_t place = call->add(request.host);
    if (expected_ > 0) --expected_;
    if (expected_ == 0) {
        gathering_.reset();
        tasks_.spawn(run(call, request));
    }
    auto stream = co_await call->wait_for(place, std::move(request), why_no_call());
    if (stream) co_return std::make_unique<CalledStream>(call, std::move(*stream));
    call->leave(call);
    co_return std::move(stream.error());
}

Result<CallbackMessage> CallbackTransport::listen(DirectLinks& links, const Call& call,
                                                  const DirectLinkSettings& settings) const {
    const auto port = links.listen();
    if (!port) return port.error();
    CallbackMessage message{settings.job_id, settings.own.key, {}, call.host_names()};
    for (auto& address : own_addresses())
        message.addresses.push_back({0, std::move(address), *port});
    return message;
}

/// Where that cannot be done the text stays as it is.
awaitable<std::string> CallbackTransport::sealed(std::string text, std::stop_token stop) {
    const auto made = std::make_shared<std::optional<std::string>>();
    const auto seal = [made, text] { *made = munge_sealed(text); };
    const bool done = co_await files_.run(seal, seal_patience, std::move(stop));
    co_return done&&* made ? std::move(**made) : std::move(text);
}

/// In a thread: a file server may not answer, and nothing else here is to wait for it.
awaitable<Result<Written>> CallbackTransport::write_file(std::string text, StartRequest first) {
    const auto written = std::make_shared<std::optional<Result<CallFile>>>();
    const auto write = [written, text = std::move(text), folder = folder_, list = to_remove_] {
        written->emplace(CallFile::make(folder, text, list));
    };
    const auto patience = first.start_timeout;  // which is over before that of any host
    const bool done = co_await files_.run(write, patience, first.stop);
    if (!done) {
        Error error = start_error::no_answer("", patience);
        error.operation = "write a file in " + folder_;
        error.hint = "is a file server down? choose another folder: --call-folder DIR";
        co_return error;
    }
    if (!**written) co_return std::move((*written)->error());
    co_return written;
}

/// Removes the file; if that takes too long, the guard does it.
awaitable<void> CallbackTransport::remove_file(Written written) {
    const auto remove = [written = std::move(written)] { written->reset(); };
    co_await files_.run(remove, removal_patience, std::stop_token());
}

/// False: none of the hosts will call.
bool CallbackTransport::start_program(Call& call, const StartRequest& first,
                                      const std::string& file) const {
    const auto words = by_file() ? ChildStream::Words::together : ChildStream::Words::apart;
    auto child =
        ChildStream::start(executor_, reaper_, command_line(call.hosts(), first, file), {}, words);
    if (child) {
        call.runs(std::move(*child));
        return true;
    }
    child.error().hint = "launch reaches hosts by this program: is it installed, and in PATH?";
    call.fail(std::move(child.error()));
    return false;
}

/// Until all have called, or none will any more.
awaitable<void> CallbackTransport::run(std::shared_ptr<Call> call, StartRequest first) {
    if (first.argv.size() != 2 || first.argv.at(1) != "--relay") {
        call->fail(start_error::make(
            "start", "this transport cannot send launch to hosts",
            "copy this executable to the same path there, and leave out --push always"));
        co_return;
    }
    DirectLinkSettings settings;
    settings.job_id = hex_bytes(random_bytes(id_size));
    settings.own = {random_bytes(link_key_size),
                    {{0, static_cast<NodeIndex>(call->hosts().size() + 1)}}};
    settings.expected = call->hosts().size();
    const auto links = make_tls_links(executor_, settings, *call);
    auto message = listen(*links, *call, settings);
    if (message) {
        std::string text = message->encode();
        if (line_.has_munge()) text = co_await sealed(std::move(text), first.stop);
        text += '\n';
        if (by_file())
            co_await run_by_file(call, first, std::move(text));
        else
            co_await run_by_input(call, first, std::move(text));
    } else {
        call->fail(std::move(message.error()));
    }
    co_await links->close();
}

awaitable<void> CallbackTransport::run_by_input(std::shared_ptr<Call> call, StartRequest first,
                                                std::string text) {
    if (!start_program(*call, first, {})) co_return;
    tasks_.spawn(watch(call, first.argv.at(0)));
    ChildStream& child = *call->child();
    size_t sent = 0;
    for (size_t n = 1; n > 0 && sent < text.size(); sent += n) {
        const std::string_view rest = std::string_view(text).substr(sent);
        n = co_await child.write_some(rest);
    }
    co_await call->settled();
}

/// The file is there only as long as a host may read it.
awaitable<void> CallbackTransport::run_by_file(std::shared_ptr<Call> call, StartRequest first,
                                               std::string text) {
    JobSlots slots = JobSlots::of_this_job();
    refuse_strangers(*call, slots);
    if (call->is_settled()) co_return;
    auto written = co_await write_file(std::move(text), first);
    if (!written) {
        call->fail(std::move(written.error()));
        co_return;
    }
    const std::string path = (***written)->path();
    if (!call->is_settled() && start_program(*call, first, path)) {
        tasks_.spawn(watch_tasks(call, std::move(slots)));
        co_await call->settled();
    }
    co_await remove_file(std::move(*written));
}

/// Reads the program's output: before hosts call, it is their output; its end is the end of those
/// that have not called. `path`: of launch there.
awaitable<void> CallbackTransport::watch(std::shared_ptr<Call> call, std::string path) {
    ChildStream& child = *call->child();
    std::array<char, 1024> ignored{};
    while (co_await child.read_some(ignored) > 0) {
    }
    call->child_ended();
    auto refusal = read_refusal(path, child.error_text());
    call->fail(refusal ? std::move(*refusal) : end_of_program(*call, child.error_text()));
}

/// The program is none that hands on what hosts say: it tells of those that have ended. Some were
/// not needed, as their host has another that calls, or is not asked for.
awaitable<void> CallbackTransport::watch_tasks(std::shared_ptr<Call> call, JobSlots slots) {
    ChildStream& child = *call->child();
    TailText words;
    TaskEnds tasks;
    std::optional<int> of_some_host;
    std::array<char, 1024> piece{};
    for (size_t n = 0; (n = co_await child.read_some(piece)) > 0;) {
        words.append({piece.data(), n});
        for (const TaskEnd& end : tasks.read({piece.data(), n})) {
            const auto place = own_place(call->host_names(), {slots.host_of(end.slot)});
            if (place) call->fail_host(*place, call_end_error(end.code, folder_));
            if (slots.host_of(end.slot).empty()) of_some_host = end.code;
        }
    }
    call->child_ended();
    call->fail(of_some_host ? call_end_error(*of_some_host, folder_)
                            : end_of_program(*call, words.text()));
}

Error CallbackTransport::end_of_program(const Call& call, const std::string& words) const {
    const auto code = call.child()->exit_code();
    Host nobody;
    nobody.name = "HOST";
    auto failure =
        read_command_error(line_.program(), nobody, words, code.value_or(1), by_hand({"true"}));
    if (failure) return std::move(failure->error);
    return start_error::make("start",
                             line_.program() + " ended with exit code " +
                                 std::to_string(code.value_or(0)) + " before the host called back",
                             "try: " + by_hand({"true"}));
}

}  // namespace

std::unique_ptr<Transport> make_callback_transport(const any_io_executor& executor, Reaper& reaper,
                                                   CallbackSettings settings) {
    return std::make_unique<CallbackTransport>(executor, reaper, std::move(settings));
}

}  // namespace launch
