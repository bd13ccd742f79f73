// SPDX-License-Identifier: MIT
#include "transports/command/command_template.hpp"

#include <gtest/gtest.h>

#include "core/transport.hpp"
#include "tests/unit/golden.hpp"
#include "transports/command/command_names.hpp"
#include "transports/command/template_transport.hpp"
#include "transports/remote_command.hpp"

namespace launch {
namespace {

using Words = std::vector<std::string>;

Host host_of(const std::string& name, const std::string& user = {}, uint16_t port = 0) {
    Host host;
    host.name = name;
    host.user = user;
    host.port = port;
    return host;
}

Words line_of(const std::string& text, const Host& host, const Words& otherwise = {}) {
    const auto read = CommandTemplate::parse(text);
    if (!read) return {"WRONG: " + read.error().cause};
    return read->command_line(host, "me", {"a b/launch", "--relay"}, otherwise);
}

TEST(CommandTemplate, PutsInWhatTheStartIsOf) {
    const std::string one_word = "exec 'a b/launch' --relay";
    const Host plain = host_of("n1");
    const Host full = host_of("n1", "ann", 2222);
    struct Row {
        std::string text;
        Host host;
        Words line;
    };
    const std::vector<Row> rows{
        {"rsh {host}", plain, {"rsh", "n1", one_word}},
        {"rsh {host} {command}", plain, {"rsh", "n1", one_word}},
        {"rsh {command} -t {host}", plain, {"rsh", one_word, "-t", "n1"}},
        {"rsh {host} -- {argv}", plain, {"rsh", "n1", "--", "a b/launch", "--relay"}},
        {"docker exec -i {host}", plain, {"docker", "exec", "-i", "n1", "a b/launch", "--relay"}},
        {"sudo /x/docker exec {host}",
         plain,
         {"sudo", "/x/docker", "exec", "n1", "a b/launch", "--relay"}},
        {"r {user}@{host}", plain, {"r", "me@n1", one_word}},
        {"r {user}@{host}:{port}", full, {"r", "ann@n1:2222", one_word}},
        {"r [ -p {port} ] [ -l {user} ] {host}", plain, {"r", "n1", one_word}},
        {"r [ -p {port} ] [ -l {user} ] {host}",
         full,
         {"r", "-p", "2222", "-l", "ann", "n1", one_word}},
        {"r '[' {host} ']' [x]", plain, {"r", "[", "n1", "]", "[x]", one_word}},
        {R"(r "a \"b\" \n" 'c "d"' e\ f {host})",
         plain,
         {"r", "a \"b\" \\n", "c \"d\"", "e f", "n1", one_word}},
        {"r '' {host}", plain, {"r", "", "n1", one_word}},
        {"r '{{.Name}}' {host}", plain, {"r", "{{.Name}}", "n1", one_word}},
    };
    for (const Row& row : rows)
        EXPECT_EQ(line_of(row.text, row.host), row.line) << row.text;
}

TEST(CommandTemplate, GivesAShellWhereThereAreTwoWaysToRun) {
    const Words otherwise{"/bin/sh", "-c", "ask"};
    const Words line = line_of("docker exec {host}", host_of("n1"), otherwise);
    ASSERT_EQ(line.size(), 8U);
    EXPECT_EQ(Words(line.begin() + 2, line.begin() + 5), (Words{"n1", "/bin/sh", "-c"}));
    EXPECT_TRUE(line[5].ends_with("; exec /bin/sh -c ask")) << line[5];
    EXPECT_EQ(Words(line.begin() + 6, line.end()), (Words{"a b/launch", "--relay"}));
    const Words one_word = line_of("rsh {host}", host_of("n1"), otherwise);
    EXPECT_EQ(one_word, (Words{"rsh", "n1", "exec " + shell_line({line.begin() + 3, line.end()})}));
}

TEST(CommandTemplate, TestsWhoMayWriteToWhatIsExecutedAsItIs) {
    const Words argv{"/home/me/launch", "--relay"};
    const auto expect_tested = [&](const Words& line, size_t before) {
        ASSERT_EQ(line.size(), before + 3 + argv.size());
        EXPECT_EQ(line[before], "/bin/sh");
        EXPECT_EQ(line[before + 1], "-c");
        EXPECT_NE(line[before + 2].find(others_may_write), std::string::npos);
        EXPECT_EQ(Words(line.end() - 2, line.end()), argv);
    };
    const auto one = CommandTemplate::parse("docker exec -i {host} {argv}");
    expect_tested(one->command_line(host_of("n1"), "me", argv, {}), 4);
    const Words in_path{"launch", "--relay"};
    EXPECT_EQ(one->command_line(host_of("n1"), "me", in_path, {}),
              (Words{"docker", "exec", "-i", "n1", "launch", "--relay"}));
}

TEST(CommandTemplate, SaysWhatIsWrong) {
    const std::vector<std::string> rows{
        "",
        "rsh",
        "rsh {hots}",
        "rsh 'n {host}",
        "rsh \"n {host}",
        "rsh {host} \\",
        "rsh {host} | cat",
        "$RSH {host}",
        "rsh {host} {command} {argv}",
        "rsh {host} 'x {command}'",
        "rsh {host} [ {argv} ]",
        "rsh {host} {hosts}",
        "rsh {host} {count}",
        "rsh {hosts} [ {user} ]",
        "rsh {host} ]",
        "rsh [ a [ {host} ]",
        "[ rsh ] {host}",
    };
    for (const auto& text : rows) {
        const auto read = CommandTemplate::parse(text);
        ASSERT_FALSE(read) << text;
        expect_golden(text, read.error().cause);
        EXPECT_EQ(read.error().kind, ErrorKind::usage);
    }
    EXPECT_FALSE(CommandTemplate::parse(std::string("rsh {host} \0", 12)));
}

TEST(CommandTemplate, ObjectsToWhatWouldBeIgnored) {
    const auto objection = [](const std::string& text, const Host& host) {
        return CommandTemplate::parse(text)->objection_to(host);
    };
    EXPECT_EQ(objection("r {host}", host_of("n")), "");
    expect_told({"{user}"}, objection("r {host}", host_of("n", "ann")));
    expect_told({"{port}"}, objection("r {host}", host_of("n", "", 7)));
    expect_told({"{port}", "HOST:PORT:SLOTS"}, objection("r {host} {port}", host_of("n")));
    EXPECT_EQ(objection("r {host} [ {port} {user} ]", host_of("n")), "");
    EXPECT_EQ(objection("r {host} {user}", host_of("n")), "");
}

TEST(CommandTemplate, NamesAllHostsOfOneCall) {
    const auto line = [](const std::string& text) {
        return CommandTemplate::parse(text)->all_command_line(
            {host_of("n1"), host_of("n2")}, {"/x/launch", "--relay"}, "all of it");
    };
    EXPECT_EQ(line("clush -w {hosts}"), (Words{"clush", "-w", "n1,n2", "all of it"}));
    EXPECT_EQ(line("srun -N{count} -w {hosts}"),
              (Words{"srun", "-N2", "-w", "n1,n2", "/x/launch", "--relay"}));
    EXPECT_TRUE(CommandTemplate::parse("srun -w {hosts}")->starts_all());
    EXPECT_FALSE(CommandTemplate::parse("srun -w {host}")->starts_all());
    EXPECT_TRUE(find_command("command:clush -w {hosts}")->from_head_only);
}

TEST(CommandTemplate, EachNamedOneCanBeRead) {
    for (const auto& named : named_commands()) {
        const auto read = CommandTemplate::parse(named.line);
        ASSERT_TRUE(read) << named.name;
        // A shell looks up what flux is to be told.
        EXPECT_EQ(read->program(), named.name == "flux" ? "sh" : named.name);
        EXPECT_EQ(read->objection_to(host_of("n")), "");
    }
}

TEST(CommandTemplate, TellsWhoCanUseIt) {
    EXPECT_TRUE(find_command("docker")->from_head_only);
    EXPECT_TRUE(find_command("command:sudo docker exec -i {host}")->from_head_only);
    EXPECT_FALSE(find_command("rsh")->from_head_only);
    EXPECT_FALSE(find_command("command:my-rsh {host}")->from_head_only);
    EXPECT_FALSE(find_command("ssh"));
}

TEST(CommandTemplate, KnowsAProgramThatStartsItsJobWithoutInput) {
    const auto line = [](const std::string& text) {
        return CommandTemplate::parse(text)->all_command_line(
            {host_of("n1"), host_of("n2")}, {"/x/launch", "--relay"}, "all of it");
    };
    for (const std::string text : {"/opt/pbs/bin/pbsdsh --", "/opt/pbs/bin/pbsdsh -- {argv}"}) {
        EXPECT_EQ(line(text), (Words{"/opt/pbs/bin/pbsdsh", "--", "/x/launch", "--relay"}));
        EXPECT_TRUE(CommandTemplate::parse(text)->starts_all());
        EXPECT_TRUE(CommandTemplate::parse(text)->hands_no_input());
        EXPECT_TRUE(find_command("command:" + text)->from_head_only);
    }
    EXPECT_FALSE(CommandTemplate::parse("srun -w {hosts}")->hands_no_input());
    for (const std::string text : {"srun -w {hosts}", "sudo /opt/slurm/bin/srun -w {hosts}"})
        EXPECT_TRUE(CommandTemplate::parse(text)->has_munge()) << text;
    for (const std::string text : {"clush -w {hosts}", "pbsdsh --", "ssh {host}"})
        EXPECT_FALSE(CommandTemplate::parse(text)->has_munge()) << text;
    expect_told({"{user}"}, CommandTemplate::parse("pbsdsh --")->objection_to(host_of("n", "ann")));
    for (const char* text :
         {"env /opt/pbsdsh -h {host} {argv}", "pbsdsh {hosts}", "pbsdsh {user}"}) {
        const auto read = CommandTemplate::parse(text);
        ASSERT_FALSE(read) << text;
        expect_golden(text, read.error().cause);
    }
}

TEST(CommandErrors, ArePlainAndNameNoHost) {
    const auto read = [](const std::string& text, std::optional<int> code) {
        return read_command_error("docker", host_of("n1"), text, code, "docker exec -i n1 true");
    };
    const auto none = read("Error: No such container: n1\n", 1);
    ASSERT_TRUE(none);
    expect_told({"docker", "exit code 1", "No such container: HOST"}, none->error.cause);
    EXPECT_EQ(none->error.hint, "try: docker exec -i HOST true");
    expect_told({"exit code 1", "no HOST: n12, HOST."}, read("no n1: n12, n1.\n", 1)->error.cause);
    expect_told({"docker", "exit code 9"}, read("", 9)->error.cause);
    EXPECT_EQ(read("", std::nullopt)->error.cause, "docker ended without a message");
}

TEST(CommandErrors, LeaveTheRemoteCommandsEndToTheCaller) {
    const auto is_its_own = [](const std::string& text, int code) {
        return read_command_error("rsh", host_of("n1"), text, code, "").has_value();
    };
    EXPECT_FALSE(is_its_own("", 0));
    EXPECT_FALSE(is_its_own("sh: /x/launch: not found", 127));
    EXPECT_FALSE(is_its_own("permission denied", 126));
    EXPECT_FALSE(is_its_own("/x/launch: error while loading shared libraries: libz.so.1", 1));
    EXPECT_TRUE(is_its_own("connection refused", 1));
}

}  // namespace
}  // namespace launch
