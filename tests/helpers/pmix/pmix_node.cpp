// SPDX-License-Identifier: MIT
// Nodes with a PMIx service, without a launcher: `pmix_node [-n RANKS] [--nodes NODES] [--fetch]
// [--notify] PROGRAM [ARGUMENT...]`. Each node is a process and has so many ranks; a hub between
// them plays the rest of a launcher. Says on standard error what the service is asked, one line
// each. Ends with the first failing rank's exit code.
#include <csignal>
#include <ctime>
#include <iostream>
#include <map>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/async/detached_pool.hpp"
#include "core/async/run.hpp"
#include "core/base/environment.hpp"
#include "core/base/fd.hpp"
#include "core/process/spawn.hpp"
#include "modex/pmix/pmix_server.hpp"
#include "tests/helpers/pmix/hub.hpp"

using namespace launch;

namespace {

struct Options {
    uint32_t ranks = 1;  ///< a node
    uint32_t nodes = 1;
    bool fetch = false;   ///< ask for every rank's data before it runs, as another node could
    bool notify = false;  ///< a rank that dies does not end the job: the others are told
    std::vector<std::string> argv;
};

double milliseconds_of(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

void say(uint32_t node, const std::string& line) {
    std::cerr << "node " + std::to_string(node) + ": " + line + "\n";
}

std::string text_of(const std::vector<uint32_t>& ranks) {
    std::string text;
    for (const uint32_t rank : ranks)
        text += (text.empty() ? "" : ",") + std::to_string(rank);
    return text.empty() ? "all" : text;
}

PmixJob job_of(const Options& options, uint32_t node, const std::string& id) {
    PmixJob job{.nspace = id,
                .size = options.ranks * options.nodes,
                .universe_size = options.ranks * options.nodes,
                .node = node,
                .programs = {{.first_rank = 0,
                              .ranks = options.ranks * options.nodes,
                              .argv = options.argv}},
                .folders = {pmix_folder("/dev/shm", id, node)}};
    for (uint32_t i = 0; i < options.nodes; ++i) {
        job.hosts.push_back("host" + std::to_string(i));
        job.ranks.push_back({{.first = i * options.ranks, .count = options.ranks, .stride = 1}});
    }
    return job;
}

/// To be called `count` times; then `done` is, with what went wrong if something did.
PmixEvents::Done all_of(size_t count, PmixEvents::Done done) {
    struct Left {
        size_t count;
        Result<std::string> result;
    };
    const auto left = std::make_shared<Left>(Left{count, std::string()});
    return [left, done = std::move(done)](const Result<std::string>& result) {
        if (!result) left->result = result;
        if (--left->count == 0) done(left->result);
    };
}

class Node : public PmixEvents {
  public:
    Node(asio::io_context& context, Options options, uint32_t index, int hub)
        : options_(std::move(options)),
          index_(index),
          children_(context, SIGCHLD),
          hub_(context, hub) {}

    int run(asio::io_context& context, const std::string& id);

    void pmix_joined(uint32_t rank) override {
        say(index_, "joined " + std::to_string(rank));
        joined_[rank] = true;
    }
    void pmix_finalized(uint32_t rank) override {
        say(index_, "finalized " + std::to_string(rank));
        joined_[rank] = false;
    }
    void pmix_fence(const std::vector<uint32_t>& ranks, std::string data, bool collect,
                    Done done) override {
        say(index_, "fence " + text_of(ranks) +
                        (collect ? ": " + std::to_string(data.size()) + " bytes" : ""));
        ask({.kind = Message::fence,
             .number = nodes_of(ranks),
             .key = text_of(ranks),
             .data = std::move(data)},
            std::move(done));
    }
    void pmix_spawn(uint32_t, SpawnOrder, Done done) override {
        done(Error{.kind = ErrorKind::usage, .cause = "nobody could start them"});
    }
    void pmix_fetch(uint32_t rank, Done done) override {
        say(index_, "wants " + std::to_string(rank));
        ask({.kind = Message::fetch, .number = rank}, std::move(done));
    }
    /// There is one job, and its hub knows nothing of what several do together.
    void pmix_fetch_of(const std::string&, uint32_t, Done done) override {
        done(Error{.kind = ErrorKind::not_found});
    }
    void pmix_collective(PmixCollective, CollectiveDone done) override {
        done(Error{.kind = ErrorKind::usage});
    }
    void pmix_publish(uint32_t, std::vector<NamedValue> names, bool, NameScope,
                      Done done) override {
        done = all_of(names.size(), std::move(done));
        for (NamedValue& each : names)
            ask({.kind = Message::publish,
                 .key = std::move(each.name),
                 .data = std::move(each.value)},
                done);
    }
    void pmix_lookup(uint32_t, NameLookup lookup, Found found) override {
        const auto values = std::make_shared<NamesFound>();
        values->values.resize(lookup.names.size());
        const Done done =
            all_of(lookup.names.size(), [values, found](const auto&) { found(*values); });
        for (size_t i = 0; i < lookup.names.size(); ++i)
            ask({.kind = Message::lookup, .key = std::move(lookup.names[i])},
                [values, i, done](const Result<std::string>& value) {
                    if (value) values->values[i] = *value;
                    done(value);
                });
    }
    void pmix_unpublish(uint32_t, std::vector<std::string> names, Done done) override {
        done = all_of(names.size(), std::move(done));
        for (std::string& name : names)
            ask({.kind = Message::unpublish, .key = std::move(name)}, done);
    }
    void pmix_event(std::optional<uint32_t> rank, std::string data) override {
        say(index_, "event of " + std::to_string(rank.value_or(0)));
        send_message(hub_.native_handle(), {.kind = Message::event, .data = std::move(data)});
    }
    void pmix_table(bool, TableDone done) override { done(std::vector<PmixProcess>{}); }
    void pmix_output_wanted(const std::vector<uint32_t>&) override {}
    void pmix_output_unwanted() override {}
    void pmix_abort(uint32_t rank, int code, std::string message) override {
        say(index_, "abort " + std::to_string(rank) + " " + std::to_string(code) + " " + message);
        exit_code_ = code;
        send_message(hub_.native_handle(), {.kind = Message::abort_job});
    }

  private:
    uint32_t nodes_of(const std::vector<uint32_t>& ranks) const {
        if (ranks.empty()) return options_.nodes;
        std::map<uint32_t, bool> nodes;
        for (const uint32_t rank : ranks)
            nodes[rank / options_.ranks] = true;
        return static_cast<uint32_t>(nodes.size());
    }
    void ask(Message message, Done done) {
        message.id = next_++;
        asked_[message.id] = std::move(done);
        send_message(hub_.native_handle(), message);
    }
    awaitable<void> close(any_io_executor executor);
    void start_rank(uint32_t rank);
    void fetch(uint32_t rank);
    void wait_for_children();
    void came();
    void collect();
    void rank_gone(uint32_t rank, int status);
    void wait_for_hub();
    void handle(const Message& message);
    void answer_fetch(const Message& message);

    Options options_;
    uint32_t index_;
    std::unique_ptr<PmixServer> server_;
    asio::signal_set children_;
    asio::posix::stream_descriptor hub_;
    std::map<pid_t, uint32_t> ranks_;
    std::map<uint32_t, bool> joined_;
    std::map<uint64_t, Done> asked_;
    uint32_t awaited_ = 1;  ///< the end of all ranks here, and each answer to a fetch of its own
    uint64_t next_ = 1;
    int exit_code_ = 0;
};

int Node::run(asio::io_context& context, const std::string& id) {
    const double wall = milliseconds_of(CLOCK_MONOTONIC);
    const double cpu = milliseconds_of(CLOCK_PROCESS_CPUTIME_ID);
    auto server = libpmix().start(context.get_executor(), job_of(options_, index_, id), *this);
    if (!server) {
        say(index_, describe(server.error()));
        return 70;
    }
    say(index_, "started in " + std::to_string(milliseconds_of(CLOCK_MONOTONIC) - wall) +
                    " ms, CPU " + std::to_string(milliseconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu) +
                    " ms");
    server_ = std::move(*server);
    const uint32_t first = index_ * options_.ranks;
    for (uint32_t rank = first; rank < first + options_.ranks; ++rank) {
        if (options_.fetch) fetch(rank);
        start_rank(rank);
    }
    wait_for_hub();
    wait_for_children();
    context.run();
    context.restart();
    run_to_end(context, close(context.get_executor()));
    return exit_code_;
}

awaitable<void> Node::close(any_io_executor executor) {
    DetachedPool threads(executor, 1);
    std::function<void()> end = server_->end();
    const bool ended = co_await threads.run(std::move(end), std::chrono::seconds{2}, {});
    if (!ended) server_->remove_files();
    server_.reset();
}

void Node::start_rank(uint32_t rank) {
    std::vector<std::string> env = own_environment();
    if (auto told = server_->rank_env(rank, env); !told) say(index_, describe(told.error()));
    const SpawnRequest request{
        .argv = options_.argv, .env = env, .stdin_fd = 0, .stdout_fd = 1, .stderr_fd = 2};
    const auto started = spawn_process(request);
    if (started.pid >= 0) {
        ranks_[started.pid] = rank;
        return;
    }
    say(index_, "cannot start " + options_.argv[0]);
    exit_code_ = 70;
}

void Node::fetch(uint32_t rank) {
    ++awaited_;
    server_->fetch_local(rank, [this, rank](const Result<std::string>& data) {
        say(index_, "fetched " + std::to_string(rank) + ": " +
                        (data ? std::to_string(data->size()) + " bytes" : data.error().cause));
        came();
    });
}

void Node::wait_for_children() {
    collect();
    if (!ranks_.empty())
        return children_.async_wait([this](std::error_code, int) { wait_for_children(); });
    asio::post(hub_.get_executor(), [this] { came(); });
}

/// What the ranks published may still be asked for: the hub closes when all nodes have said it.
/// A node that waits for answers of its own has not ended.
void Node::came() {
    if (--awaited_ == 0) send_message(hub_.native_handle(), {.kind = Message::ended});
}

void Node::collect() {
    int status = 0;
    pid_t pid = 0;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        const uint32_t rank = ranks_[pid];
        ranks_.erase(pid);
        // After what libpmix has said before: the rank's finalize is among it.
        asio::post(hub_.get_executor(), [this, rank, status] { rank_gone(rank, status); });
    }
}

void Node::rank_gone(uint32_t rank, int status) {
    server_->give_up_fetches(rank);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (code == 0 && !joined_[rank]) return;
    say(index_, "rank " + std::to_string(rank) + (joined_[rank] ? " left" : " ended") + " with " +
                    std::to_string(code));
    if (exit_code_ == 0) exit_code_ = code == 0 ? 1 : code;
    send_message(hub_.native_handle(),
                 {.kind = options_.notify ? Message::died : Message::abort_job, .number = rank});
}

void Node::wait_for_hub() {
    hub_.async_wait(asio::posix::stream_descriptor::wait_read, [this](std::error_code) {
        Message message;
        if (!receive_message(hub_.native_handle(), message)) return;
        handle(message);
        wait_for_hub();
    });
}

void Node::handle(const Message& message) {
    if (message.kind == Message::fetch) return answer_fetch(message);
    if (message.kind == Message::died) return server_->notify_died(message.number);
    if (message.kind == Message::event) return server_->tell_event(message.data);
    if (message.kind == Message::abort_job) {
        for (const auto& [pid, rank] : ranks_)
            kill(pid, SIGKILL);
        return;
    }
    const auto done = std::move(asked_[message.id]);
    asked_.erase(message.id);
    if (message.number != 0) return done(message.data);
    done(
        Error{.kind = ErrorKind::not_found, .operation = "ask", .cause = "there is no such thing"});
}

/// What a rank does not publish nobody waits for.
void Node::answer_fetch(const Message& message) {
    const auto limit = std::make_shared<asio::steady_timer>(hub_.get_executor());
    limit->expires_after(std::chrono::seconds{2});
    limit->async_wait([this, rank = message.number](std::error_code answered) {
        if (!answered && server_) server_->give_up_fetches(rank);
    });
    server_->fetch_local(message.number, [this, id = message.id, limit](const auto& data) {
        limit->cancel();
        send_message(hub_.native_handle(), {.kind = Message::fetched,
                                            .id = id,
                                            .number = data ? 1u : 0u,
                                            .data = data ? *data : std::string()});
    });
}

Options parse(const std::vector<std::string>& words) {
    Options options;
    size_t i = 0;
    for (; i < words.size() && words[i].starts_with("-"); ++i) {
        if (words[i] == "-n") options.ranks = static_cast<uint32_t>(std::stoul(words[++i]));
        if (words[i] == "--nodes") options.nodes = static_cast<uint32_t>(std::stoul(words[++i]));
        if (words[i] == "--fetch") options.fetch = true;
        if (words[i] == "--notify") options.notify = true;
    }
    options.argv.assign(words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
    return options;
}

int run_node(const Options& options, uint32_t index, int hub) {
    signal(SIGPIPE, SIG_IGN);  // libpmix writes to ranks that have just been killed
    asio::io_context context(1);
    Node node(context, options, index, hub);
    return node.run(context, "test-" + std::to_string(getppid()));
}

}  // namespace

int main(int argc, char** argv) {
    const Options options = parse({argv + 1, argv + argc});
    if (options.argv.empty()) return 2;
    std::vector<int> hub_ends;
    for (uint32_t i = 0; i < options.nodes; ++i) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return 70;
        if (fork() == 0) {
            for (const int fd : hub_ends)
                close(fd);
            close(ends[0]);
            return run_node(options, i, ends[1]);
        }
        close(ends[1]);
        hub_ends.push_back(ends[0]);
    }
    Hub(hub_ends, options.ranks).run();
    int exit_code = 0;
    int status = 0;
    while (wait(&status) > 0) {
        const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        if (exit_code == 0) exit_code = code;
    }
    return exit_code;
}
