#include "cmd/config.hpp"

#include <CLI/CLI.hpp>

#include "cmd/console.hpp"
#include "cmd/jobfile/gather.hpp"
#include "cmd/jobfile/write_job_file.hpp"
#include "cmd/options/suggest.hpp"
#include "cmd/options/usage_error.hpp"
#include "cmd/plain_words.hpp"
#include "cmd/request/surroundings.hpp"
#include "cmd/run.hpp"
#include "cmd/show/config_text.hpp"

namespace launch {
namespace {

struct ConfigWords {
    bool init = false;
    bool help = false;
    std::string job;
    std::string format = "text";
    std::string usage;
};

Result<ConfigWords> read_words(std::vector<std::string> words) {
    ConfigWords read;
    CLI::App app("Shows what each option is set to, and which file or variable says so.\n",
                 "launch config");
    app.set_help_flag();
    app.add_flag("-h,--help", read.help, "this text");
    app.add_flag("--init", read.init,
                 "print a configuration file with every line commented out, for\n"
                 "$XDG_CONFIG_HOME/launch/config.toml or /etc/launch/config.toml");
    app.add_option("--job", read.job, "with what this job file says");
    app.add_option("--format", read.format, "text or json")->check(CLI::IsMember({"text", "json"}));
    read.usage = app.help();
    const auto others = read_plain_words(app, "config", std::move(words));
    if (!others) return others.error();
    if (!others->empty()) return usage_error("config takes no word " + shown(others->front()));
    return read;
}

}  // namespace

int start_config(const std::vector<std::string>& words) {
    const auto read = read_words(words);
    if (!read) return fail(read.error());
    if (read->help) return show(read->usage);
    if (read->init) return show(commented_config());
    const auto around = look_around();
    if (!around) return fail(around.error());
    std::vector<std::string> job_words;
    // A job file names its programs; without one there is none, which is no mistake here.
    if (!read->job.empty())
        job_words = {"--job", read->job};
    else
        job_words = {"--", "program"};
    const auto gathered = gather_settings(job_words, usual_places(around->env, around->wdir));
    if (!gathered.mistakes.empty()) return fail(gathered.mistakes);
    tell_notes(gathered.notes);
    return show(read->format == "json" ? config_json(gathered.settings)
                                       : config_text(gathered.settings));
}

}  // namespace launch
