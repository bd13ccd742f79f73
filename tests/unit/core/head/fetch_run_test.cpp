// SPDX-License-Identifier: MIT
// Files that are fetched from two hosts, which the test plays.

#include "core/head/fetch_run.hpp"

#include <algorithm>
#include <deque>
#include <fstream>
#include <iterator>

#include "core/async/task_group.hpp"
#include "core/fetch/sent_tree.hpp"
#include "core/hosts/hostlist.hpp"
#include "tests/unit/core/harness/fake_job_tree.hpp"
#include "tests/unit/core/harness/simulated_run.hpp"
#include "tests/unit/folder_test.hpp"
#include "tests/unit/golden.hpp"

namespace launch {
namespace {

using Lines = std::vector<std::string>;

Result<std::unique_ptr<Topology>> no_tree(const std::string&, uint32_t, NodeIndex, std::string*) {
    return std::unique_ptr<Topology>();
}

/// The tree of the senders, through which the test speaks for the hosts.
class SendersTree : public FakeJobTree {
  public:
    SendersTree(Lines& log, TreeJob*& job) : FakeJobTree(log), job_(job) {}
    const JobMessage& begin(JobMessage message, JobUpstream& upstream, TreeJob& job) override {
        job_ = &job;
        return FakeJobTree::begin(std::move(message), upstream, job);
    }

  private:
    TreeJob*& job_;
};

/// Places senders as they ask for it, one program a host, or refuses them.
class SendersGround : public SpawnGround {
  public:
    SendersGround(Lines& log, TreeJob*& job) : log_(log), job_(job) {}

    awaitable<Result<Place>> place(SpawnSpec wanted, uint32_t space) override {
        log_.push_back("place " + std::to_string(wanted.hosts.size()));
        if (refuses) co_return Error{ErrorKind::unreachable, "ask", {}, -1, "no room", {}};
        JobSpec spec = std::move(wanted.spec);
        spec.hosts.clear();
        for (const auto& hosts : wanted.hosts)
            spec.hosts.push_back(hosts.at(0));
        last = spec.programs;
        Place place;
        place.plan = *make_plan(std::move(spec), no_tree);
        place.plan.space = space;
        place.tree = std::make_unique<SendersTree>(log_, job_);
        co_return place;
    }
    awaitable<Status> grow(std::vector<Host>) override { co_return Ok{}; }
    awaitable<Status> release(std::vector<Host>) override { co_return Ok{}; }
    void end() override { log_.emplace_back("end"); }

    bool refuses = false;
    std::vector<Program> last;

  private:
    Lines& log_;
    TreeJob*& job_;
};

class FetchRunTest : public FolderTest {
  protected:
    static Plan plan_of_hosts(uint32_t hosts) {
        JobSpec spec;
        spec.job_id = "job";
        spec.wdir = "/work";
        spec.programs = {{.argv = {"a"}, .ranks = hosts}};
        spec.hosts = *parse_hosts("n[1-" + std::to_string(hosts) + "]");
        return *make_plan(std::move(spec), no_tree);
    }

    void start(uint32_t hosts, const std::string& remote = "out/log") {
        plan_ = plan_of_hosts(hosts);
        for (uint32_t host = 0; host < hosts; ++host)
            hosts_.push_back(host);
        run_.emplace(io_.get_executor(), FetchRun::Settings{plan_, ground, {}});
        spec_ = {remote, folder_ + "/here", "log"};
        tasks_.spawn(all());
        settle(io_);
    }
    awaitable<void> all() {
        co_await run_->run(spec_, hosts_);
        log.emplace_back("done");
    }
    void ready(NodeIndex hosts) {
        for (NodeIndex node = 1; node <= hosts; ++node)
            job->hosts_up({node});
        settle(io_);
    }
    /// What the sender on a host writes.
    void sends(uint32_t rank, std::string bytes) {
        sent_.push_back(std::move(bytes));
        tasks_.spawn(carry(rank, sent_.back()));
        settle(io_);
    }
    awaitable<void> carry(uint32_t rank, const std::string& bytes) {
        co_await job->output(rank + 1, OutputMessage{rank, Stream::out, bytes});
    }
    void exits(uint32_t rank, int code = 0) {
        job->take(JobReport(ExitsMessage{{{rank, {ExitStatus::Kind::exited, code}, {}}}}));
    }
    bool run_out_to(const std::string& line) {
        return run_until(io_, [&] { return std::find(log.begin(), log.end(), line) != log.end(); });
    }
    bool is_done() { return run_out_to("done"); }
    static std::string file(const std::string& text) {
        Checksum checksum;
        checksum.add(text);
        return encode_fetch(FetchedFile{"log", 0640}) + encode_fetch(FetchedPiece{text}) +
               encode_fetch(FetchedFileEnd{checksum.value()});
    }
    std::string here(const std::string& host) const {
        std::ifstream in(folder_ + "/here/" + host + "/log");
        return {std::istreambuf_iterator<char>(in), {}};
    }
    size_t names_of(const std::string& host) const {
        std::error_code none;
        const std::filesystem::directory_iterator all(folder_ + "/here/" + host, none);
        return none ? 0 : static_cast<size_t>(std::distance(begin(all), end(all)));
    }

    Lines log;
    TreeJob* job = nullptr;
    SendersGround ground{log, job};
    std::optional<FetchRun> run_;

  private:
    SimulatedRun simulation_;
    asio::io_context& io_ = simulation_.io;
    Plan plan_;
    FetchSpec spec_;
    std::vector<uint32_t> hosts_;
    std::deque<std::string> sent_;
    TaskGroup tasks_{io_.get_executor()};
};

TEST_F(FetchRunTest, each_host_sends_from_the_folder_of_its_ranks) {
    start(2);
    ASSERT_EQ(ground.last.size(), 2U);
    const auto& words = ground.last[1].argv;
    EXPECT_EQ(Lines(words.end() - 3, words.end()), (Lines{"/work", "or-home", "out/log"}));
    ready(2);
    sends(0, file("one") + encode_fetch(FetchedAll{}));
    sends(1, file("two"));
    sends(1, encode_fetch(FetchedAll{}));
    exits(0);
    exits(1);
    ASSERT_TRUE(is_done());
    EXPECT_EQ(here("n1"), "one");
    EXPECT_EQ(here("n2"), "two");
    EXPECT_EQ(run_->failure_lines(), Lines{});
    EXPECT_FALSE(run_->error());
}

TEST_F(FetchRunTest, what_hosts_lack_is_told_once_and_the_others_come) {
    start(3);
    ready(3);
    const FetchedFault fault{"/there/out/log", "No such file or directory"};
    sends(0, encode_fetch(fault));
    sends(1, file("two") + encode_fetch(FetchedAll{}));
    sends(2, encode_fetch(fault));
    for (uint32_t rank = 0; rank < 3; ++rank)
        exits(rank);
    ASSERT_TRUE(is_done());
    EXPECT_EQ(here("n2"), "two");
    expect_told({"n[1,3]: fetch out/log: "}, run_->failure_lines());
    ASSERT_TRUE(run_->error());
    EXPECT_EQ(run_->error()->kind, ErrorKind::staging);
}

TEST_F(FetchRunTest, what_breaks_off_is_told_and_leaves_nothing) {
    start(3);
    ready(3);
    sends(0, file("one"));
    exits(0, 9);
    sends(1, file("two"));
    exits(1);
    sends(2, "\x01z");  // a record of no type
    exits(2);
    ASSERT_TRUE(is_done());
    expect_told(
        {"n1: fetch out/log: ", "exit code 9", "n3: fetch out/log: ", "n2: fetch out/log: "},
        run_->failure_lines());
    for (const char* host : {"n1", "n2", "n3"})
        EXPECT_EQ(names_of(host), 0U) << host;
}

TEST_F(FetchRunTest, senders_that_have_no_place_are_told) {
    ground.refuses = true;
    start(2);
    ASSERT_TRUE(is_done());
    expect_told({"n[1-2]: fetch out/log: "}, run_->failure_lines());
}

TEST_F(FetchRunTest, an_end_by_the_user_is_no_failure_and_leaves_nothing) {
    start(2);
    ready(2);
    sends(0, file("one"));
    run_->end(milliseconds{100});
    exits(0, 143);
    exits(1, 143);
    ASSERT_TRUE(is_done());
    EXPECT_EQ(run_->failure_lines(), Lines{});
    EXPECT_NE(run_->interrupted_line().value_or("").find("out/log of 2 hosts"), std::string::npos);
    EXPECT_EQ(names_of("n1"), 0U);
}

TEST_F(FetchRunTest, a_host_that_sends_what_nobody_wants_is_stopped) {
    start(1);
    ready(1);
    sends(0, "\x01z");  // a record of no type
    const auto is_stopped = [&] {
        return std::find(log.begin(), log.end(), "terminate 0") != log.end();
    };
    EXPECT_FALSE(is_stopped());
    sends(0, "more");
    EXPECT_TRUE(is_stopped());
    exits(0, 143);
    ASSERT_TRUE(is_done());
    EXPECT_EQ(run_->failure_lines().size(), 1U);
}

TEST_F(FetchRunTest, files_that_a_host_cannot_read_are_counted_and_the_rest_comes) {
    start(2);
    ready(2);
    for (uint32_t rank = 0; rank < 2; ++rank) {
        sends(rank, encode_fetch(FetchedFolder{"log", 0755}) +
                        encode_fetch(FetchedUnread{"/log/a", "Permission denied"}) +
                        encode_fetch(FetchedUnread{"/log/b", "Permission denied"}) +
                        encode_fetch(FetchedFolderEnd{}) + encode_fetch(FetchedAll{}));
        exits(rank);
    }
    ASSERT_TRUE(is_done());
    ASSERT_EQ(run_->failure_lines().size(), 1U);
    for (const char* word : {"n[1-2]: ", "2 files", "/log/a: Permission denied"})
        EXPECT_NE(run_->failure_lines().front().find(word), std::string::npos) << word;
    EXPECT_EQ(names_of("n1"), 1U);
}

TEST_F(FetchRunTest, only_so_many_hosts_send_at_once) {
    start(40);
    EXPECT_EQ(log.front(), "place 32");
    ready(32);
    for (uint32_t rank = 0; rank < 32; ++rank) {
        sends(rank, file("x") + encode_fetch(FetchedAll{}));
        exits(rank);
    }
    ASSERT_TRUE(run_out_to("place 8"));
    ready(8);
    for (uint32_t rank = 0; rank < 8; ++rank) {
        sends(rank, file("y") + encode_fetch(FetchedAll{}));
        exits(rank);
    }
    ASSERT_TRUE(is_done());
    EXPECT_EQ(here("n32"), "x");
    EXPECT_EQ(here("n40"), "y");
    EXPECT_EQ(run_->failure_lines(), Lines{});
}

}  // namespace
}  // namespace launch
