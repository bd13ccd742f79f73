// SPDX-License-Identifier: MIT
#include <array>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "cmd/options/read_source.hpp"
#include "cmd/request/read_hosts.hpp"
#include "core/hosts/hostlist.hpp"
#include "tests/unit/cmd/words.hpp"
#include "tests/unit/golden.hpp"

namespace launch {
namespace {

using Words = std::vector<std::string>;

JobSpec spec_of(const std::string& text, const std::string& input = {}) {
    auto request = request_of(words_of(text), input);
    EXPECT_TRUE(request) << text << ": " << describe(request.error());
    return request ? std::move(request->spec) : JobSpec{};
}

TEST(JobSpec, TakesWhatWasNotSaidFromTheSurroundings) {
    const auto spec = spec_of("app");
    EXPECT_EQ(spec.job_id, "job");
    EXPECT_EQ(spec.wdir, "/here");
    EXPECT_EQ(spec.launch_path, "/opt/launch");
    EXPECT_EQ(spec.local_slots, 6U);
    EXPECT_EQ(spec.transport.name, "local");
    EXPECT_EQ(spec.topology, "");
    EXPECT_EQ(spec.policies, Policies{});
    EXPECT_TRUE(spec.hosts.empty());
    EXPECT_EQ(spec.allocation, "");
    EXPECT_EQ(spec.programs, (std::vector<Program>{{.argv = {"app"}}}));
}

TEST(JobSpec, WordsOfAProgramAreItsOwn) {
    struct {
        const char* words;
        std::vector<Words> argvs;
    } rows[] = {
        {"-n 2 app -n 3 --help", {{"app", "-n", "3", "--help"}}},
        {"-n2 app", {{"app"}}},
        {"-- -app --", {{"-app", "--"}}},
        {"app -- : b", {{"app", "--"}, {"b"}}},
        {"a x::y :z : -np 3 b : -- c", {{"a", "x::y", ":z"}, {"b"}, {"c"}}},
        {"-genv SEP : app", {{"app"}}},
    };
    for (const auto& row : rows) {
        const auto request = request_of(words_of(row.words));
        ASSERT_TRUE(request) << row.words;
        std::vector<Words> argvs;
        for (const auto& program : request->spec.programs)
            argvs.push_back(program.argv);
        EXPECT_EQ(argvs, row.argvs) << row.words;
    }
}

TEST(JobSpec, LocalOptionsHoldForTheirProgramAndOthersForAll) {
    const auto spec = spec_of(
        "-n 1 -wdir sub -env A 1 -genv G 0 ./master : -n 63 -k 4 -l -env A 2 -x FOO -hosts h "
        "-wdir /abs ./worker");
    EXPECT_EQ(
        spec.programs[0],
        (Program{.argv = {"./master"}, .ranks = 1, .env = {"G=0", "A=1"}, .wdir = "/here/sub"}));
    EXPECT_EQ(
        spec.programs[1],
        (Program{
            .argv = {"./worker"}, .ranks = 63, .env = {"G=0", "FOO=foo", "A=2"}, .wdir = "/abs"}));
    EXPECT_EQ(spec.degree, 4U);
    EXPECT_TRUE(!spec.policies.output.label.empty());
    EXPECT_EQ(fold_hosts(spec.hosts), "h");
}

TEST(JobSpec, TheLastOfAValueCountsAndListsGrow) {
    const auto spec = spec_of("-n 1 -l -n 2 -l -hosts a -hosts b:2,c app");
    EXPECT_EQ(spec.programs[0].ranks, 2U);
    EXPECT_EQ(fold_hosts(spec.hosts), "a,b:2,c");
}

/// "n[1-2] / * / n2": of each program, as it may run on them.
std::string choices_of(const JobSpec& spec) {
    std::string text;
    for (const auto& choice : spec.choices) {
        if (!text.empty()) text += " / ";
        std::vector<Host> hosts;
        for (const uint32_t place : choice.value_or(std::vector<uint32_t>{}))
            hosts.push_back(spec.hosts.at(place));
        text += choice ? fold_hosts(hosts) : "*";
    }
    return text;
}

TEST(JobSpec, ProgramsHaveHostsOfTheirOwnWhereSeveralNameSome) {
    const std::string path = testing::TempDir() + "launch_job_spec_test_own_hosts";
    std::ofstream(path) << "f1 slots=2\nf2\n";
    struct {
        const char* row;
        std::string words;
        const char* hosts;
        const char* choices;
    } rows[] = {
        {"each", "-host a -n 1 X : -host b:2 -n 2 Y", "a,b:2", "a / b:2"},
        {"the first's are for all", "-hosts a,b -n 1 X : -n 2 Y", "a,b", ""},
        {"the last's are for all", "-n 1 X : -hosts a,b -n 2 Y", "a,b", ""},
        {"one without", "-host a X : -n 1 Y : -host b Z", "a,b", "a / * / b"},
        {"from files", "-f " + path + " X : -hosts a Y", "f1:2,f2,a", "f1:2,f2 / a"},
        {"a host of both has the slots of the greater", "-host a X : -host a:4,b Y", "a:4,b",
         "a:4 / a:4,b"},
        {"repeats add slots within a list", "-host a -host a X : -host b,b Y", "a:2,b:2",
         "a:2 / b:2"},
        {"in its own order", "-host b,a X : -host a,b Y", "b,a", "b,a / a,b"},
        {"but not these", "-host n[1-4] X : -host n[3-6] --exclude n[3-5] Y", "n[1-2,6]",
         "n[1-2] / n6"},
        {"the first of each", "--max-hosts 2 -host n[1-4] X : -host n3,n3,n[4-6]:2 Y",
         "n[1-2],n[3-4]:2", "n[1-2] / n[3-4]:2"},
        {"the first of all", "-host n1,n1,n[2-4] --exclude n2 --max-hosts 2 X : Y", "n1:2,n3", ""},
        {"as many as there are", "--max-hosts 9 -host n[1-2] X", "n[1-2]", ""},
        {"nor these", "--exclude n1 -host n[1-4] X : Y", "n[2-4]", ""},
    };
    for (const auto& row : rows) {
        const auto spec = spec_of(row.words);
        EXPECT_EQ(fold_hosts(spec.hosts), row.hosts) << row.row;
        EXPECT_EQ(choices_of(spec), row.choices) << row.row;
    }
    std::remove(path.c_str());
}

TEST(JobSpec, NotesExcludedHostsThatWereNotInTheList) {
    const auto request = request_of(words_of("-hosts n[1-4] --exclude n[4-6],x app"));
    ASSERT_TRUE(request);
    expect_told({"--exclude", "n[5-6],x"}, request->notes);
}

TEST(JobSpec, TransportFollowsTheHosts) {
    EXPECT_EQ(spec_of("-hosts a app").transport.name, "ssh");
    EXPECT_EQ(spec_of("-hosts a --transport openssh app").transport.name, "openssh");
    EXPECT_EQ(spec_of("-hosts a --transport local app").transport.name, "local");
    EXPECT_EQ(spec_of("--transport local app").transport.name, "local");
    EXPECT_TRUE(spec_of("-v app").transport.verbose);
}

TEST(JobSpec, NeedsNoSshForThisMachine) {
    struct {
        const char* hosts;
        const char* transport;
    } rows[] = {
        {"localhost", "local"},
        {"localhost:4", "local"},
        {"LocalHost,HEAD", "local"},
        {"127.0.0.1,[::1]:2", "local"},
        {"head", "local"},
        {"head.example.org:2", "ssh"},  // the head of another domain, perhaps
        {"localhost,head", "local"},
        {"localhost,n1", "ssh"},  // the others must be reached, and may have to reach it
        {"headmaster", "ssh"},
        {"ann@localhost", "ssh"},  // somebody else, or another server there
        {"localhost:2222:1", "ssh"},
    };
    for (const auto& row : rows) {
        const std::string words = std::string("-hosts ") + row.hosts;
        EXPECT_EQ(spec_of(words + " app").transport.name, row.transport) << row.hosts;
        EXPECT_EQ(spec_of(words + " --transport ssh app").transport.name, "ssh") << row.hosts;
    }
}

TEST(JobSpec, CallsThisMachineAsOthersDoWhereItIsBesideThem) {
    struct {
        const char* words;
        const char* hosts;
    } rows[] = {
        {"-hosts localhost:2,n1", "head:2,n1"},
        {"-hosts n1,127.0.0.1", "n1,head"},
        {"-hosts localhost,n1 --transport openssh", "head,n1"},
        {"-hosts localhost,n1 --exclude localhost", "n1"},
        {"-hosts localhost,n1 --exclude head", "n1"},
        {"-hosts head,n1 --exclude localhost", "n1"},
        {"-hosts localhost,head,n1 --exclude head --transport docker", "localhost,n1"},
        {"-hosts localhost,HEAD:2,n1", "HEAD,HEAD:2,n1"},
        {"-hosts ann@localhost,localhost:22:1,n1", "ann@localhost,localhost:22:1,n1"},
        {"-hosts localhost,n1 --transport docker", "localhost,n1"},
        {"-hosts localhost,n1 --transport local", "localhost,n1"},
        {"-hosts localhost", "localhost"},
    };
    for (const auto& row : rows)
        EXPECT_EQ(fold_hosts(spec_of(std::string(row.words) + " app").hosts), row.hosts)
            << row.words;
    const auto programs = spec_of("-hosts localhost a : -hosts n1 b");
    EXPECT_EQ(fold_hosts(programs.hosts), "head,n1");
}

TEST(JobSpec, StartsThisMachineFromHereWhereNobodySaidHow) {
    const auto own = [](const std::string& words) {
        return !spec_of(words + " app").transport.own_names.empty();
    };
    EXPECT_TRUE(own("-hosts localhost,n1"));
    EXPECT_TRUE(own("-hosts n1"));  // it may join a session
    EXPECT_FALSE(own("-hosts localhost,n1 --transport ssh"));
    EXPECT_FALSE(own("-hosts localhost"));
    EXPECT_FALSE(own("-hosts a --transport docker"));
}

TEST(JobSpec, ReadsHostFiles) {
    const std::string path = testing::TempDir() + "launch_job_spec_test_hosts";
    std::ofstream(path) << "a slots=4\nn[1-2]\n";
    EXPECT_EQ(fold_hosts(spec_of("-f " + path + " app").hosts), "a:4,n[1-2]");
    EXPECT_EQ(fold_hosts(spec_of("-f " + path + " -f " + path + " app").hosts),
              "a:4,n[1-2],a:4,n[1-2]");
    std::remove(path.c_str());
}

TEST(JobSpec, HostsFromStandardInputLeaveNoneForTheRanks) {
    const auto spec = spec_of("-f - app", "a\nb\n");
    EXPECT_EQ(fold_hosts(spec.hosts), "a,b");
    EXPECT_EQ(spec.policies.stdin_target.kind, StdinTarget::Kind::none);
    EXPECT_EQ(spec_of("-f - --stdin none app", "a\n").policies.stdin_target.kind,
              StdinTarget::Kind::none);
    EXPECT_EQ(spec_of("--stdin all app").policies.stdin_target.kind, StdinTarget::Kind::all);
}

TEST(JobSpec, Environment) {
    const Words all{"HOME=/root", "PATH=/bin", "FOO=foo", "PMIX_MCA_gds=hash", "OMPI_MCA_btl=tcp"};
    struct {
        const char* row;
        const char* words;
        Words job;
        Words program;  ///< of the first one
    } rows[] = {
        {"identities of other launchers go, tuning stays", "app", all, {}},
        {"all", "-genvall app", all, {}},
        {"none", "-genvnone app", {}, {}},
        {"a list", "-genvlist FOO,HOME,NONE app", {"HOME=/root", "FOO=foo"}, {}},
        {"two lists", "-genvlist FOO -genvlist HOME app", {"HOME=/root", "FOO=foo"}, {}},
        {"two words", "-genv A -z app", all, {"A=-z"}},
        {"one word", "-genv A=-l app", all, {"A=-l"}},
        {"an empty value", "-genv A '' -x B= app", all, {"A=", "B="}},
        {"exported, even what would be dropped",
         "-x FOO -x PMI_RANK app",
         all,
         {"FOO=foo", "PMI_RANK=3"}},
        {"the nearest to the program wins",
         "-env A 3 -x A=2 -genv A 1 -env B 1 -env B 2 app",
         all,
         {"A=3", "B=2"}},
        {"none for one program", "-envnone -env A 1 app : b", {}, {"A=1"}},
        {"a list for one program", "-envlist FOO app : b", {}, {"FOO=foo"}},
        {"all for one program", "-genvnone -envall app", {}, all},
        {"a host keeps its own home", "-hosts h -envlist HOME,FOO app", {}, {"FOO=foo"}},
    };
    for (const auto& row : rows) {
        const auto spec = spec_of(row.words);
        EXPECT_EQ(spec.env, row.job) << row.row;
        EXPECT_EQ(spec.programs.at(0).env, row.program) << row.row;
    }
    EXPECT_EQ(spec_of("-envnone app : b").programs[1].env, all);
}

TEST(JobSpec, NotesWhatRanksGetOfMca) {
    struct {
        const char* words;
        Words notes;
    } rows[] = {
        {"--mca a 1 --mca b 2 app", {"--mca: ranks get OMPI_MCA_a=1 OMPI_MCA_b=2"}},
        {"--mca a 1 --mca b 2 -genv OMPI_MCA_b 3 app", {"--mca: ranks get OMPI_MCA_a=1"}},
        {"--mca a 1 -x OMPI_MCA_a=2 app", {}},
    };
    for (const auto& row : rows) {
        const auto request = request_of(words_of(row.words));
        ASSERT_TRUE(request) << row.words;
        EXPECT_EQ(request->notes, row.notes) << row.words;
    }
}

TEST(JobSpec, AStagedProgramIsTheOneThatRanksWouldFind) {
    const std::string folder = testing::TempDir() + "launch_job_spec_test_path";
    std::filesystem::create_directories(folder);
    const std::string program = folder + "/sh";
    std::ofstream(program) << "#!/bin/sh\n";
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    for (const char* option : {"-genv", "-env", "-x"}) {
        const std::string path = std::string(option) + " PATH=" + folder;
        const auto spec = spec_of("--stage-program " + path + " sh");
        ASSERT_EQ(spec.stage.files.size(), 1U) << option;
        EXPECT_EQ(spec.stage.files[0].source, program) << option;
    }
    EXPECT_EQ(spec_of("--stage-program sh").stage.files.at(0).source, "/bin/sh");
    std::filesystem::remove_all(folder);
}

TEST(JobSpec, NotesAnExportOfNothing) {
    const auto request = request_of(words_of("-x MISSING app"));
    ASSERT_TRUE(request);
    expect_told({"-x MISSING"}, request->notes);
    EXPECT_TRUE(request->spec.programs[0].env.empty());
}

/// A request where this is the environment.
Result<JobRequest> request_in(const std::string& words, const Words& env) {
    const auto line = parse_command_line(words_of(words));
    if (!line) return line.error();
    auto around = test_surroundings();
    around.env = env;
    std::istringstream none;
    return make_request(*line, around, none);
}

TEST(JobSpec, TheTimeoutMayComeFromTheEnvironment) {
    struct {
        const char* words;
        const char* variable;
        int64_t timeout;
        const char* name;
    } rows[] = {
        {"app", "MPIEXEC_TIMEOUT=10", 10'000, "MPIEXEC_TIMEOUT"},
        {"--timeout 3 app", "MPIEXEC_TIMEOUT=10", 3000, "--timeout"},
        {"--timeout 0 app", "MPIEXEC_TIMEOUT=10", 0, "--timeout"},
        {"--timeout 3 app", "MPIEXEC_TIMEOUT=x", 3000, "--timeout"},
        {"app", "MPIEXEC_TIMEOUT=", 0, "--timeout"},
        {"app", "MPIEXEC_TIMEOUT=-1", 0, "--timeout"},
    };
    for (const auto& row : rows) {
        const auto request = request_in(row.words, {row.variable});
        ASSERT_TRUE(request) << row.words << describe(request.error());
        EXPECT_EQ(request->spec.timeout.count(), row.timeout) << row.words << row.variable;
        EXPECT_EQ(request->spec.timeout_name, row.name) << row.words << row.variable;
    }
    const auto bad = request_in("app", {"MPIEXEC_TIMEOUT=-5"});
    ASSERT_FALSE(bad);
    EXPECT_TRUE(bad.error().cause.starts_with("MPIEXEC_TIMEOUT=-5: ")) << bad.error().cause;
}

TEST(JobSpec, TakesOnlyKnownWordsOfTheLog) {
    for (const char* fine : {"", "pmi:trace", " pmi:trace,,pmi:trace "})
        EXPECT_TRUE(request_in("app", {"LAUNCH_LOG=" + std::string(fine)})) << fine;
    for (const char* unknown : {"pmi", "pmi:debug", "all", "pmi:trace:1"}) {
        const auto request = request_in("app", {"LAUNCH_LOG=pmi:trace," + std::string(unknown)});
        ASSERT_FALSE(request) << unknown;
        EXPECT_TRUE(
            request.error().cause.starts_with("LAUNCH_LOG: unknown word " + std::string(unknown)));
        EXPECT_EQ(request.error().hint, "known: pmi:trace");
        EXPECT_EQ(request.error().kind, ErrorKind::usage);
    }
}

TEST(JobSpec, TakesTheHostsOfTheAllocationAround) {
    const std::string path = testing::TempDir() + "launch_job_spec_test_nodes";
    std::ofstream(path) << "p1\np1\np2\n";
    const std::string list = "SLURM_JOB_NODELIST=n[01-04]";
    const std::string slurm = "Slurm, by SLURM_JOB_NODELIST, one slot a host";
    struct {
        const char* row;
        std::string words;
        Words env;
        std::string hosts;
        std::string allocation;
        std::string transport = "ssh";
    } rows[] = {
        {"there is none", "app", {}, "", "", "local"},
        {"a list", "app", {list}, "n[01-04]", slurm},
        {"a file", "app", {"PBS_NODEFILE=" + path}, "p1:2,p2", "PBS, by PBS_NODEFILE"},
        {"for all programs", "-n 1 X : -n 2 Y", {list}, "n[01-04]", slurm},
        {"without some", "--exclude n02 --max-hosts 2 app", {list}, "n[01,03]", slurm},
        {"hosts are named", "-hosts a app", {list}, "a", ""},
        {"a file of hosts is named", "-f " + path + " app", {list}, "p1,p1,p2", ""},
        {"hosts of one program are named", "X : -hosts a Y", {list}, "a", ""},
        {"none is demanded",
         "--allocation none app",
         {list},
         "",
         "none: --allocation none",
         "local"},
        {"this machine is asked for",
         "--transport local app",
         {list},
         "",
         "none: --transport local",
         "local"},
        {"and it nevertheless",
         "--transport local --allocation slurm app",
         {list},
         "n[01-04]",
         slurm,
         "local"},
        {"this machine alone",
         "app",
         {"SLURM_JOB_NODELIST=head.example.org"},
         "head",
         slurm,
         "local"},
        {"in a rank",
         "app",
         {list, "LAUNCH_RANK=0"},
         "",
         "none: this is a rank of another launch",
         "local"},
        {"in a rank outside", "app", {"LAUNCH_RANK=0"}, "", "", "local"},
        {"in a rank, demanded",
         "--allocation slurm app",
         {list, "LAUNCH_RANK=0"},
         "n[01-04]",
         slurm},
        {"of two",
         "app",
         {list, "PBS_NODEFILE=" + path},
         "n[01-04]",
         slurm + "; there is another one, --allocation pbs"},
    };
    for (const auto& row : rows) {
        const auto request = request_in(row.words, row.env);
        ASSERT_TRUE(request) << row.row << describe(request.error());
        const auto& spec = request->spec;
        EXPECT_EQ(spec.hosts.empty() ? "" : fold_hosts(spec.hosts),
                  row.hosts.empty() ? "" : fold_hosts(*parse_hosts(row.hosts)))
            << row.row;
        EXPECT_EQ(spec.allocation, row.allocation) << row.row;
        EXPECT_EQ(spec.transport.name, row.transport) << row.row;
        EXPECT_EQ(request->notes, Words{}) << row.row;
    }
    std::filesystem::remove(path);
}

TEST(JobSpec, RefusesAnAllocationThatIsWrong) {
    struct {
        const char* row;
        const char* words;
        Words env;
    } rows[] = {
        {"a file that is not there", "app", {"PBS_NODEFILE=/no/such"}},
        {"one that is not around", "--allocation sge app", {"SLURM_JOB_NODELIST=a"}},
        {"nothing is left", "--exclude n[1-2] app", {"SLURM_JOB_NODELIST=n[1-2]"}},
    };
    for (const auto& row : rows) {
        const auto request = request_in(row.words, row.env);
        ASSERT_FALSE(request) << row.row;
        expect_golden(row.row, describe(request.error()));
        EXPECT_EQ(request.error().kind, ErrorKind::usage) << row.row;
    }
}

TEST(JobSpec, NotesWhatAnAllocationIs) {
    struct {
        const char* words;
        Words env;
        Words told;
    } rows[] = {
        {"-v app", {"LSB_MCPU_HOSTS=a 2 b 2"}, {"LSF", "a:2,b:2"}},
        {"app",
         {"SLURM_JOB_NODELIST=a", "SLURM_STEP_NUM_TASKS=16"},
         {"this machine", "16", "srun", "--allocation slurm"}},
        {"app", {"FLUX_URI=local:///x", "PATH=/nowhere"}, {"this machine", "flux", "-hosts"}},
    };
    for (const auto& row : rows) {
        const auto request = request_in(row.words, row.env);
        ASSERT_TRUE(request) << row.words;
        ASSERT_EQ(request->notes.size(), 1U) << row.words;
        expect_told(row.told, request->notes);
    }
    const auto named = request_in("-hosts a app", {"FLUX_URI=local:///x"});
    ASSERT_TRUE(named);
    EXPECT_EQ(named->notes, Words{});
}

TEST(JobSpec, NotesAUserThatIsTakenForTheProgram) {
    struct {
        const char* words;
        bool told;
    } rows[] = {
        {"-l root uptime", true},          {"-n 2 -l root", true}, {"-l -n 2 root", false},
        {"--label root", false},           {"-l sh", false},       {"-l no-such-user", false},
        {"-n 1 app : -l root -n 1", true},
    };
    for (const auto& row : rows) {
        const auto request = request_of(words_of(row.words));
        ASSERT_TRUE(request) << row.words;
        EXPECT_EQ(!request->notes.empty(), row.told) << row.words;
        if (row.told) expect_told({"-l", "root@"}, request->notes);
    }
}

TEST(JobSpec, NotesSlotsThatLookLikeAPort) {
    struct {
        const char* words;
        const char* meant;
    } rows[] = {
        {"-n 4 -hosts a,b:2299,c:3000 app", "b:2299:1"},
        {"-hosts [fe80::1]:2222 app", "[fe80::1]:2222:1"},
        {"-f - app", "joe@u:2222"},
        {"-hosts a:1024 app", ""},
        {"-hosts a:65536 app", ""},
        {"-hosts joe@a:2299,b:2299:1,b:22:2299 app", ""},
        {"--transport local -hosts a:2299 app", ""},
    };
    for (const auto& row : rows) {
        const auto request = request_of(words_of(row.words), "u slots=2222 user=joe\n");
        ASSERT_TRUE(request) << row.words;
        const auto& notes = request->notes;
        EXPECT_EQ(notes.empty(), *row.meant == '\0') << row.words;
        if (!notes.empty()) expect_told({row.meant}, notes);
    }
}

/// The request of a command line beside which variables hold for every job.
Result<JobRequest> request_beside(const Words& variables, const std::string& words) {
    const auto standing = read_environment(variables);
    const auto line = read_command_line(words_of(words));
    EXPECT_TRUE(standing && line) << words;
    const std::array sources{*standing, *line};
    std::istringstream input("h");
    return make_request(resolve(sources), test_surroundings(), input);
}

TEST(JobSpec, WhatHoldsForEveryJobMayFindNothingToDoInOne) {
    struct {
        const char* variable;
        const char* words;
        const char* error;  ///< of these words, which ask for it in this job
    } rows[] = {
        {"TRANSPORT=ssh", "--transport ssh", "--transport ssh needs hosts: -hosts LIST or -f FILE"},
        {"EXCLUDE=n3", "--exclude n3", "--exclude needs hosts: -hosts LIST or -f FILE"},
        {"STAGE_KEEP=true", "--stage-keep", "--stage-keep goes with --stage or --stage-program"},
        {"MAX_HOSTS=1", "--max-hosts 1", "--max-hosts needs hosts: -hosts LIST or -f FILE"},
        {"SPARES=1", "--spares 1", "--spares needs hosts: -hosts LIST or -f FILE"},
        {"WAIT=false", "--no-wait", "--no-wait: only in a session"},
        {"SHARE=true", "--share", "--share: only in a session"},
        {"DETACH=true", "--detach", "--detach: only in a session"},
    };
    for (const auto& row : rows) {
        const auto standing = request_beside({"LAUNCH_OPT_" + std::string(row.variable)}, "app");
        ASSERT_TRUE(standing) << describe(standing.error());
        EXPECT_TRUE(standing->notes.empty()) << row.variable;
        EXPECT_EQ(standing->spec.transport.name, "local");
        EXPECT_EQ(standing->spec.spares, 0U);
        const auto asked = request_beside({}, std::string(row.words) + " app");
        ASSERT_FALSE(asked) << row.words;
        EXPECT_EQ(asked.error().cause, row.error);
    }
    EXPECT_TRUE(request_beside({"LAUNCH_OPT_STDIN=0"}, "-f - app"));
    const auto other_host = request_beside({"LAUNCH_OPT_EXCLUDE=n3"}, "-hosts a app");
    ASSERT_TRUE(other_host);
    EXPECT_TRUE(other_host->notes.empty());
}

TEST(JobSpec, ProgramsShareTheHostsOfStandardInput) {
    const std::string words = "-f - a : -hosts x b : -f - c";
    const auto spec = spec_of(words, "h\ni:2\n");
    EXPECT_EQ(fold_hosts(spec.hosts), "h,i:2,x");
    ASSERT_EQ(spec.choices.size(), 3U);
    EXPECT_EQ(spec.choices[0], spec.choices[2]);
    EXPECT_EQ(spec.choices[0], (std::vector<uint32_t>{0, 1}));
    auto settings = parse_command_line(words_of(words));
    ASSERT_TRUE(settings);
    std::istringstream input("h\ni:2\n");
    ASSERT_TRUE(take_hosts_from_input(*settings, input));
    EXPECT_EQ(settings->programs[0].host_lists, (Words{"h", "i:2"}));
    EXPECT_EQ(settings->programs[2].host_lists, (Words{"h", "i:2"}));
}

TEST(JobSpec, NumbersThatHoldForEveryJobCanBeTakenBack) {
    const Words standing{"LAUNCH_OPT_SPARES=3", "LAUNCH_OPT_PPN=2"};
    const auto kept = request_beside(standing, "-hosts a,b app");
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->spec.spares, 1U);  // one host is left for ranks
    EXPECT_EQ(kept->spec.ppn, 2U);
    const auto back = request_beside(standing, "--spares 0 -ppn 0 -hosts a,b app");
    ASSERT_TRUE(back);
    EXPECT_EQ(back->spec.spares, 0U);
    EXPECT_EQ(back->spec.ppn, 0U);
}

TEST(Surroundings, AreThisProcess) {
    const auto first = look_around();
    const auto second = look_around();
    ASSERT_TRUE(first);
    ASSERT_TRUE(second);
    EXPECT_TRUE(first->wdir.starts_with('/'));
    EXPECT_TRUE(first->launch_path.ends_with("/unit_tests"));
    EXPECT_GE(first->cpus, 1U);
    EXPECT_NE(first->job_id, second->job_id);
    EXPECT_LE(first->job_id.size(), 64U);
}

}  // namespace
}  // namespace launch
