// SPDX-License-Identifier: MIT
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
     .manual = "Sets a variable for all ranks, on top of their environment. `-genv NAME=VALUE` is "
               "the same. It may be given several times; `-x` and `-env` win over it.",
     .if_unset = "no variable is set",
     .example = "COLOUR=blue",
     .variable_prefix = ""},
    {.group = OptionGroup::env,
     .scope = Scope::job,
     .names = "-genvall",
     .key = "genvall",
     .metavar = "",
     .value = choosing<Inherit::What::all, &Settings::inherit, &Inherit::what>(),
     .help = "all ranks get the whole environment from here (default)",
     .manual = "All ranks get the whole environment of launch, except variables of a login or of "
               "an enclosing job. This is the default.",
     .if_unset = "yes, unless genvnone or genvlist is set",
     .family = "genv-kept"},
    {.group = OptionGroup::env,
     .scope = Scope::job,
     .names = "-genvnone",
     .key = "genvnone",
     .metavar = "",
     .value = choosing<Inherit::What::none, &Settings::inherit, &Inherit::what>(),
     .help = "all ranks get no variables from here",
     .manual = "Ranks get no variables from launch's environment: only those that `-genv`, `-env` "
               "and `-x` set, those of each host, and the variables of launch.",
     .if_unset = "no: ranks get the environment",
     .family = "genv-kept"},
    {.group = OptionGroup::env,
     .scope = Scope::job,
     .names = "-genvlist",
     .key = "genvlist",
     .metavar = "NAMES",
     .value = listed_variables<&Settings::inherit>(),
     .help = "all ranks get only these variables from here",
     .manual = "All ranks get these variables of launch's environment, and no others. Separate the "
               "names by commas.",
     .if_unset = "no list: ranks get the environment",
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
     .manual = "The soft resource limits that ranks get from launch, as far as the hard limits of "
               "each host allow: `all`, the default, `none`, or a list of as, core, cpu, data, "
               "fsize, memlock, nofile, nproc, rss and stack, with commas. For all other limits "
               "ranks have those of their host."},
    {.group = OptionGroup::files,
     .scope = Scope::job,
     .names = "--stage",
     .key = "stage",
     .metavar = "FILE[:DEST]",
     .value = texts<&Settings::staged>(Kind::path),
     .help = "put a file on every host first, at DEST or below $LAUNCH_STAGE_DIR",
     .manual = "Copies a file with its mode to the local disk of every host before ranks start, "
               "and verifies the copy. A relative DEST is below `$LAUNCH_STAGE_DIR`, a folder of "
               "the job; the folder of an absolute DEST must exist; a DEST that ends with `/` "
               "keeps the file's name. Existing files are not replaced. It may be given several "
               "times. The files are removed at the end, unless `--stage-keep` is given.",
     .if_unset = "no file is copied to hosts",
     .example = "input.dat:data/",
     .completes = Completes::file_and_place},
    {.group = OptionGroup::files,
     .scope = Scope::job,
     .names = "--stage-program",
     .key = "stage-program",
     .metavar = "",
     .value = flag<&Settings::stage_program>(),
     .help = "copy the programs, too, and run the copies",
     .manual = "Copies the programs of the job to every host as `--stage` does, and runs the "
               "copies: for hosts that do not share your file system. Libraries are not copied."},
    {.group = OptionGroup::files,
     .scope = Scope::job,
     .names = "--stage-keep",
     .key = "stage-keep",
     .metavar = "",
     .value = flag<&Settings::stage_keep>(),
     .help = "leave the files on the hosts at the end",
     .manual = "Leaves the files of `--stage` and `--stage-program` on the hosts at the end. By "
               "default they are removed."},
    {.group = OptionGroup::files,
     .scope = Scope::job,
     .names = "--fetch",
     .key = "fetch",
     .metavar = "REMOTE:DIR",
     .value = texts<&Settings::fetched>(Kind::path),
     .help = "at the end copy a file or folder of each host to DIR/HOST/NAME here",
     .manual =
         "When the ranks have ended, copies the file or folder REMOTE from each host that ran some "
         "to DIR/HOST/NAME here. NAME is the last name of REMOTE. A relative REMOTE is below the "
         "folder in which the host's ranks started; the last colon is the separator. It may be "
         "given several times. Links are kept as links, modes without set-user-id bits; existing "
         "files are not replaced, and a file under its final name is complete. If some hosts lack "
         "REMOTE, launch fetches it from the others and exits with 73. See `launch help staging`.",
     .if_unset = "nothing is fetched",
     .example = "results:from-hosts",
     .completes = Completes::place_and_folder},
});

}  // namespace

std::span<const OptionRow> rows_of_env() {
    return rows;
}

}  // namespace launch
