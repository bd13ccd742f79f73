#include "cmd/option_binder.hpp"

#include <functional>
#include <string>

#include "cmd/suggest.hpp"
#include "cmd/values.hpp"

namespace launch {
namespace {

/// Binds one option of the table to where its value goes.
class Binder {
  public:
    Binder(CLI::App& app, const OptionInfo& info) : app_(app), info_(info) {}

    void flag(bool& target) { app_.add_flag(name(), target, help()); }

    void text(std::string& target) { last_of(app_.add_option(name(), target, help())); }

    /// Taken as CLI11 has them: its own conversion to a vector reads "{}" as an empty one.
    void texts(std::vector<std::string>& target, char delimiter = '\0') {
        const CLI::callback_t append = [&target](const CLI::results_t& values) {
            target.insert(target.end(), values.begin(), values.end());
            return true;
        };
        app_.add_option(name(), append, help())
            ->expected(1)
            ->delimiter(delimiter)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    }

    void number(uint32_t& target, uint64_t max) {
        auto check = [max](std::string& text) {
            uint64_t number = 0;
            auto objection = objected(text, read_number(text, 1, max, number));
            // In the one form that CLI11's conversion cannot take for octal.
            if (objection.empty()) text = std::to_string(number);
            return objection;
        };
        last_of(app_.add_option(name(), target, help())->transform(CLI::Validator(check, "")));
    }

    /// A value that one of the readers of values.hpp understands.
    template <class T>
    void value(T& target, std::function<std::string(std::string_view, T&)> read) {
        auto check = [read](std::string& text) {
            T ignored{};
            return objected(text, read(text, ignored));
        };
        auto take = [read, &target](const std::string& text) { read(text, target); };
        last_of(app_.add_option_function<std::string>(name(), take, help())
                    ->check(CLI::Validator(check, "")));
    }

  private:
    std::string name() const { return canonical_name(info_); }
    std::string help() const { return std::string(info_.help); }

    static void last_of(CLI::Option* option) {
        option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    }

    /// Begins with the value, as refused() in command_line.cpp puts the option before it.
    static std::string objected(std::string_view text, const std::string& objection) {
        return objection.empty() ? objection : shown(text) + ": " + objection;
    }

    CLI::App& app_;
    const OptionInfo& info_;
};

std::string read_time_above_zero(std::string_view text, milliseconds& time) {
    auto objection = read_duration(text, time);
    return objection.empty() && time.count() == 0 ? "it must be above 0" : objection;
}

void bind_stdin_target(Binder to, CommandLine& line) {
    to.value<std::optional<StdinTarget>>(
        line.stdin_target, [](std::string_view text, std::optional<StdinTarget>& target) {
            return read_stdin_target(text, target.emplace());
        });
}

void bind_stats(Binder to, CommandLine& line) {
    Policies& policies = line.policies;
    to.value<std::optional<bool>>(line.stats_json,
                                  [&policies](std::string_view text, std::optional<bool>& json) {
                                      policies.stats = true;
                                      return read_format(text, json.emplace());
                                  });
}

void bind_option(Binder to, OptionId id, CommandLine& line, ProgramArgs& program) {
    Policies& policies = line.policies;
    switch (id) {
        case OptionId::ranks: return to.number(program.ranks, INT32_MAX);
        case OptionId::wdir: return to.text(program.wdir);
        case OptionId::env: return to.texts(program.env);
        case OptionId::exported: return to.texts(program.exported);
        case OptionId::envall: return to.flag(program.inherit.all);
        case OptionId::envnone: return to.flag(program.inherit.none);
        case OptionId::envlist: return to.texts(program.inherit.names, ',');

        case OptionId::hosts: return to.texts(program.host_lists);
        case OptionId::hostfile: return to.texts(program.hostfiles);
        case OptionId::exclude: return to.texts(line.excluded);
        case OptionId::ppn: return to.number(line.ppn, INT32_MAX);
        case OptionId::mapping: return to.value<Mapping>(line.mapping, read_mapping);
        case OptionId::allow_missing: return to.flag(line.allow_missing);
        case OptionId::spares: return to.number(line.spares, INT32_MAX);
        case OptionId::start_early: return to.flag(policies.start_early);

        case OptionId::genv: return to.texts(line.env);
        case OptionId::genvall: return to.flag(line.inherit.all);
        case OptionId::genvnone: return to.flag(line.inherit.none);
        case OptionId::genvlist: return to.texts(line.inherit.names, ',');

        case OptionId::propagate: return to.value<Resources>(line.propagated, read_resources);

        case OptionId::stage: return to.texts(line.staged);
        case OptionId::stage_program: return to.flag(line.stage_program);
        case OptionId::stage_keep: return to.flag(line.stage_keep);

        case OptionId::pmi: return to.value<PmiChoice>(policies.pmi, read_pmi);
        case OptionId::modex: return to.value<ModexChoice>(policies.modex, read_modex);

        case OptionId::topology: return to.text(line.topology);
        case OptionId::routing: return to.text(line.routing);
        case OptionId::degree: return to.number(line.degree, INT32_MAX);
        case OptionId::transport: return to.text(line.transport.name);
        case OptionId::ssh_config: return to.text(line.transport.ssh_config);
        case OptionId::accept_new_host_keys: return to.flag(line.transport.accept_unknown_keys);
        case OptionId::forward_agent: return to.flag(line.transport.forward_agent);

        case OptionId::push: return to.value<PushChoice>(policies.push, read_push);
        case OptionId::links: return to.value<LinkChoice>(policies.links.choice, read_links);
        case OptionId::link_ports: return to.value<PortRange>(policies.links.ports, read_ports);

        case OptionId::label: return to.flag(policies.label);
        case OptionId::stdin_target: return bind_stdin_target(to, line);
        case OptionId::quiet: return to.flag(line.quiet);
        case OptionId::verbose: return to.flag(policies.verbose);

        case OptionId::stats: return bind_stats(to, line);
        case OptionId::keep_going: return to.flag(policies.keep_going);
        case OptionId::on_host_loss: return to.value<HostLoss>(policies.host_loss, read_host_loss);
        case OptionId::timeout: return to.value<milliseconds>(line.timeout, read_duration);
        case OptionId::kill_grace:
            return to.value<milliseconds>(policies.kill_grace, read_duration);
        case OptionId::connect_timeout:
            return to.value<milliseconds>(policies.connect_timeout, read_time_above_zero);
        case OptionId::start_timeout:
            return to.value<milliseconds>(policies.start_timeout, read_time_above_zero);
        case OptionId::start_limit:
            return to.value<std::optional<milliseconds>>(
                line.start_limit, [](std::string_view text, std::optional<milliseconds>& limit) {
                    return read_duration(text, limit.emplace());
                });
        case OptionId::liveness: return to.value<milliseconds>(policies.liveness, read_duration);

        case OptionId::dry_run: return to.flag(line.dry_run);
        case OptionId::explain: return to.flag(line.view.explain);
        case OptionId::full: return to.flag(line.view.full);
        case OptionId::format: return to.value<bool>(line.view.json, read_format);
        case OptionId::help: return to.flag(line.help);
        case OptionId::version: return to.flag(line.version);
    }
}

}  // namespace

void bind_options(CLI::App& app, CommandLine& line, ProgramArgs& program) {
    for (const auto& option : all_options())
        bind_option(Binder(app, option), option.id, line, program);
}

}  // namespace launch
