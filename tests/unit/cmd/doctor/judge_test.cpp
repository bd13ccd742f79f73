// SPDX-License-Identifier: MIT
#include "cmd/doctor/judge.hpp"

#include <functional>
#include <gtest/gtest.h>

#include "core/hosts/hostlist.hpp"
#include "core/transport.hpp"
#include "tests/unit/golden.hpp"
#include "transports/start_error.hpp"

namespace launch {
namespace {

using Topic = NoticeMessage::Topic;
using Use = FolderFact::Use;

constexpr uint64_t second = 1'000'000;
constexpr uint64_t noon = 1'800'000'000 * second;
constexpr uint64_t mib = 1u << 20;

HostFacts good_facts() {
    HostFacts facts;
    facts.libc = "2.36";
    facts.files = {1024, 65536};
    facts.locked_memory = {8 * mib, 8 * mib};
    facts.processes = {4096, 4096};
    for (const char* name : {"n1", "n2", "n3", "n4"})
        facts.names.push_back({name, {std::string("10.0.0.") + name[1]}, {}});
    facts.folders = {{Use::launch, "/tmp", 900 * mib, false, {}},
                     {Use::launch, "/dev/shm", 900 * mib, false, {}},
                     {Use::temporary, "/tmp", 900 * mib, false, {}},
                     {Use::memory, "/dev/shm", 900 * mib, false, {}}};
    facts.libraries = {{"MPICH", "4.1.2"}, {"Open MPI", "4.1.4"}};
    facts.clock_us = noon;
    return facts;
}

/// Four hosts of which nothing is to be said.
Examination good() {
    Examination seen;
    seen.here = good_facts();
    seen.reaches_by_name = true;
    seen.wdir = "/work";
    seen.executable_bytes = 3 * mib;
    for (const char* name : {"n1", "n2", "n3", "n4"}) {
        ExaminedHost host;
        host.name = name;
        host.is_up = true;
        host.facts = good_facts();
        host.earliest_us = noon - second / 100;
        host.latest_us = noon + second / 100;
        seen.hosts.push_back(host);
    }
    return seen;
}

std::string text_of(const Finding& finding) {
    return std::string(severity_names[static_cast<size_t>(finding.severity)]) + " " +
           std::string(check_names[static_cast<size_t>(finding.check)]) + " " +
           fold_names(finding.hosts) + ": " + finding.what +
           (finding.fix.empty() ? "" : " -> " + finding.fix);
}

/// What is worse than good.
std::vector<std::string> told(const Examination& seen) {
    std::vector<std::string> texts;
    for (const auto& finding : judge(seen))
        if (finding.severity != Severity::good) texts.push_back(text_of(finding));
    return texts;
}

Error error_of(const char* operation, const char* cause, const char* hint) {
    return {ErrorKind::unreachable, operation, {}, -1, cause, hint};
}

void fail(ExaminedHost& host, Error error) {
    host.is_up = false;
    host.facts.reset();
    host.failure = std::move(error);
}

struct Row {
    const char* name;
    std::function<void(Examination&)> change;
    std::vector<std::string> heads;
};

/// Returns the beginning of each finding, such as "warning disk n1"; a golden file has the rest.
std::vector<std::string> heads_of(const char* name, const Examination& seen) {
    const auto texts = told(seen);
    expect_golden(name, texts);
    std::vector<std::string> heads;
    for (const auto& text : texts)
        heads.push_back(text.substr(0, text.find(": ")));
    return heads;
}

void expect_rows(const std::vector<Row>& rows) {
    for (const auto& row : rows) {
        Examination seen = good();
        row.change(seen);
        EXPECT_EQ(heads_of(row.name, seen), row.heads) << row.name;
    }
}

TEST(Doctor, finds_nothing_on_good_hosts_and_says_what_it_looked_at) {
    const auto findings = judge(good());
    ASSERT_EQ(findings.size(), check_names.size());
    for (size_t i = 0; i < findings.size(); ++i) {
        EXPECT_EQ(findings[i].severity, Severity::good) << text_of(findings[i]);
        EXPECT_EQ(findings[i].check, static_cast<Check>(i));
    }
    EXPECT_EQ(findings.back().what, "MPICH 4.1.2, Open MPI 4.1.4");
    EXPECT_FALSE(would_fail_by(findings));
}

TEST(Doctor, tells_why_hosts_were_not_started) {
    expect_rows({
        {"hosts that failed alike",
         [](Examination& seen) {
             for (const size_t i : {1U, 2U})
                 fail(seen.hosts[i], error_of("connect", "refused", "is sshd running there?"));
         },
         {"fault start n[2-3]"}},
        {"from another host, and by no way",
         [](Examination& seen) {
             fail(seen.hosts[1], error_of("connect", "refused", "is sshd running there?"));
             seen.hosts[1].started_by = "n1";
         },
         {"fault start n2"}},
        {"from another host alone, by its keys",
         [](Examination& seen) {
             fail(seen.hosts[1],
                  start_error::denied({"me", {}, {}, false, {}, start_error::Starter::relay}));
             seen.hosts[1].started_by = "n1";
             seen.hosts[1].starts_from_here = true;
             seen.hosts[1].facts = good_facts();
         },
         {"fault start n2"}},
        {"from another host alone, by the network",
         [](Examination& seen) {
             fail(seen.hosts[1], error_of("connect", "no answer", ""));
             seen.hosts[1].started_by = "n1";
             seen.hosts[1].starts_from_here = true;
         },
         {"fault start n2"}},
        {"no process there",
         [](Examination& seen) {
             seen.hosts[3].facts.reset();
             seen.hosts[3].why_no_facts = "exit code 2";
         },
         {"fault start n4"}},
    });
}

TEST(Doctor, passes_on_what_hosts_say) {
    const auto say = [](Topic topic, const char* text) {
        return [=](Examination& seen) {
            for (const size_t i : {0U, 1U})
                seen.hosts[i].notices.push_back({static_cast<NodeIndex>(i + 1), true, text, topic});
        };
    };
    expect_rows({
        {"noise",
         say(Topic::login_noise, "the login shell printed \"a (b)\"; ignored (be silent)"),
         {"warning login n[1-2]"}},
        {"a firewall",
         say(Topic::direct_link, "open a direct link: no answer"),
         {"warning links n[1-2]"}},
        {"where no addresses are known",
         [&](Examination& seen) {
             seen.reaches_by_name = false;
             say(Topic::direct_link, "open a direct link: no address")(seen);
         },
         {"note links n[1-2]"}},
        {"a push", say(Topic::sent, "launch was sent there"), {"note start n[1-2]"}},
    });
}

TEST(Doctor, warns_of_a_start_that_takes_long) {
    const auto slow = [](StartStage stage, uint64_t us) {
        return [=](Examination& seen) {
            for (const size_t i : {0U, 2U}) {
                seen.hosts[i].longest = stage;
                seen.hosts[i].longest_us = us + i * second / 10;
            }
        };
    };
    expect_rows({
        {"not so long", slow(StartStage::hello, 4 * second), {}},
        {"an address", slow(StartStage::dial, 6 * second), {"warning start n[1,3]"}},
        {"a login", slow(StartStage::auth, 15 * second), {"warning login n[1,3]"}},
        {"a shell", slow(StartStage::hello, 15 * second), {"warning login n[1,3]"}},
        {"a client program", slow(StartStage::client, 8 * second), {"warning start n[1,3]"}},
        {"a line", slow(StartStage::push, 8 * second), {"warning start n[1,3]"}},
    });
}

TEST(Doctor, counts_only_names_that_somebody_resolves_as_the_same_everywhere) {
    Examination seen = good();
    const auto nobody_resolves_n2 = [&seen] {
        seen.here.names[1] = {"n2", {}, "unknown"};
        for (auto& host : seen.hosts)
            if (host.facts) host.facts->names[1] = {"n2", {}, "unknown"};
    };
    const auto told_of_names = [&seen] {
        std::vector<std::string> texts;
        for (const auto& finding : judge(seen))
            if (finding.check == Check::names) texts.push_back(text_of(finding));
        return texts;
    };
    EXPECT_EQ(told_of_names(),
              (std::vector<std::string>{"ok names : 4 names are the same everywhere"}));
    nobody_resolves_n2();
    const auto texts = told_of_names();
    ASSERT_EQ(texts.size(), 2u);
    EXPECT_TRUE(texts[0].starts_with("note names n[1-4]")) << texts[0];
    EXPECT_EQ(texts[1], "ok names : 3 names are the same everywhere");
    // A host that did not start, as its name is misspelled, is told of once.
    fail(seen.hosts[1], error_of("resolve", "no such host name", "check its spelling"));
    EXPECT_EQ(told_of_names(),
              (std::vector<std::string>{"ok names : 3 names are the same everywhere"}));
}

TEST(Doctor, compares_what_names_are) {
    expect_rows({
        {"another address on one host",
         [](Examination& seen) { seen.hosts[0].facts->names[1].addresses = {"10.9.9.9"}; },
         {"warning names n1"}},
        {"not known to two",
         [](Examination& seen) {
             for (const size_t i : {0U, 2U})
                 seen.hosts[i].facts->names[1] = {"n2", {}, "Name or service not known"};
         },
         {"warning names n[1,3]"}},
        {"itself by the loopback interface",
         [](Examination& seen) { seen.hosts[2].facts->names[2].addresses = {"127.0.1.1"}; },
         {"warning names n3"}},
        {"another view of itself is its own business",
         [](Examination& seen) {
             seen.hosts[2].facts->names[2].addresses = {"10.0.0.3", "fe80::1"};
         },
         {}},
        {"a name of ssh's configuration",
         [](Examination& seen) {
             seen.here.names[1] = {"n2", {}, "unknown"};
             for (auto& host : seen.hosts)
                 host.facts->names[1] = {"n2", {}, "unknown"};
         },
         {"note names n[1-4]"}},
        {"names of containers mean nothing to resolvers",
         [](Examination& seen) {
             seen.reaches_by_name = false;
             seen.hosts[0].facts->names[1] = {"n2", {}, "unknown"};
         },
         {}},
    });
}

TEST(Doctor, believes_of_clocks_what_is_certain) {
    const auto differs = [](int64_t us) {
        return [us](Examination& seen) {
            seen.hosts[1].facts->clock_us = static_cast<uint64_t>(static_cast<int64_t>(noon) + us);
        };
    };
    const auto one_second = static_cast<int64_t>(second);
    expect_rows({
        {"less than is told", differs(one_second), {}},
        {"perhaps a second", differs(one_second + one_second / 200), {}},
        {"ahead", differs(3 * one_second + one_second / 2), {"warning clock n2"}},
        {"behind", differs(-7200 * one_second), {"warning clock n2"}},
        {"years behind", differs(-400 * 86400 * one_second), {"warning clock n2"}},
        {"a message that took long proves nothing",
         [&](Examination& seen) {
             differs(5 * one_second)(seen);
             seen.hosts[1].latest_us = noon + 6 * second;
         },
         {}},
        {"no end was told of",
         [&](Examination& seen) {
             differs(5 * one_second)(seen);
             seen.hosts[1].latest_us = 0;
         },
         {}},
    });
}

TEST(Doctor, looks_at_limits_that_matter) {
    expect_rows({
        {"few files",
         [](Examination& seen) {
             seen.hosts[0].facts->files = {256, 512};
         },
         {"warning limits n1"}},
        {"fewer than here",
         [](Examination& seen) {
             seen.here.files.soft = 100000;
             seen.hosts[0].facts->files.hard = unlimited;
         },
         {"note limits n[2-4]"}},
        {"few processes",
         [](Examination& seen) { seen.hosts[0].facts->processes.hard = 100; },
         {"warning limits n1"}},
        {"which root does not feel",
         [](Examination& seen) {
             seen.hosts[0].facts->processes.hard = 100;
             seen.hosts[0].facts->is_root = true;
         },
         {}},
        {"little locked memory for a fast network",
         [](Examination& seen) { seen.hosts[0].facts->has_fast_network = true; },
         {"warning limits n1"}},
    });
}

TEST(Doctor, looks_where_files_go) {
    const auto on_first = [](auto change) {
        return [change](Examination& seen) { change(seen.hosts[0].facts->folders); };
    };
    expect_rows({
        {"full",
         on_first([](auto& folders) { folders[2].fault = "No space left on device"; }),
         {"warning disk n1"}},
        {"others may replace what is put there",
         on_first([](auto& folders) { folders[2].fault = others_may_write; }),
         {"warning disk n1"}},
        {"nearly full",
         on_first([](auto& folders) { folders[2].free_bytes = 5 * mib; }),
         {"warning disk n1"}},
        {"little memory",
         on_first([](auto& folders) { folders[3].free_bytes = mib; }),
         {"warning disk n1"}},
        {"noexec",
         on_first([](auto& folders) { folders[2].noexec = folders[0].noexec = true; }),
         {"warning disk n1"}},
        {"which shared memory may be",
         on_first([](auto& folders) { folders[3].noexec = true; }),
         {}},
        {"no place for launch",
         on_first([](auto& folders) {
             folders[0].noexec = true;
             folders[1].free_bytes = 2 * mib;
         }),
         {"warning disk n1"}},
    });
}

TEST(Doctor, takes_a_folder_for_what_a_launch_takes_it_for) {
    Examination seen = good();
    seen.hosts[1].facts->has_wdir = false;
    EXPECT_EQ(heads_of("one host lacks it", seen), std::vector<std::string>{"fault folder n2"});
    EXPECT_EQ(would_fail_by(judge(seen)), ErrorKind::not_allowed);
    for (auto& host : seen.hosts)
        host.facts->has_wdir = false;
    EXPECT_EQ(heads_of("all hosts lack it", seen), std::vector<std::string>{"note folder n[1-4]"});
    EXPECT_FALSE(would_fail_by(judge(seen)));
    fail(seen.hosts[0], error_of("connect", "refused", ""));
    seen.hosts[1].facts->has_wdir = true;
    EXPECT_EQ(would_fail_by(judge(seen)), ErrorKind::unreachable) << "the worst of both";
}

TEST(Doctor, compares_libraries) {
    const auto have = [](size_t hosts, std::vector<LibraryFact> libraries) {
        return [=](Examination& seen) {
            for (size_t i = 0; i < hosts; ++i)
                seen.hosts[i].facts->libraries = libraries;
        };
    };
    expect_rows({
        {"another version on one",
         have(1, {{"MPICH", "3.4"}, {"Open MPI", "4.1.4"}}),
         {"warning mpi n1"}},
        {"as many have another: this machine's counts",
         have(2, {{"MPICH", "3.4"}, {"Open MPI", "4.1.4"}}),
         {"warning mpi n[1-2]"}},
        {"none", have(1, {{"Open MPI", "4.1.4"}}), {"warning mpi n1"}},
        {"one that others have not",
         have(1, {{"MPICH", "4.1.2"}, {"Open MPI", "4.1.4"}, {"PMIx", "5.0"}}),
         {"warning mpi n1"}},
        {"all alike, and not as here",
         have(4, {{"MPICH", "4.2"}, {"Open MPI", "4.1.4"}}),
         {"note mpi n[1-4]"}},
        {"nowhere", have(4, {}), {}},
    });
}

TEST(Doctor, tells_of_an_mpich_that_may_hang_between_hosts) {
    const auto told_of = [](size_t hosts) {
        Examination seen = good();
        seen.hosts.resize(hosts);
        seen.here.libraries = {{"MPICH", "4.0.2"}};
        for (auto& host : seen.hosts)
            host.facts->libraries = seen.here.libraries;
        return heads_of(hosts == 1 ? "one host" : "several hosts", seen);
    };
    EXPECT_EQ(told_of(2), std::vector<std::string>{"note mpi n[1-2]"});
    EXPECT_EQ(told_of(1), std::vector<std::string>{});
}

TEST(Doctor, compares_glibc_by_numbers) {
    expect_rows({
        {"older",
         [](Examination& seen) { seen.hosts[1].facts->libc = "2.9"; },
         {"warning glibc n2"}},
        {"newer", [](Examination& seen) { seen.hosts[1].facts->libc = "2.41"; }, {}},
    });
}

TEST(Doctor, tells_the_worst_first_and_says_nothing_of_hosts_that_it_has_not_seen) {
    Examination seen = good();
    seen.hosts[1].facts->libc = "2.9";
    seen.hosts[1].facts->names[0].addresses = {"10.1.1.1"};
    fail(seen.hosts[2], error_of("connect", "refused", ""));
    std::vector<Check> checks;
    for (const auto& finding : judge(seen))
        if (finding.severity != Severity::good) checks.push_back(finding.check);
    EXPECT_EQ(checks, (std::vector{Check::start, Check::names, Check::glibc}));
    for (auto& host : seen.hosts)
        fail(host, error_of("connect", "refused", ""));
    EXPECT_EQ(judge(seen).size(), 1U) << "no check was made, so none is ok";
}

}  // namespace
}  // namespace launch
