#include "cmd/options.hpp"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <set>

#include "cmd/help.hpp"
#include "cmd/transport_names.hpp"
#include "tests/unit/cmd/words.hpp"
#include "topologies/registry.hpp"

namespace launch {
namespace {

/// What an option does, given this value.
struct Effect {
    OptionId id;
    const char* value;
    std::function<bool(const CommandLine&)> seen;
};

const ProgramArgs& first(const CommandLine& line) {
    return line.programs.at(0);
}

using Words = std::vector<std::string>;
using Id = OptionId;

const std::vector<Effect>& effects() {
    static const std::vector<Effect> rows{
        {Id::ranks, "4", [](const auto& l) { return first(l).ranks == 4; }},
        {Id::wdir, "/d", [](const auto& l) { return first(l).wdir == "/d"; }},
        {Id::env, "A=-b=c", [](const auto& l) { return first(l).env == Words{"A=-b=c"}; }},
        {Id::exported, "A", [](const auto& l) { return first(l).exported == Words{"A"}; }},
        {Id::envall, "", [](const auto& l) { return first(l).inherit.all; }},
        {Id::envnone, "", [](const auto& l) { return first(l).inherit.none; }},
        {Id::envlist, "A,B",
         [](const auto& l) {
             return first(l).inherit.names == Words{"A", "B"};
         }},
        {Id::hosts, "n[1-2,4]",
         [](const auto& l) { return first(l).host_lists == Words{"n[1-2,4]"}; }},
        {Id::hostfile, "file", [](const auto& l) { return first(l).hostfiles == Words{"file"}; }},
        {Id::exclude, "n[1-2]", [](const auto& l) { return l.excluded == Words{"n[1-2]"}; }},
        {Id::ppn, "010", [](const auto& l) { return l.ppn == 10; }},
        {Id::allow_missing, "", [](const auto& l) { return l.allow_missing; }},
        {Id::spares, "3", [](const auto& l) { return l.spares == 3; }},
        {Id::start_early, "", [](const auto& l) { return l.policies.start_early; }},
        {Id::stage, "/f:x", [](const auto& l) { return l.staged == Words{"/f:x"}; }},
        {Id::stage_program, "", [](const auto& l) { return l.stage_program; }},
        {Id::stage_keep, "", [](const auto& l) { return l.stage_keep; }},
        {Id::mapping, "node", [](const auto& l) { return l.mapping == Mapping::cyclic; }},
        {Id::genv, "A=b", [](const auto& l) { return l.env == Words{"A=b"}; }},
        {Id::genvall, "", [](const auto& l) { return l.inherit.all; }},
        {Id::genvnone, "", [](const auto& l) { return l.inherit.none; }},
        {Id::genvlist, "A", [](const auto& l) { return l.inherit.names == Words{"A"}; }},
        {Id::propagate, "stack,core",
         [](const auto& l) { return l.propagated.count() == 2 && l.propagated[9]; }},
        {Id::pmi, "pmi1-port",
         [](const auto& l) { return l.policies.pmi == PmiChoice::pmi1_port; }},
        {Id::modex, "on-demand",
         [](const auto& l) { return l.policies.modex == ModexChoice::on_demand; }},
        {Id::routing, "binomial", [](const auto& l) { return l.routing == "binomial"; }},
        {Id::topology, "kary:3", [](const auto& l) { return l.topology == "kary:3"; }},
        {Id::degree, "3", [](const auto& l) { return l.degree == 3; }},
        {Id::transport, "ssh", [](const auto& l) { return l.transport.name == "ssh"; }},
        {Id::ssh_config, "f", [](const auto& l) { return l.transport.ssh_config == "f"; }},
        {Id::accept_new_host_keys, "",
         [](const auto& l) { return l.transport.accept_unknown_keys; }},
        {Id::forward_agent, "", [](const auto& l) { return l.transport.forward_agent; }},
        {Id::stats, "json", [](const auto& l) { return l.stats_json == true; }},
        {Id::on_host_loss, "continue",
         [](const auto& l) { return l.policies.host_loss == HostLoss::go_on; }},
        {Id::push, "never", [](const auto& l) { return l.policies.push == PushChoice::never; }},
        {Id::links, "direct",
         [](const auto& l) { return l.policies.links.choice == LinkChoice::direct; }},
        {Id::link_ports, "5000-5100",
         [](const auto& l) {
             return l.policies.links.ports == PortRange{5000, 5100};
         }},
        {Id::label, "", [](const auto& l) { return l.policies.label; }},
        {Id::stdin_target, "2",
         [](const auto& l) {
             return l.stdin_target == StdinTarget{StdinTarget::Kind::rank, 2};
         }},
        {Id::quiet, "", [](const auto& l) { return l.quiet; }},
        {Id::verbose, "", [](const auto& l) { return l.policies.verbose; }},
        {Id::keep_going, "", [](const auto& l) { return l.policies.keep_going; }},
        {Id::timeout, "2m", [](const auto& l) { return l.timeout == milliseconds(120'000); }},
        {Id::kill_grace, "0", [](const auto& l) { return l.policies.kill_grace.count() == 0; }},
        {Id::connect_timeout, "200ms",
         [](const auto& l) { return l.policies.connect_timeout == milliseconds(200); }},
        {Id::start_timeout, "1.5s",
         [](const auto& l) { return l.policies.start_timeout == milliseconds(1500); }},
        {Id::start_limit, "0", [](const auto& l) { return l.start_limit == milliseconds(0); }},
        {Id::liveness, "0", [](const auto& l) { return l.policies.liveness.count() == 0; }},
        {Id::dry_run, "", [](const auto& l) { return l.dry_run; }},
        {Id::explain, "", [](const auto& l) { return l.view.explain; }},
        {Id::full, "", [](const auto& l) { return l.view.full; }},
        {Id::format, "json", [](const auto& l) { return l.view.json; }},
        {Id::help, "", [](const auto& l) { return l.help; }},
        {Id::version, "", [](const auto& l) { return l.version; }},
    };
    return rows;
}

void expect_effect(const Effect& effect, const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words)
        text += word + " ";
    const auto line = parse_command_line(words);
    ASSERT_TRUE(line) << text << describe(line.error());
    EXPECT_TRUE(effect.seen(*line)) << text;
    EXPECT_EQ(line->given.at(0), effect.id) << text;
    const bool stops = effect.id == Id::help || effect.id == Id::version;
    EXPECT_EQ(first(*line).argv, stops ? Words{} : (Words{"app", "-n", "--label"})) << text;
}

/// The name as in the table, and as users write it who count dashes differently.
std::vector<std::string> spellings(std::string_view name) {
    const std::string bare(name.substr(name.find_first_not_of('-')));
    if (bare.size() == 1) return {"-" + bare};
    return {"-" + bare, "--" + bare};
}

TEST(Options, EachWorksInEachSpelling) {
    for (const auto& option : all_options()) {
        const auto effect = std::find_if(effects().begin(), effects().end(),
                                         [&](const auto& row) { return row.id == option.id; });
        ASSERT_NE(effect, effects().end()) << option.names;
        for (const auto name : names_of(option)) {
            for (const auto& spelling : spellings(name)) {
                Words tail{"app", "-n", "--label"};
                Words apart{spelling};
                if (!option.is_flag()) apart.emplace_back(effect->value);
                apart.insert(apart.end(), tail.begin(), tail.end());
                expect_effect(*effect, apart);
                if (option.is_flag()) continue;
                tail.insert(tail.begin(), spelling + "=" + effect->value);
                expect_effect(*effect, tail);
            }
        }
    }
}

TEST(Options, NoNameIsUsedTwice) {
    std::set<std::string> bare_names;
    for (const auto& option : all_options()) {
        std::set<std::string> own;
        for (const auto name : names_of(option))
            own.emplace(name.substr(name.find_first_not_of('-')));
        for (const auto& name : own)
            EXPECT_TRUE(bare_names.insert(name).second) << name;
        EXPECT_EQ(find_option(canonical_name(option)) == &option, option.id != Id::exported)
            << option.names;
    }
}

TEST(Options, HelpTellsOfEveryOne) {
    const auto help = help_text(false);
    for (const auto& option : all_options()) {
        EXPECT_NE(help.find(option.help), help.npos) << option.names;
        for (const auto name : names_of(option))
            EXPECT_NE(help.find(name), help.npos) << name;
    }
    for (const auto& topology : known_topologies())
        EXPECT_NE(help.find(topology.name), help.npos) << topology.name;
    for (const auto transport : known_transports())
        EXPECT_NE(help.find(transport), help.npos) << transport;
}

TEST(Options, HelpFitsTheScreen) {
    std::istringstream help(help_text(false));
    for (std::string line; std::getline(help, line);)
        EXPECT_LE(line.size(), 100U) << line;
    EXPECT_EQ(help_text(false).find('\033'), std::string::npos);
    EXPECT_EQ(help_text(true).rfind("\033[1mUsage\033[0m\n", 0), 0U);
}

TEST(Options, NearestIsWhatWasMeant) {
    struct {
        const char* word;
        const char* meant;
    } rows[] = {
        {"--hots", "--hosts"},
        {"-hots", "-host"},
        {"--host-file", "--hostfile"},
        {"--lable", "--label"},
        {"--verb", "--verbose"},
        {"--dryrun", "--dry-run"},
        {"--time-out", "--timeout"},
        {"--pmix", "--pmi"},
        {"--mpi", "--pmi"},
        {"--modx", "--modex"},
        {"--keepgoing", "--keep-going"},
        {"--topolgy", "--topology"},
        {"-genvnon", "-genvnone"},
        {"-bind-to", ""},
        {"--zzz", ""},
        {"-z", ""},
        {"--n", "-n"},
        {"-ppm", "-ppn"},
        {"--", ""},
    };
    for (const auto& row : rows)
        EXPECT_EQ(nearest_option(row.word), row.meant) << row.word;
}

}  // namespace
}  // namespace launch
