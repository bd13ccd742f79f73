// SPDX-License-Identifier: MIT
#include "cmd/options/foreign_options.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

#include "cmd/options/table.hpp"
#include "cmd/options/usage_error.hpp"
#include "core/base/list_text.hpp"

namespace launch {
namespace {

constexpr bool passed_over = true;

// Options that users know from Open MPI's mpirun, PRRTE's prterun, MPICH's and Intel's mpiexec,
// Slurm's srun, ClusterShell's clush and PyTorch's torchrun.
constexpr auto foreign_table = std::to_array<ForeignOptions>({
    {"allow-run-as-root", "not needed, root may", passed_over},
    {"oversubscribe overcommit",
     "not needed, more ranks than slots are allowed and a notice says so", passed_over},
    {"O", "not needed, more ranks than slots are allowed and a notice says so"},
    {"nooversubscribe no-oversubscribe", "use -map-by slot:nooversubscribe"},
    {"pmixmca gpmixmca", "set its variable instead: -x PMIX_MCA_NAME=VALUE"},
    {"prtemca", "not needed, launch does not use PRRTE"},

    {"binding cpu-bind", "use --bind WHAT"},
    {"bind-to-core", "use --bind core"},
    {"bind-to-socket", "use --bind socket"},
    {"cpus-per-proc cpus-per-rank", "use --bind core:N"},
    {"cpu-set cpu-list",
     "use --bind user:LIST; under taskset(1) launch keeps to the CPUs that it gives"},
    {"use-hwthread-cpus", "use --bind hwthread"},
    {"membind mem-bind",
     "not needed, Linux takes memory near to the CPUs that a rank is bound to: --bind numa"},
    {"topolib", "not needed, hwloc is used"},
    {"rankmap rankfile rf order-nodes distribution",
     "-map-by and the order of the hosts say which rank goes where"},
    {"rr bynode", "use -map-by node"},
    {"byslot", "use -map-by slot, which is the default"},
    {"c", "use -n N for ranks, --bind core:N for CPUs of each, --stage FILE for copies"},
    {"gpus gpus-per-node gpus-per-task gpu-bind gres", "use --gpus-per-rank N, or auto"},
    {"npernode pernode perhost grr ntasks-per-node nproc-per-node", "use -ppn N"},
    {"N nodes nnodes",
     "use -ppn N for ranks on each host, --max-hosts N for the first of -hosts or -f"},
    {"pick", "use --max-hosts N, which takes the first of them"},
    {"ntasks", "use -n N"},
    {"H w nodelist", "use -hosts LIST"},
    {"g group",
     "use -hosts LIST; no groups are known here, nodeset(1) of ClusterShell unfolds them"},
    {"a all", "use -f FILE with all hosts in it"},
    {"X exclude-group", "use --exclude LIST"},
    {"user", "use -hosts USER@HOST"},
    {"m", "use -hosts LIST for hosts, and -map-by for the order of the ranks"},
    {"default-hostfile nodefile", "use -f FILE"},
    {"nolocal skip-launch-node",
     "not needed, ranks run on the hosts that are named and nowhere "
     "else"},
    {"partition p account qos reservation exclusive overlap",
     "no resource manager is asked: give it to the one that starts the batch job, whose hosts are "
     "used"},
    {"rmk", "use --allocation NAME"},
    {"usize", "not needed, the universe is the slots of all hosts"},

    {"configfile", "give it alone, its file has all the other options"},
    {"app multi-prog", "write all programs on the command line, with ':' between them"},
    {"prefix path gpath", "name the program by its path, and libraries by -x LD_LIBRARY_PATH"},
    {"D chdir", "use -wdir DIR"},
    {"export", "use -x NAME, or -genvlist NAMES"},
    {"genvexcl", "use -genvlist NAMES, of those that ranks are to get"},
    {"tune", "set its variables instead: -x OMPI_MCA_NAME=VALUE, -x I_MPI_NAME=VALUE"},
    {"preload-binary bcast", "use --stage-program"},
    {"preload-files add-file copy dest", "use --stage FILE[:DEST]"},
    {"rcopy", "use --fetch REMOTE:DIR"},

    {"launcher bootstrap R worker", "use --transport: ssh, openssh, rsh, docker or others"},
    {"launcher-exec bootstrap-exec", "use --transport 'command:PROGRAM {host}'"},
    {"iface network", "not chosen here; with --links ssh all between hosts goes through ssh"},
    {"J job-name localhost demux monitor-interval start-method role", "not needed"},
    {"disable-hostname-propagation disable-x hetero-nodes", "not needed", passed_over},
    {"enable-x", "not supported, no display is forwarded"},
    {"fanout tree-width treewidth", "use -k K"},
    {"node-rank master-addr master-port local-addr rdzv-backend rdzv-endpoint rdzv-id rdzv-conf "
     "standalone",
     "not needed, launch is called once for all hosts; --rendezvous torch sets what ranks read"},
    {"no-python module", "name the whole program, such as python3 FILE"},
    {"pmi-port", "use --pmi pmi1-port"},
    {"nameserver ompi-server", "not needed, launch itself keeps the names that programs publish"},

    {"tag-output", "use -l"},
    {"timestamp-output", "use --label-pattern '%{time} [%r] '"},
    {"b B", "use --gather"},
    {"L", "use --gather, which shows the output in the order of the ranks"},
    {"output output-filename o errdir log-dir",
     "use --output-dir DIR for a file for each rank, or -outfile-pattern out.%r"},
    {"e error", "use -errfile-pattern err.%r"},
    {"merge-stderr-to-stdout", "use sh -c './app 2>&1'"},
    {"unbuffered", "not needed, a line is shown as soon as it is whole", passed_over},
    {"redirects tee", "use --output-dir DIR, and --output-copy to see it as well"},
    {"nostdin", "use --stdin none"},
    {"i input", "use --stdin RANK, and < of the shell"},
    {"s", "use --stdin RANK for standard input; launch sends itself to hosts that lack it"},
    {"gdb",
     "name the debugger as the program: --pty gdb ./app, or in its batch mode for all ranks"},
    {"xterm", "use --pty, which gives one rank this terminal"},

    {"disable-auto-cleanup enable-recovery", "use --keep-going"},
    {"kill-on-bad-exit", "not needed, a rank that fails ends the job", passed_over},
    {"K", "not needed, a rank that fails ends the job"},
    {"max-restarts",
     "not supported, ranks that fail are not started again; --keep-going leaves the others"},
    {"S maxrc", "not needed, a rank that fails gives its exit code"},
    {"print-all-exitcodes", "use --keep-going; a line then names each rank that failed"},
    {"time command-timeout", "use --timeout TIME"},
    {"report-state-on-timeout get-stack-traces",
     "not needed, --timeout shows which ranks still ran, and their stacks"},
    {"t u", "use --timeout TIME for the job, --connect-timeout TIME for each host"},

    {"display display-devel-map do-not-launch test-only", "use --dry-run"},
    {"display-allocation", "use --dry-run --explain"},
    {"info", "use --version"},
    {"debug profile", "use -v; LAUNCH_LOG=pmi:trace shows what ranks say"},
});

std::string_view advice_for(std::string_view word) {
    const auto* found = find_foreign_option(word);
    return found == nullptr ? std::string_view() : found->advice;
}

/// A number may be attached to the one letter of an option.
std::string_view advice_with_number(std::string_view spelling) {
    const auto advice = advice_for(spelling);
    const bool attached = advice.empty() && spelling.size() > 2 && spelling[1] != '-' &&
                          std::isdigit(static_cast<unsigned char>(spelling[2])) != 0;
    return attached ? advice_for(spelling.substr(0, 2)) : advice;
}

}  // namespace

std::span<const ForeignOptions> foreign_options() {
    return foreign_table;
}

const ForeignOptions* find_foreign_option(std::string_view word) {
    std::string bare(without_dashes(word));
    std::replace(bare.begin(), bare.end(), '_', '-');  // torchrun has both
    const auto* found =
        std::find_if(foreign_table.begin(), foreign_table.end(), [&](const auto& options) {
            const auto names = split(options.names, ' ');
            return std::find(names.begin(), names.end(), bare) != names.end();
        });
    return found == foreign_table.end() ? nullptr : found;
}

Error unknown_option(const std::string& spelling, OptionTable table) {
    const std::string cause = "unknown option " + shown(spelling);
    // Only options of jobs have advice for users of other launchers.
    const bool of_jobs = find_key("ranks", Scope::program, table) != nullptr;
    const auto advice = of_jobs ? advice_with_number(spelling) : "";
    if (!advice.empty()) return usage_error(cause + ": " + std::string(advice));
    if (find_option(spelling) != nullptr)
        return usage_error("the option " + shown(spelling) + " does not go with this command");
    if (find_option(spelling, config_options()) != nullptr)
        return usage_error("the option " + shown(spelling) + " is for launch config");
    return usage_error(cause + did_you_mean(nearest_option(spelling, table)));
}

}  // namespace launch
