#include <gtest/gtest.h>

#include "cmd/exit_code.hpp"
#include "tests/unit/cmd/words.hpp"

namespace launch {
namespace {

TEST(UsageErrors, SayInOneLineWhatIsWrong) {
    const std::string number = ": not a whole number from 1 to 2147483647 (see launch --help)";
    const std::string time = ": not a time such as 10, 1.5s, 200ms, 2m or 1h (see launch --help)";
    struct {
        const char* words;
        std::string message;
    } rows[] = {
        {"", "no program to run (see launch --help)"},
        {"-n 4", "no program to run (see launch --help)"},
        {"-n 4 --", "no program to run (see launch --help)"},
        {"a :", "no program after ':' (see launch --help)"},
        {"--timeout hostname", "--timeout hostname" + time},
        {"-n hostname : a", "-n hostname" + number},
        {"-genv A hostname", "no program to run (hostname was taken as the value of -genv)"},
        {"-n 2 '' a", "the program's name is empty (is a variable of the shell not set?)"},
        {": a", "no program before ':' (see launch --help)"},
        {"--init a", "the option --init is for launch config (see launch --help)"},
        {"a : -n 2 : b", "no program before ':' (see launch --help)"},
        {"--hots a app", "unknown option --hots; did you mean --hosts? (see launch --help)"},
        {"--hots=a app", "unknown option --hots; did you mean --hosts? (see launch --help)"},
        {"--bind-to-core app",
         "unknown option --bind-to-core: use --bind core (see launch --help)"},
        {"--allow-run-as-root --oversubscribe -n 2 app", ""},
        {"--oversubscribe=1 app",
         "unknown option --oversubscribe: not needed, more ranks than slots are allowed and a "
         "notice says so (see launch --help)"},
        {"--nooversubscribe app",
         "unknown option --nooversubscribe: use -map-by slot:nooversubscribe (see launch --help)"},
        {"--nproc_per_node=2 app",
         "unknown option --nproc_per_node: use -ppn N (see launch --help)"},
        {"--rdzv-backend c10d app",
         "unknown option --rdzv-backend: not needed, launch is called once for all hosts; "
         "--rendezvous torch sets what ranks read (see launch --help)"},
        {"--connect_timeout 5 app",
         "unknown option --connect_timeout; did you mean --connect-timeout? (see launch --help)"},
        {"-n 2 a : --tune file b",
         "unknown option --tune: set its variables instead: -x OMPI_MCA_NAME=VALUE, -x "
         "I_MPI_NAME=VALUE (see launch "
         "--help)"},
        {"-4 app", "unknown option -4 (see launch --help)"},
        {"--n 4 app", "unknown option --n; did you mean -n? (see launch --help)"},
        {"---np 4 app", "unknown option ---np; did you mean -np? (see launch --help)"},
        {"-l4 app", "unknown option -l4 (see launch --help)"},
        {"--\033[1m app", "unknown option \"--\\x1b[1m\" (see launch --help)"},
        {"--label=yes app", "--label takes no value (see launch --help)"},
        {"-n", "-n needs a value: N (see launch --help)"},
        {"-n : app", "-n needs a value: N (see launch --help)"},
        {"--session", "no program to run (see launch --help)"},
        {"--session hostname",
         "no program to run (hostname was taken as the value of --session; if it is the program: "
         "--session -- hostname)"},
        {"--session=s1", "no program to run (see launch --help)"},
        {"--detach app",
         "--detach: only in a session (`launch session start` starts one; --session NAME runs a "
         "job there)"},
        {"--no-wait app",
         "--no-wait: only in a session (`launch session start` starts one; --session NAME runs a "
         "job there)"},
        {"--share app",
         "--share: only in a session (`launch session start` starts one; --session NAME runs a "
         "job there)"},
        {"--wait --no-share --no-detach --max-hosts 0 --spares 0 app", ""},
        {"--session s --share --no-wait --detach --max-hosts 1 --exclude a app", ""},
        {"--session= app", "--session needs a value: NAME (see launch --help)"},
        {"-n= app", "-n needs a value: N (see launch --help)"},
        {"-hosts '' app", "-hosts needs a value: LIST (see launch --help)"},
        {"-n --label app", "-n needs a value: N, not the option --label (see launch --help)"},
        {"-genv A -n 2 app",
         "-genv needs a name and a value: NAME VALUE, not the option -n (if that is the value: "
         "-genv "
         "A=-n)"},
        {"-env A --label app",
         "-env needs a name and a value: NAME VALUE, not the option --label (if that is the value: "
         "-env A=--label)"},
        {"-c4 app",
         "unknown option -c4: use -n N for ranks, --bind core:N for CPUs of each, --stage FILE for "
         "copies (see launch --help)"},
        {"-z4 app", "unknown option -z4 (see launch --help)"},
        {"-genv A", "-genv needs a name and a value: NAME VALUE (see launch --help)"},
        {"-genv '' v app", "-genv: the name is empty (see launch --help)"},
        {"--mca '' 1 app", "--mca: the name is empty (see launch --help)"},
        {"-genv '' -n 2 app", "-genv needs a name and a value: NAME VALUE (see launch --help)"},
        {"-genv =1 app", "-genv =1: the name is empty (see launch --help)"},
        {"-env =1 app", "-env =1: the name is empty (see launch --help)"},
        {"-x =1 app", "-x =1: the name is empty (see launch --help)"},
        {"-n four app", "-n four" + number},
        {"-np -4 app", "-np -4" + number},
        {"--ranks=0 app", "--ranks 0" + number},
        {"-n 1e3 app", "-n 1e3" + number},
        {"-n 2147483648 app", "-n 2147483648" + number},
        {"-n 99999999999999999999 app", "-n 99999999999999999999" + number},
        {"-k 0 app", "-k 0" + number},
        {"-n 2 app : -n x app", "-n x" + number},
        {"--timeout 5x app", "--timeout 5x" + time},
        {"--kill-grace -1 app", "--kill-grace -1" + time},
        {"--timeout 400h app", ""},
        {"--timeout 9000h app", "--timeout 9000h: longer than a year (see launch --help)"},
        {"--connect-timeout 0 app", "--connect-timeout 0: it must be above 0 (see launch --help)"},
        {"--start-timeout 0s app", "--start-timeout 0s: it must be above 0 (see launch --help)"},
        {"--stdin some app", "--stdin some: neither a rank nor all nor none (see launch --help)"},
        {"-map-by numa app", ""},
        {"-map-by nuna app",
         "-map-by nuna: not one of block (or slot) and cyclic (or node, host), nor a part of a "
         "host: hwthread, core, l1, l2, l3, numa, socket; did you mean numa? (see launch --help)"},
        {"--bind nuna app",
         "--bind nuna: not one of none, auto, hwthread, core, l1, l2, l3, numa, socket, cpuset and "
         "user:LIST; did you mean numa? (see launch --help)"},
        {"--bind rainbow app",
         "--bind rainbow: not one of none, auto, hwthread, core, l1, l2, l3, numa, socket, cpuset "
         "and user:LIST (see launch --help)"},
        {"--rank-by nuna app",
         "--rank-by nuna: not one of slot, hwthread, core, l1, l2, l3, numa, socket; did you mean "
         "numa? (see "
         "launch --help)"},
        {"--pmi pmxi app",
         "--pmi pmxi: not one of auto, pmi1, pmi1-port, pmi2, pmix and none; did you mean pmix? "
         "(see launch "
         "--help)"},
        {"--pmi mpich app",
         "--pmi mpich: not one of auto, pmi1, pmi1-port, pmi2, pmix and none (see launch --help)"},
        {"--modex demand app",
         "--modex demand: not one of auto, gather, on-demand, ring, bruck and doubling (see launch "
         "--help)"},
        {"--modex gahter app",
         "--modex gahter: not one of auto, gather, on-demand, ring, bruck and doubling; did you "
         "mean gather? (see launch "
         "--help)"},
        {"--dry-run --format xml app",
         "--format xml: not one of text, json, toml, dot and svg (see launch --help)"},
        {"--explain app", "--explain goes with --dry-run (see launch --help)"},
        {"-explain app", "-explain goes with --dry-run (see launch --help)"},
        {"--full app", "--full goes with --dry-run (see launch --help)"},
        {"--format json app", "--format json goes with --dry-run (see launch --help)"},
        {"--transport shh app",
         "--transport shh: not one of local, ssh, openssh, docker, podman, kubectl, srun, flux, "
         "pbsdsh and rsh; "
         "did you mean ssh? (or command:LINE, such as 'command:rsh {host}') (see launch --help)"},
        {"--transport slurm app",
         "--transport slurm: not one of local, ssh, openssh, docker, podman, kubectl, srun, flux, "
         "pbsdsh and rsh "
         "(or command:LINE, such as 'command:rsh {host}') (see launch --help)"},
        {"--transport pbsdsh -hosts a:22:1 app",
         "--transport pbsdsh and a:22:1: it has no {port}, which the host gives (see launch "
         "--help)"},
        {"--transport ssh app",
         "--transport ssh needs hosts: -hosts LIST or -f FILE (see launch --help)"},
        {"-hosts a -f b app",
         "-hosts and -f both name hosts, give one of them (see launch --help)"},
        {"-host a -f b x : -f c y",
         "-host and -f both name hosts, give one of them (see launch --help)"},
        {"--exclude a app", "--exclude needs hosts: -hosts LIST or -f FILE (see launch --help)"},
        {"-hosts n[1-4] --exclude n[1-9] app", "--exclude leaves no host (see launch --help)"},
        {"-host a x : -host b --exclude b y", "--exclude leaves no host for y (see launch --help)"},
        {"-hosts a --exclude n[1 app", "read the host list: \"n[1\": a bracket is not closed"},
        {"-hosts node[001-004] -x node002 app",
         "-x node002: it exports variables, and this is a host (to leave hosts out: --exclude "
         "node002)"},
        {"-hosts node[001-004] -x node[002-003] app",
         "-x node[002-003]: it exports variables, and this is no name of one (to leave hosts out: "
         "--exclude node[002-003])"},
        {"-x n-1 app",
         "-x n-1: it exports variables, and this is no name of one (to leave hosts out: --exclude "
         "n-1)"},
        {"-hosts a,FOO -x FOO app", ""},
        {"-hosts n[1- app", "read the host list: \"n[1-\": a bracket is not closed"},
        {"-hosts {} app",
         "read the host list: \"{}\": the character \"{\" is not allowed in a name"},
        {"-hosts , app", "read the host list: it names no host"},
        {"-f /nonexistent/file app",
         "read the host file /nonexistent/file: No such file or directory"},
        {"-f no\001file app", "read the host file \"no\\x01file\": No such file or directory"},
        {"-f a,n[1-2] app",
         "read the host file a,n[1-2]: No such file or directory (for a list of hosts: -hosts "
         "a,n[1-2])"},
        {"-f / app", "read the host file /: Is a directory"},
        {"-hosts /etc/passwd app",
         "read the host list: \"/etc/passwd\": the character \"/\" is not allowed in a name (it is "
         "a file here: to read hosts from it, -f /etc/passwd)"},
        {"-f - --stdin 0 app",
         "the hosts are read from standard input, so no rank can read it (see launch --help)"},
        {"-genvnone -genvall app",
         "-genvall and -genvnone exclude one another (see launch --help)"},
        {"-envnone --envlist A app",
         "-envnone and --envlist exclude one another (see launch --help)"},
        {"--no-genvall app",
         "--no-genvall: it can only be replaced, by -genvnone or -genvlist (see launch --help)"},
        {"--no-envnone app",
         "--no-envnone: it can only be replaced, by -envall or -envlist (see launch --help)"},
        {"-genvlist , app", "-genvlist ,: it names no variable (see launch --help)"},
        {"-envlist= app", "-envlist needs a value: NAMES (see launch --help)"},
    };
    for (const auto& row : rows) {
        const auto request = request_of(words_of(row.words), "a\n");
        const std::string said = request ? "" : describe(request.error());
        EXPECT_EQ(said, row.message) << row.words;
        if (!request) {
            EXPECT_EQ(exit_code_of(request.error()), exit_code::usage) << row.words;
        }
    }
}

std::vector<std::string> all_told(const std::string& words) {
    const auto request = request_of(words_of(words), "a\n");
    if (request) return {};
    std::vector<std::string> told{request.error().cause};
    for (const auto& other : request.error().others)
        told.push_back(other.cause);
    return told;
}

TEST(UsageErrors, TellAllThatIsWrongAtOnce) {
    struct {
        const char* words;
        std::vector<std::string> told;
    } rows[] = {
        {"-n x --timeout y app",
         {"-n x: not a whole number from 1 to 2147483647",
          "--timeout y: not a time such as 10, 1.5s, 200ms, 2m or 1h"}},
        {"--hots=a -n 0 app : --lable b",
         {"unknown option --hots; did you mean --hosts?",
          "-n 0: not a whole number from 1 to 2147483647",
          "unknown option --lable; did you mean --label?"}},
        {"-n --label --label=no -k app",
         {"-n needs a value: N, not the option --label", "--label takes no value",
          "-k app: not a whole number from 1 to "
          "2147483647"}},
        {"-x =1 -env =2 --mca =3 app",
         {"-x =1: the name is empty", "-env =2: the name is empty", "--mca =3: the name is empty"}},
        // What may follow from the mistake before it is not told.
        {"--fanuot 3 app", {"unknown option --fanuot"}},
        {"-k", {"-k needs a value: K"}},
        {": a : -n 2 :",
         {"no program before ':'", "no program before ':'", "no program after ':'"}},
        // Of what is found where files and the environment are looked at.
        {"-f /no/a -f /no/b app", {"No such file or directory", "No such file or directory"}},
        {"-f /no/a x : -hosts n[ --exclude m[ y",
         {"No such file or directory", "\"n[\": a bracket is not closed",
          "\"m[\": a bracket is not closed"}},
        {"-genvnone -genvall -envnone -envall -x n-1 --ssh-config /no --explain app",
         {"--explain goes with --dry-run", "--ssh-config /no: No such file or directory",
          "-x n-1: it exports variables, and this is no name of one",
          "-genvall and -genvnone exclude one another",
          "-envall and -envnone exclude one another"}},
        {"--stage /no/a --stage /no/b app",
         {"--stage /no/a: No such file or directory", "--stage /no/b: No such file or directory"}},
        {"--routing flat --links ssh --transport ssh app",
         {"--transport ssh needs hosts: -hosts LIST or -f FILE",
          "--routing flat needs direct links: not with --links ssh"}},
    };
    for (const auto& row : rows)
        EXPECT_EQ(all_told(row.words), row.told) << row.words;
}

}  // namespace
}  // namespace launch
