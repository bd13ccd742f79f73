#include "cmd/options/bind.hpp"
#include "cmd/options/rows/rows.hpp"

namespace launch {
namespace {

constexpr auto rows = std::to_array<OptionRow>({
    {.group = OptionGroup::env,
     .scope = Scope::job,
     .names = "-genv",
     .key = "env",
     .metavar = "NAME VALUE",
     .value = texts<&Settings::env>(Kind::pair),
     .help = "set a variable for all ranks",
     .manual = "Sets a variable for all ranks, on top of all that goes along. `-genv NAME=VALUE` "
               "is the same. It may be given several times; `-x` and `-env` win over it.",
     .if_unset = "none is set",
     .example = "COLOUR=blue",
     .variable_prefix = ""},
    {.group = OptionGroup::env,
     .scope = Scope::job,
     .names = "-genvall",
     .key = "genvall",
     .metavar = "",
     .value = choosing<Inherit::What::all, &Settings::inherit, &Inherit::what>(),
     .help = "all ranks get the whole environment from here (default)",
     .manual = "All ranks get the whole environment that launch has, apart from what belongs to a "
               "login or to an enclosing job. That is the default.",
     .if_unset = "so, unless genvnone or genvlist is set",
     .family = "genv-kept"},
    {.group = OptionGroup::env,
     .scope = Scope::job,
     .names = "-genvnone",
     .key = "genvnone",
     .metavar = "",
     .value = choosing<Inherit::What::none, &Settings::inherit, &Inherit::what>(),
     .help = "all ranks get nothing of the environment here",
     .manual = "No rank gets anything of the environment that launch has: only what `-genv`, "
               "`-env` and `-x` set, what each host has itself, and the variables of launch.",
     .if_unset = "not so, the environment goes along",
     .family = "genv-kept"},
    {.group = OptionGroup::env,
     .scope = Scope::job,
     .names = "-genvlist",
     .key = "genvlist",
     .metavar = "NAMES",
     .value = listed_variables<&Settings::inherit>(),
     .help = "all ranks get these variables from here",
     .manual = "All ranks get these variables, with commas between their names, and no others of "
               "the environment that launch has.",
     .if_unset = "no list, the environment goes along",
     .example = "PATH,HOME",
     .family = "genv-kept",
     .completes = Completes::variables},
    {.group = OptionGroup::env,
     .scope = Scope::job,
     .names = "--propagate",
     .key = "propagate",
     .metavar = "LIMITS",
     .value = value_of<read_resources, write_resources, &Settings::propagated>(Kind::list,
                                                                               resource_words),
     .help = "ulimits that ranks get from here: all (default), none or a list",
     .manual = "Which soft resource limits go along to the ranks, as far as the hard limits of "
               "each host allow: `all`, the default, `none`, or some of as, core, cpu, data, "
               "fsize, memlock, nofile, nproc, rss and stack, with commas. Limits that do not go "
               "along are those of each host."},
    {.group = OptionGroup::files,
     .scope = Scope::job,
     .names = "--stage",
     .key = "stage",
     .metavar = "FILE[:DEST]",
     .value = texts<&Settings::staged>(Kind::path),
     .help = "put a file on every host first, at DEST or below $LAUNCH_STAGE_DIR",
     .manual = "Puts a file on every host's own disk before ranks start, verified, with its mode. "
               "A relative DEST is below `$LAUNCH_STAGE_DIR`, a folder of the job; an absolute one "
               "is in a folder that must be there; one that ends with `/` keeps the file's name. "
               "Nothing that is there is replaced. It may be given several times. The files are "
               "removed at the end, unless `--stage-keep` is given.",
     .if_unset = "no file is put on hosts",
     .example = "input.dat:data/",
     .completes = Completes::file_and_place},
    {.group = OptionGroup::files,
     .scope = Scope::job,
     .names = "--stage-program",
     .key = "stage-program",
     .metavar = "",
     .value = flag<&Settings::stage_program>(),
     .help = "put the programs there too, and run those copies",
     .manual = "Puts the programs of the job on every host as `--stage` does, and runs those "
               "copies: for hosts that do not share your file system. Libraries do not go along."},
    {.group = OptionGroup::files,
     .scope = Scope::job,
     .names = "--stage-keep",
     .key = "stage-keep",
     .metavar = "",
     .value = flag<&Settings::stage_keep>(),
     .help = "leave the files there at the end",
     .manual = "Leaves the files of `--stage` and `--stage-program` on the hosts at the end. By "
               "default they are removed."},
    {.group = OptionGroup::files,
     .scope = Scope::job,
     .names = "--fetch",
     .key = "fetch",
     .metavar = "REMOTE:DIR",
     .value = texts<&Settings::fetched>(Kind::path),
     .help = "at the end get a file or folder of each host, as DIR/HOST/NAME here",
     .manual =
         "When the ranks have ended, gets the file or folder REMOTE of each host that ran some, "
         "and "
         "puts it at DIR/HOST/NAME here, NAME being the last name of REMOTE. A relative REMOTE is "
         "below the folder in which the ranks there started; the last colon parts the two. It may "
         "be given several times. Links are kept as links, modes without set-user-id bits; "
         "nothing that is there is replaced, and what has its name is whole. Where a host lacks it "
         "the others' come, and the exit code is 73. See `launch help staging`.",
     .if_unset = "nothing is fetched",
     .example = "results:from-hosts",
     .completes = Completes::place_and_folder},
});

}  // namespace

std::span<const OptionRow> rows_of_env() {
    return rows;
}

}  // namespace launch
