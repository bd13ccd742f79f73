// One node with a PMIx service, alone: `pmix_node [-n RANKS] [--fetch] [--notify] PROGRAM
// [ARGUMENT...]`. Plays what the rest of a launcher does: fences are done at once, names are kept
// in a map. Says on standard error what it is asked, one line each.
#include <ctime>
#include <iostream>
#include <map>
#include <sys/wait.h>
#include <unistd.h>

#include "core/process/spawn.hpp"
#include "modex/pmix/pmix_server.hpp"

using namespace launch;

namespace {

struct Options {
    uint32_t ranks = 1;
    bool fetch = false;   ///< asks for every rank's data, as another node would
    bool notify = false;  ///< tells the ranks that live when one dies
    std::vector<std::string> argv;
};

/// In milliseconds.
struct Times {
    double wall = 0;
    double cpu = 0;
};

double read_clock(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

Times times() {
    return {read_clock(CLOCK_MONOTONIC), read_clock(CLOCK_PROCESS_CPUTIME_ID)};
}

void say(const std::string& line) {
    std::cerr << "node: " + line + "\n";
}

Error no_such_key() {
    return {.kind = ErrorKind::not_found, .operation = "look up", .cause = "no such name"};
}

class LoneNode : public PmixEvents {
  public:
    void pmix_joined(uint32_t rank) override { say("joined " + std::to_string(rank)); }
    void pmix_finalized(uint32_t rank) override { say("finalized " + std::to_string(rank)); }
    void pmix_fence(const std::vector<uint32_t>& ranks, std::string data, bool collect,
                    Done done) override {
        std::string line = "fence";
        for (const uint32_t rank : ranks)
            line += " " + std::to_string(rank);
        say(line + (collect ? ": " + std::to_string(data.size()) + " bytes" : ""));
        done(std::move(data));
    }
    void pmix_fetch(uint32_t rank, Done done) override {
        say("asked for " + std::to_string(rank));
        done(no_such_key());
    }
    void pmix_publish(std::string key, std::string value, Done done) override {
        const bool fresh = names_.emplace(std::move(key), std::move(value)).second;
        done(fresh ? Result<std::string>(std::string()) : no_such_key());
    }
    void pmix_lookup(std::string key, Done done) override {
        const auto found = names_.find(key);
        done(found == names_.end() ? Result<std::string>(no_such_key()) : found->second);
    }
    void pmix_unpublish(std::string key, Done done) override {
        done(names_.erase(key) == 0 ? Result<std::string>(no_such_key()) : std::string());
    }
    void pmix_abort(uint32_t rank, int code, std::string message) override {
        say("abort " + std::to_string(rank) + " " + std::to_string(code) + " " + message);
        aborted = true;
    }

    bool aborted = false;

  private:
    std::map<std::string, std::string> names_;
};

PmixJob job_of(const Options& options) {
    const std::string id = "node-" + std::to_string(getpid());
    return {.nspace = id,
            .size = options.ranks,
            .universe_size = options.ranks,
            .node = 0,
            .hosts = {"alone"},
            .ranks = {{{.first = 0, .count = options.ranks, .stride = 1}}},
            .programs = {{.first_rank = 0, .ranks = options.ranks, .argv = options.argv}},
            .folder = pmix_folder(id, 0)};
}

class Run {
  public:
    Run(asio::io_context& context, Options options, PmixServer& server, LoneNode& node)
        : options_(std::move(options)), server_(server), node_(node), children_(context, SIGCHLD) {}

    void start() {
        for (uint32_t rank = 0; rank < options_.ranks; ++rank) {
            if (options_.fetch) fetch(rank);
            start_rank(rank);
        }
        wait();
    }
    int exit_code() const { return exit_code_; }

  private:
    void start_rank(uint32_t rank) {
        std::vector<std::string> env;
        for (char** entry = environ; *entry != nullptr; ++entry)
            env.emplace_back(*entry);
        if (auto told = server_.rank_env(rank, env); !told) {
            say(describe(told.error()));
            exit_code_ = 70;
        }
        const auto started = spawn_process(
            {.argv = options_.argv, .env = env, .stdin_fd = 0, .stdout_fd = 1, .stderr_fd = 2});
        if (started.pid < 0) {
            say("cannot start " + options_.argv[0]);
            exit_code_ = 70;
            return;
        }
        ranks_[started.pid] = rank;
    }
    void fetch(uint32_t rank) {
        server_.fetch_local(rank, [rank](const Result<std::string>& data) {
            say("fetched " + std::to_string(rank) + ": " +
                (data ? std::to_string(data->size()) + " bytes" : describe(data.error())));
        });
    }
    void wait() {
        collect();
        if (ranks_.empty()) return;
        children_.async_wait([this](std::error_code, int) { wait(); });
    }
    void collect() {
        int status = 0;
        pid_t pid = 0;
        while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
            const uint32_t rank = ranks_[pid];
            ranks_.erase(pid);
            server_.rank_ended(rank);
            const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            if (code != 0 && exit_code_ == 0) exit_code_ = code;
            if (code != 0)
                say("rank " + std::to_string(rank) + " ended with " + std::to_string(code));
            if (code != 0 && options_.notify) {
                server_.notify_died(rank);
            } else if (code != 0 || node_.aborted) {
                kill_all();
            }
        }
    }
    void kill_all() {
        for (const auto& [pid, rank] : ranks_)
            kill(pid, SIGKILL);
    }

    Options options_;
    PmixServer& server_;
    LoneNode& node_;
    asio::signal_set children_;
    std::map<pid_t, uint32_t> ranks_;
    int exit_code_ = 0;
};

Options parse(const std::vector<std::string>& words) {
    Options options;
    size_t i = 0;
    for (; i < words.size() && words[i].starts_with("-"); ++i) {
        if (words[i] == "-n") options.ranks = static_cast<uint32_t>(std::stoul(words[++i]));
        if (words[i] == "--fetch") options.fetch = true;
        if (words[i] == "--notify") options.notify = true;
    }
    options.argv.assign(words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
    return options;
}

}  // namespace

int main(int argc, char** argv) {
    const Options options = parse({argv + 1, argv + argc});
    if (options.argv.empty()) return 2;
    asio::io_context context(1);
    LoneNode node;
    const Times begin = times();
    auto server = PmixServer::start(context.get_executor(), job_of(options), node);
    const Times end = times();
    if (!server) {
        say(describe(server.error()));
        return 70;
    }
    say("started in " + std::to_string(end.wall - begin.wall) + " ms, CPU " +
        std::to_string(end.cpu - begin.cpu) + " ms");
    Run run(context, options, **server, node);
    run.start();
    context.run();
    (*server)->close();
    return run.exit_code();
}
