// SPDX-License-Identifier: MIT
#include "cmd/options/table.hpp"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <set>

#include "cmd/options/read_source.hpp"
#include "cmd/options/usage_error.hpp"
#include "tests/unit/cmd/words.hpp"

namespace launch {
namespace {

/// What an option does, given this value.
struct Effect {
    Scope scope;
    const char* key;
    const char* value;
    std::function<bool(const Settings&)> seen;
};

const ProgramSettings& first(const Settings& line) {
    return line.programs.at(0);
}

using Words = std::vector<std::string>;

const std::vector<Effect>& effects() {
    static const std::vector<Effect> rows{
        {Scope::program, "ranks", "4", [](const auto& l) { return first(l).ranks == 4; }},
        {Scope::program, "wdir", "/d", [](const auto& l) { return first(l).wdir == "/d"; }},
        {Scope::program, "env", "A=-b=c",
         [](const auto& l) { return first(l).env == Words{"A=-b=c"}; }},
        {Scope::program, "export", "A",
         [](const auto& l) { return first(l).exported == Words{"A"}; }},
        {Scope::program, "envall", "",
         [](const auto& l) { return first(l).inherit.what == Inherit::What::all; }},
        {Scope::program, "envnone", "",
         [](const auto& l) { return first(l).inherit.what == Inherit::What::none; }},
        {Scope::program, "envlist", "A,B",
         [](const auto& l) {
             return first(l).inherit.names == Words{"A", "B"};
         }},
        {Scope::program, "hosts", "n[1-2,4]",
         [](const auto& l) { return first(l).host_lists == Words{"n[1-2,4]"}; }},
        {Scope::program, "hostfile", "file",
         [](const auto& l) { return first(l).hostfiles == Words{"file"}; }},
        {Scope::job, "allocation", "sge",
         [](const auto& l) { return l.allocation == AllocationChoice::grid_engine; }},
        {Scope::job, "exclude", "n[1-2]",
         [](const auto& l) { return l.excluded == Words{"n[1-2]"}; }},
        {Scope::job, "max-hosts", "2", [](const auto& l) { return l.max_hosts == 2; }},
        {Scope::job, "ppn", "010", [](const auto& l) { return l.ppn == 10; }},
        {Scope::job, "allow-missing", "", [](const auto& l) { return l.allow_missing; }},
        {Scope::job, "spares", "3", [](const auto& l) { return l.spares == 3; }},
        {Scope::job, "session", "s1", [](const auto& l) { return l.session == "s1"; }},
        {Scope::job, "wait", "", [](const auto& l) { return l.session_wait; }},
        {Scope::job, "share", "", [](const auto& l) { return l.session_share; }},
        {Scope::job, "detach", "", [](const auto& l) { return l.detach; }},
        {Scope::job, "start-early", "", [](const auto& l) { return l.policies.start_early; }},
        {Scope::job, "stage", "/f:x", [](const auto& l) { return l.staged == Words{"/f:x"}; }},
        {Scope::job, "fetch", "r:d", [](const auto& l) { return l.fetched == Words{"r:d"}; }},
        {Scope::job, "stage-program", "", [](const auto& l) { return l.stage_program; }},
        {Scope::job, "stage-keep", "", [](const auto& l) { return l.stage_keep; }},
        {Scope::job, "map", "node",
         [](const auto& l) { return l.mapping.hosts == Mapping::cyclic; }},
        {Scope::job, "bind", "core:2",
         [](const auto& l) {
             const auto& bind = l.policies.place.bind;
             return bind.how == BindChoice::How::part && bind.part == MachinePart::core &&
                    bind.count == 2;
         }},
        {Scope::job, "rank-by", "numa",
         [](const auto& l) { return l.rank_by == MachinePart::numa; }},
        {Scope::job, "report-bindings", "", [](const auto& l) { return l.policies.place.report; }},
        {Scope::job, "gpus-per-rank", "2",
         [](const auto& l) {
             const auto& gpus = l.policies.place.gpus;
             return gpus.how == GpuChoice::How::count && gpus.count == 2;
         }},
        {Scope::job, "rendezvous", "torch",
         [](const auto& l) { return l.policies.rendezvous == RendezvousChoice::torch; }},
        {Scope::job, "rendezvous-interface", "",
         [](const auto& l) { return l.policies.rendezvous_interface; }},
        {Scope::job, "env", "A=b", [](const auto& l) { return l.env == Words{"A=b"}; }},
        {Scope::job, "genvall", "",
         [](const auto& l) { return l.inherit.what == Inherit::What::all; }},
        {Scope::job, "genvnone", "",
         [](const auto& l) { return l.inherit.what == Inherit::What::none; }},
        {Scope::job, "genvlist", "A", [](const auto& l) { return l.inherit.names == Words{"A"}; }},
        {Scope::job, "propagate", "stack,core",
         [](const auto& l) { return l.propagated.count() == 2 && l.propagated[9]; }},
        {Scope::job, "pmi", "pmi1-port",
         [](const auto& l) { return l.policies.pmi == PmiChoice::pmi1_port; }},
        {Scope::job, "modex", "on-demand",
         [](const auto& l) { return l.policies.modex == ModexChoice::on_demand; }},
        {Scope::job, "routing", "binomial", [](const auto& l) { return l.routing == "binomial"; }},
        {Scope::job, "topology", "kary:3", [](const auto& l) { return l.topology == "kary:3"; }},
        {Scope::job, "degree", "3", [](const auto& l) { return l.degree == 3; }},
        {Scope::job, "transport", "ssh", [](const auto& l) { return l.transport.name == "ssh"; }},
        {Scope::job, "ssh-config", "f",
         [](const auto& l) { return l.transport.ssh_config == "f"; }},
        {Scope::job, "call-folder", "/shared",
         [](const auto& l) { return l.transport.call_folder == "/shared"; }},
        {Scope::job, "accept-new-host-keys", "",
         [](const auto& l) { return l.transport.accept_unknown_keys; }},
        {Scope::job, "forward-agent", "", [](const auto& l) { return l.transport.forward_agent; }},
        {Scope::job, "stats", "json", [](const auto& l) { return l.stats == Format::json; }},
        {Scope::job, "on-host-loss", "continue",
         [](const auto& l) { return l.policies.host_loss == HostLoss::go_on; }},
        {Scope::job, "push", "never",
         [](const auto& l) { return l.policies.push == PushChoice::never; }},
        {Scope::job, "links", "direct",
         [](const auto& l) { return l.policies.links.choice == LinkChoice::direct; }},
        {Scope::job, "link-ports", "5000-5100",
         [](const auto& l) {
             return l.policies.links.ports == PortRange{5000, 5100};
         }},
        {Scope::job, "label", "", [](const auto& l) { return l.output.label; }},
        {Scope::job, "label-pattern",
         "%h: ", [](const auto& l) { return l.output.label_pattern == "%h: "; }},
        {Scope::job, "color", "never",
         [](const auto& l) { return l.output.color == ColorChoice::never; }},
        {Scope::job, "output-dir", "runs/%j",
         [](const auto& l) { return l.output.dir == "runs/%j"; }},
        {Scope::job, "output-pattern", "%h",
         [](const auto& l) { return l.output.pattern == "%h"; }},
        {Scope::job, "outfile-pattern", "out.%r",
         [](const auto& l) { return l.output.outfile_pattern == "out.%r"; }},
        {Scope::job, "errfile-pattern", "err.%r",
         [](const auto& l) { return l.output.errfile_pattern == "err.%r"; }},
        {Scope::job, "output-there", "", [](const auto& l) { return l.output.there; }},
        {Scope::job, "output-copy", "", [](const auto& l) { return l.output.copy; }},
        {Scope::job, "output-replace", "", [](const auto& l) { return l.output.replace; }},
        {Scope::job, "gather", "", [](const auto& l) { return l.output.gather; }},
        {Scope::job, "diff", "", [](const auto& l) { return l.output.diff; }},
        {Scope::job, "debugger", "lldb",
         [](const auto& l) { return l.policies.debugger == "lldb"; }},
        {Scope::job, "tools", "", [](const auto& l) { return l.policies.tools; }},
        {Scope::invocation, "attach", "7", [](const auto& l) { return l.attach == "7"; }},
        {Scope::job, "pty", "", [](const auto& l) { return l.output.pty; }},
        {Scope::job, "stdin", "2",
         [](const auto& l) {
             return l.stdin_target == StdinTarget{StdinTarget::Kind::rank, 2};
         }},
        {Scope::job, "quiet", "", [](const auto& l) { return l.quiet; }},
        {Scope::job, "verbose", "", [](const auto& l) { return l.policies.verbose; }},
        {Scope::job, "independent", "", [](const auto& l) { return l.independent; }},
        {Scope::job, "keep-going", "", [](const auto& l) { return l.policies.keep_going; }},
        {Scope::job, "timeout", "2m",
         [](const auto& l) { return l.timeout == milliseconds(120'000); }},
        {Scope::job, "hang", "5m", [](const auto& l) { return l.hang == milliseconds(300'000); }},
        {Scope::job, "stacks", "failure",
         [](const auto& l) { return l.stacks == StacksWhen::failure; }},
        {Scope::job, "core-dir", "cores",
         [](const auto& l) { return l.policies.core_dir == "cores"; }},
        {Scope::job, "kill-grace", "0",
         [](const auto& l) { return l.policies.kill_grace.count() == 0; }},
        {Scope::job, "connect-timeout", "200ms",
         [](const auto& l) { return l.policies.connect_timeout == milliseconds(200); }},
        {Scope::job, "start-timeout", "1.5s",
         [](const auto& l) { return l.policies.start_timeout == milliseconds(1500); }},
        {Scope::job, "start-limit", "0",
         [](const auto& l) { return l.start_limit == milliseconds(0); }},
        {Scope::job, "liveness", "0",
         [](const auto& l) { return l.policies.liveness.count() == 0; }},
        {Scope::job, "mca", "btl=tcp", [](const auto& l) { return l.mca == Words{"btl=tcp"}; }},
        {Scope::job, "report", "r.json", [](const auto& l) { return l.report == "r.json"; }},
        {Scope::job, "display-map", "", [](const auto& l) { return l.show_map; }},
        {Scope::invocation, "job", "f.toml", [](const auto& l) { return l.job_file == "f.toml"; }},
        {Scope::invocation, "dry-run", "", [](const auto& l) { return l.dry_run; }},
        {Scope::invocation, "explain", "", [](const auto& l) { return l.view.explain; }},
        {Scope::invocation, "full", "", [](const auto& l) { return l.view.full; }},
        {Scope::invocation, "format", "json",
         [](const auto& l) { return l.view.format == Format::json; }},
        {Scope::invocation, "help", "", [](const auto& l) { return l.help; }},
        {Scope::invocation, "version", "", [](const auto& l) { return l.version; }},
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
    if (line->help || line->version) return;
    const auto& origins = effect.scope == Scope::program ? first(*line).origins : line->origins;
    ASSERT_TRUE(origins.has(effect.key)) << text;
    EXPECT_EQ(origins.find(effect.key)->name, words[0].substr(0, words[0].find('='))) << text;
    EXPECT_EQ(first(*line).argv, (Words{"app", "-n", "--label"})) << text;
}

/// The name as in the table, and as users write it who count dashes differently.
std::vector<std::string> spellings(std::string_view name) {
    const std::string bare(name.substr(name.find_first_not_of('-')));
    if (bare.size() == 1) return {"-" + bare};
    return {"-" + bare, "--" + bare};
}

TEST(Options, EachWorksInEachSpelling) {
    for (const auto* row : all_options()) {
        const auto& option = *row;
        const auto effect = std::find_if(effects().begin(), effects().end(), [&](const auto& each) {
            return each.scope == option.scope && each.key == option.key;
        });
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
    for (const auto* row : all_options()) {
        const auto& option = *row;
        std::set<std::string> own;
        for (const auto name : names_of(option))
            own.emplace(name.substr(name.find_first_not_of('-')));
        for (const auto& name : own)
            EXPECT_TRUE(bare_names.insert(name).second) << name;
        EXPECT_EQ(find_key(option.key, option.scope), &option) << option.names;
    }
}

/// As the topic job-files tells.
TEST(Options, KeysAreTheLastNamesButForTwo) {
    for (const auto* row : all_options()) {
        const auto name = names_of(*row).back();
        const auto key = name == "-genv" ? "env" : name == "-x" ? "export" : without_dashes(name);
        EXPECT_EQ(row->key, key);
        EXPECT_EQ(find_bare(without_dashes(name)), row);
    }
}

TEST(Options, EachTellsWhatIsUsedWhereNobodySetsIt) {
    for (const auto* row : all_options()) {
        if (row->scope == Scope::invocation) continue;
        EXPECT_NE(default_texts(*row).empty(), row->if_unset.empty()) << row->names;
        for (const auto& text : example_texts(*row)) {
            const auto objection = objection_to({row, text, {.name = std::string(row->names)}});
            EXPECT_FALSE(objection) << describe(*objection);
        }
    }
}

/// What a value may be stands in the code that reads it, and once more in what users read.
TEST(Options, ManualsNameEachWordOfAValue) {
    for (const auto* row : all_options()) {
        if (row->value.words == nullptr) continue;
        for (const auto& word : row->value.words())
            EXPECT_NE(row->manual.find(word.shown()), row->manual.npos)
                << row->names << ": " << word.shown();
    }
}

/// So that what an option implies can be read in its manual, and be set by itself.
TEST(Options, WhatIsImpliedIsSetByOtherOptionsAndNamedInTheManual) {
    for (const auto* row : all_options())
        for (const auto& [key, value] : row->implies) {
            const auto* other = find_key(key, Scope::job);
            ASSERT_NE(other, nullptr) << key;
            EXPECT_TRUE(row->is_flag() && row->scope == Scope::job) << row->names;
            EXPECT_TRUE(other->implies.empty()) << key;
            EXPECT_FALSE(objection_to({other, std::string(value), {.name = std::string(key)}}));
            const std::string name(names_of(*other).back());
            const std::string quoted = value.find(' ') == value.npos ? "" : "'";
            const auto words =
                other->is_flag() ? name : name + " " + quoted + std::string(value) + quoted;
            EXPECT_NE(row->manual.find(words), row->manual.npos) << row->names << ": " << words;
        }
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
        {"--bindto", "--bind-to"},
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
