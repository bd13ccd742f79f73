// SPDX-License-Identifier: MIT
#include "core/hosts/allocation.hpp"

#include <cerrno>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "core/hosts/hostlist.hpp"
#include "core/hosts/slurm_hosts.hpp"
#include "tests/unit/golden.hpp"

namespace launch {
namespace {

using Words = std::vector<std::string>;
using Choice = AllocationChoice;

/// Where one file is in the world, by the name that the variables of these tests give.
constexpr const char* the_file = "/var/spool/nodes";

/// What flux answers, by the words that it was asked; an answer that begins with "!" is none.
Result<std::string> asked(const Words& argv, const std::string& answer) {
    EXPECT_EQ(argv.at(0), "flux");
    if (!answer.starts_with('!')) return answer;
    Error silence;
    silence.cause = answer.substr(1);
    return silence;
}

/// `file`: also what flux answers.
Result<Allocation> found(const Words& env, const std::string& file = {},
                         Choice choice = Choice::automatic) {
    const AllocationSigns signs{
        .env = env,
        .read_file =
            [&](const std::string& path) {
                return path == the_file ? FileText{file, 0} : FileText{{}, ENOENT};
            },
        .is_here = [](const std::string& host) { return host == "here"; },
        .ask = [&](const Words& argv) { return asked(argv, file); }};
    return find_allocation(choice, signs);
}

/// "Slurm by VARIABLE: HOSTS", or what is wrong.
std::string said(const Words& env, const std::string& file = {},
                 Choice choice = Choice::automatic) {
    const auto allocation = found(env, file, choice);
    if (!allocation) return describe(allocation.error());
    if (!allocation->is_there()) return "none";
    return allocation->scheduler + " by " + allocation->how + ": " + fold_hosts(allocation->hosts);
}

struct SampleRow {
    const char* row;
    Words env;
    std::string said;
};

void expect_samples(const std::vector<SampleRow>& rows, const std::string& file = {}) {
    for (const auto& row : rows)
        EXPECT_EQ(said(row.env, file), row.said) << row.row;
}

/// `said` is the variable that is wrong.
void expect_refused(const SampleRow& row, const std::string& file = {}) {
    const auto text = said(row.env, file);
    EXPECT_TRUE(text.starts_with(row.said)) << row.row << ": " << text;
    expect_golden(row.row, text);
}

TEST(Allocation, OfFlux) {
    const Words env{"FLUX_URI=local:///run/flux/local-0"};
    // As flux-resource(1) and flux-jobs(1) print it of "{nnodes} {ncores} {nodelist}".
    EXPECT_EQ(said(env, "4 32 node[001-004]\n"), "Flux by flux resource: node[001-004]:8");
    EXPECT_EQ(said({"FLUX_JOB_ID=f2WxAn", env[0]}, "2 2 a,b\n"), "Flux by flux jobs: a,b");
    EXPECT_EQ(said(env, "2 8 n[1-2]\n\n1 64 big\n0 0 \n"),
              "Flux by flux resource: n[1-2]:4,big:64");
    EXPECT_EQ(said(env, "3 8 n[1-3]\n"), "Flux by flux resource: n[1-3]:2");
    EXPECT_EQ(said(env, "2 1 n[1-2]\n"), "Flux by flux resource: n[1-2]");
    EXPECT_EQ(said({}, "1 1 a\n"), "none");
    for (const auto* wrong : {"", "x\n", "2 2 a\n", "1 1 a[\n", "-1 1 a\n", "!is not there"}) {
        EXPECT_EQ(said(env, wrong), "none") << wrong;
        EXPECT_NE(found(env, wrong)->flux_is_silent, "") << wrong;
        EXPECT_FALSE(found(env, wrong, Choice::flux)) << wrong;
    }
    EXPECT_EQ(found(env, "!did not answer within 5 s")->flux_is_silent,
              "flux resource did not answer within 5 s");
    expect_told({"Flux", "FLUX_URI"}, said({}, "", Choice::flux));
    // It runs in a job of another scheduler, and not the other way round.
    EXPECT_EQ(said({env[0], "LSB_HOSTS=here"}, "1 1 here\n"), "Flux by flux resource: here");
    EXPECT_EQ(said({env[0], "LSB_HOSTS=here"}, "!ended with exit code 1"),
              "LSF by LSB_HOSTS: here");
    EXPECT_TRUE(any_allocation(env));
    EXPECT_FALSE(any_allocation({"PATH=/bin"}));
    EXPECT_EQ(one_of_several({"FLUX_JOB_SIZE=4"}), "one of 4 tasks of flux run");
}

/// As Slurm 22.05.8 (Debian 12) set them in jobs on test hosts of four CPUs, with those settings
/// that tests/e2e/test_slurm.py gives it.
TEST(Allocation, OfSlurmAsRecorded) {
    const std::string by = "Slurm by SLURM_JOB_NODELIST, slots by ";
    expect_samples({
        {"salloc -N3 -n5",
         {"SLURM_JOB_CPUS_PER_NODE=3,1(x2)", "SLURM_JOB_ID=1", "SLURM_JOB_NODELIST=nodeb[001-003]",
          "SLURM_NODELIST=nodeb[001-003]", "SLURM_NPROCS=5", "SLURM_NTASKS=5",
          "SLURM_TASKS_PER_NODE=3,1(x2)"},
         by + "SLURM_TASKS_PER_NODE: nodeb001:3,nodeb[002-003]"},
        {"sbatch -N3 -n11",
         {"SLURM_JOB_CPUS_PER_NODE=4(x2),3", "SLURM_JOB_ID=12", "SLURM_JOB_NODELIST=nodeb[001-003]",
          "SLURM_NODELIST=nodeb[001-003]", "SLURM_NPROCS=11", "SLURM_NTASKS=11",
          "SLURM_TASKS_PER_NODE=4(x2),3"},
         by + "SLURM_TASKS_PER_NODE: nodeb[001-002]:4,nodeb003:3"},
        {"salloc -N3 --exclusive",
         {"SLURM_JOB_CPUS_PER_NODE=4(x3)", "SLURM_JOB_ID=3", "SLURM_JOB_NODELIST=nodeb[001-003]",
          "SLURM_NODELIST=nodeb[001-003]", "SLURM_TASKS_PER_NODE=4(x3)"},
         by + "SLURM_JOB_CPUS_PER_NODE: nodeb[001-003]:4"},
        {"sbatch -N2 --ntasks-per-node=4",
         {"SLURM_JOB_CPUS_PER_NODE=4(x2)", "SLURM_JOB_ID=13", "SLURM_JOB_NODELIST=nodeb[001-002]",
          "SLURM_NODELIST=nodeb[001-002]", "SLURM_NPROCS=8", "SLURM_NTASKS=8",
          "SLURM_NTASKS_PER_NODE=4", "SLURM_TASKS_PER_NODE=4(x2)"},
         by + "SLURM_TASKS_PER_NODE: nodeb[001-002]:4"},
        {"salloc -N2 -c 2",
         {"SLURM_CPUS_PER_TASK=2", "SLURM_JOB_CPUS_PER_NODE=2(x2)", "SLURM_JOB_ID=5",
          "SLURM_JOB_NODELIST=nodeb[001-002]", "SLURM_NODELIST=nodeb[001-002]",
          "SLURM_TASKS_PER_NODE=1(x2)"},
         by + "SLURM_JOB_CPUS_PER_NODE by SLURM_CPUS_PER_TASK: nodeb[001-002]"},
        {"srun -n1 -N1 --pty sh, in salloc -N3",
         {"SLURM_JOB_CPUS_PER_NODE=1(x3)", "SLURM_JOB_CPUS_PER_NODE_PACK_GROUP_0=1(x3)",
          "SLURM_JOB_ID=10", "SLURM_JOB_NODELIST=nodeb[001-003]", "SLURM_NODELIST=nodeb[001-003]",
          "SLURM_NPROCS=1", "SLURM_NTASKS=1", "SLURM_STEPID=0", "SLURM_STEP_ID=0",
          "SLURM_STEP_LAUNCHER_PORT=42629", "SLURM_STEP_NODELIST=nodeb001",
          "SLURM_STEP_NUM_NODES=1", "SLURM_STEP_NUM_TASKS=1", "SLURM_STEP_TASKS_PER_NODE=1",
          "SLURM_TASKS_PER_NODE=1"},
         by + "SLURM_JOB_CPUS_PER_NODE: nodeb[001-003]"},
        {"salloc -n1 : -N2, which sets no list of all hosts",
         {"SLURM_HET_SIZE=2", "SLURM_JOB_CPUS_PER_NODE_HET_GROUP_0=1",
          "SLURM_JOB_CPUS_PER_NODE_HET_GROUP_1=1(x2)", "SLURM_JOB_ID=8",
          "SLURM_JOB_NODELIST_HET_GROUP_0=nodeb001",
          "SLURM_JOB_NODELIST_HET_GROUP_1=nodeb[002-003]", "SLURM_NODELIST_HET_GROUP_0=nodeb001",
          "SLURM_NODELIST_HET_GROUP_1=nodeb[002-003]", "SLURM_NPROCS_HET_GROUP_0=1",
          "SLURM_NTASKS_HET_GROUP_0=1", "SLURM_TASKS_PER_NODE_HET_GROUP_0=1",
          "SLURM_TASKS_PER_NODE_HET_GROUP_1=1(x2)"},
         "Slurm by SLURM_JOB_NODELIST_HET_GROUP_0, slots by SLURM_TASKS_PER_NODE_HET_GROUP_0, "
         "likewise for all 2 components of the job: nodeb[001-003]"},
    });
}

/// Made up after salloc(1), sbatch(1) and srun(1) of Slurm 22.05, "OUTPUT ENVIRONMENT VARIABLES".
TEST(Allocation, OfSlurm) {
    const std::string by = "Slurm by SLURM_JOB_NODELIST, ";
    expect_samples({
        {"sbatch -n 11",
         {"SLURM_JOB_ID=4711", "SLURM_JOB_NODELIST=tux[1-3]", "SLURM_NODELIST=tux[1-3]",
          "SLURM_NTASKS=11", "SLURM_NPROCS=11", "SLURM_TASKS_PER_NODE=4(x2),3",
          "SLURM_JOB_CPUS_PER_NODE=8(x3)"},
         by + "slots by SLURM_TASKS_PER_NODE: tux[1-2]:4,tux3:3"},
        {"salloc -N 3 --exclusive",
         {"SLURM_JOB_CPUS_PER_NODE=8(x3)", "SLURM_JOB_NODELIST=s13n[09-11]",
          "SLURM_NODELIST=s13n[09-11]", "SLURM_TASKS_PER_NODE=8(x3)"},
         by + "slots by SLURM_JOB_CPUS_PER_NODE: s13n[09-11]:8"},
        {"sbatch -N 2 --ntasks-per-node=4",
         {"SLURM_JOB_NODELIST=c1-[07,12]", "SLURM_NTASKS_PER_NODE=4", "SLURM_TASKS_PER_NODE=4(x2)",
          "SLURM_JOB_CPUS_PER_NODE=36,40"},
         by + "slots by SLURM_TASKS_PER_NODE: c1-[07,12]:4"},
        {"the same without its tasks per node",
         {"SLURM_JOB_NODELIST=a,b", "SLURM_NTASKS_PER_NODE=4", "SLURM_JOB_CPUS_PER_NODE=36(x2)"},
         by + "slots by SLURM_NTASKS_PER_NODE: a:4,b:4"},
        {"sbatch -N 2 -c 8: tasks of several CPUs",
         {"SLURM_JOB_NODELIST=n[1-2]", "SLURM_CPUS_PER_TASK=8", "SLURM_JOB_CPUS_PER_NODE=32,4",
          "SLURM_TASKS_PER_NODE=1(x2)"},
         by + "slots by SLURM_JOB_CPUS_PER_NODE by SLURM_CPUS_PER_TASK: n1:4,n2"},
        {"in the shell of srun --pty",
         {"SLURM_JOB_NODELIST=n[1-4]", "SLURM_NTASKS=1", "SLURM_TASKS_PER_NODE=1",
          "SLURM_STEP_ID=0", "SLURM_STEP_NUM_TASKS=1", "SLURM_STEP_NODELIST=n1",
          "SLURM_JOB_CPUS_PER_NODE=16(x4)"},
         by + "slots by SLURM_JOB_CPUS_PER_NODE: n[1-4]:16"},
        {"in the shell of salloc -n 6, a step that keeps what the job has",
         {"SLURM_JOB_NODELIST=n[1-2]", "SLURM_NTASKS=6", "SLURM_TASKS_PER_NODE=3(x2)",
          "SLURM_STEP_NUM_TASKS=1", "SLURM_JOB_CPUS_PER_NODE=16(x2)"},
         by + "slots by SLURM_TASKS_PER_NODE: n[1-2]:3"},
        {"no counts", {"SLURM_JOB_NODELIST=n1"}, by + "one slot a host: n1"},
        {"the older name",
         {"SLURM_NODELIST=n[1-2]", "SLURM_TASKS_PER_NODE=2(x2)"},
         "Slurm by SLURM_NODELIST, slots by SLURM_TASKS_PER_NODE: n[1-2]:2"},
        {"several dimensions, as Slurm counts through them",
         {"SLURM_JOB_NODELIST=rack[1-2]node[01-03,7],login3",
          "SLURM_JOB_CPUS_PER_NODE=2(x7),4(x2)"},
         by + "slots by SLURM_JOB_CPUS_PER_NODE: rack1node[01-03,7]:2,rack2node[01-03]:2,"
              "rack2node7:4,login3:4"},
        {"a host without a task",
         {"SLURM_JOB_NODELIST=n[1-3]", "SLURM_NTASKS=4", "SLURM_TASKS_PER_NODE=2,0,2"},
         by + "slots by SLURM_TASKS_PER_NODE: n[1,3]:2"},
        {"a heterogeneous job",
         {"SLURM_HET_SIZE=2", "SLURM_JOB_NODELIST=big1", "SLURM_JOB_NODELIST_HET_GROUP_0=big1",
          "SLURM_JOB_CPUS_PER_NODE_HET_GROUP_0=64", "SLURM_JOB_NODELIST_HET_GROUP_1=n[1-2]",
          "SLURM_JOB_CPUS_PER_NODE_HET_GROUP_1=4(x2)"},
         "Slurm by SLURM_JOB_NODELIST_HET_GROUP_0, slots by SLURM_JOB_CPUS_PER_NODE_HET_GROUP_0, "
         "likewise for all 2 components of the job: big1:64,n[1-2]:4"},
        {"set and empty", {"SLURM_JOB_NODELIST="}, "none"},
        {"a job's number alone", {"SLURM_JOB_ID=1"}, "none"},
    });
}

TEST(Allocation, OfSlurmThatIsWrong) {
    const std::vector<SampleRow> rows{
        {"a list", {"SLURM_JOB_NODELIST=n[1-"}, "SLURM_JOB_NODELIST: "},
        {"counts",
         {"SLURM_JOB_NODELIST=n[1-2]", "SLURM_NTASKS=8", "SLURM_TASKS_PER_NODE=4(x2"},
         "SLURM_TASKS_PER_NODE: "},
        {"counts for other hosts",
         {"SLURM_JOB_NODELIST=n[1-2]", "SLURM_JOB_CPUS_PER_NODE=4(x3)"},
         "SLURM_JOB_CPUS_PER_NODE: "},
        {"CPUs of a task",
         {"SLURM_JOB_NODELIST=n1", "SLURM_JOB_CPUS_PER_NODE=4", "SLURM_CPUS_PER_TASK=x"},
         "SLURM_CPUS_PER_TASK: "},
        {"tasks on each",
         {"SLURM_JOB_NODELIST=n1", "SLURM_NTASKS_PER_NODE=0"},
         "SLURM_NTASKS_PER_NODE: "},
        {"no slot at all",
         {"SLURM_JOB_NODELIST=n1", "SLURM_JOB_CPUS_PER_NODE=0"},
         "SLURM_JOB_CPUS_PER_NODE: "},
        {"a part that is not there",
         {"SLURM_HET_SIZE=2", "SLURM_JOB_NODELIST=a", "SLURM_JOB_NODELIST_HET_GROUP_0=a"},
         "SLURM_JOB_NODELIST_HET_GROUP_1: "},
    };
    for (const auto& row : rows)
        expect_refused(row);
}

TEST(Allocation, CountsOfSlurm) {
    struct {
        const char* text;
        std::vector<uint32_t> counts;  ///< empty: it is refused
    } rows[] = {
        {"4", {4}},           {"4(x2),3", {4, 4, 3}},
        {"0,1(x1)", {0, 1}},  {"", {}},
        {"4,", {}},           {"4(x0)", {}},
        {"4(x2))", {}},       {"4(2)", {}},
        {"4x2", {}},          {"-1", {}},
        {"4(x99999999)", {}}, {"4(x3000000),4(x3000000)", {}},
    };
    for (const auto& row : rows) {
        std::vector<uint32_t> counts;
        const auto objection = read_slurm_counts(row.text, counts);
        EXPECT_EQ(objection.empty(), !row.counts.empty()) << row.text << objection;
        if (!objection.empty()) continue;
        EXPECT_EQ(counts, row.counts) << row.text;
    }
}

/// Nothing of this was recorded, but for OAR (below). PBS: pbs_resources(7B) and the user's guides
/// of PBS Professional and Torque. LSF: IBM's configuration reference 10.1, "Environment variables
/// set for job execution". Cobalt: job scripts of its users at ALCF.
TEST(Allocation, OfALineForEachSlot) {
    const std::string file = "node07\nnode07\nnode12.example.org\nnode07\n\n";
    const auto by = [](const std::string& name) { return name + ": node07:3,node12.example.org"; };
    const std::string at = std::string("=") + the_file;
    expect_samples({{"Torque, PBS Pro", {"PBS_NODEFILE" + at}, by("PBS by PBS_NODEFILE")},
                    {"LSF", {"LSB_DJOB_HOSTFILE" + at}, by("LSF by LSB_DJOB_HOSTFILE")},
                    {"LSF says it several times",
                     {"LSB_MCPU_HOSTS=a 1", "LSB_DJOB_HOSTFILE" + at, "LSB_HOSTS=b"},
                     by("LSF by LSB_DJOB_HOSTFILE")},
                    {"OAR", {"OAR_NODEFILE" + at}, by("OAR by OAR_NODEFILE")},
                    {"OAR", {"OAR_NODE_FILE" + at}, by("OAR by OAR_NODE_FILE")},
                    {"OAR", {"OAR_FILE_NODES" + at}, by("OAR by OAR_FILE_NODES")},
                    {"Cobalt", {"COBALT_NODEFILE" + at}, by("Cobalt by COBALT_NODEFILE")}},
                   file);
    // PBS Pro's select=2:ncpus=4 is one process a host, with threads.
    EXPECT_EQ(said({"PBS_NODEFILE" + at, "NCPUS=4", "OMP_NUM_THREADS=4"}, "vn1\r\nvn2\r\n"),
              "PBS by PBS_NODEFILE: vn[1-2]");
}

/// Nothing of this was recorded: as above.
TEST(Allocation, OfCountsOfLsf) {
    expect_samples({
        {"LSF", {"LSB_MCPU_HOSTS=hostA 4 hostB 2 "}, "LSF by LSB_MCPU_HOSTS: hostA:4,hostB:2"},
        {"LSF, a word for each slot",
         {"LSB_HOSTS=hostA hostA hostB"},
         "LSF by LSB_HOSTS: hostA:2,hostB"},
    });
}

/// Recorded in jobs of Grid Engine 8.1.9 (Debian 12), but for the last: a line for each instance of
/// a queue, and what was granted of processors, `-binding pe` or else the queue's own, or neither.
TEST(Allocation, OfGridEngine) {
    const Words grid{"ENVIRONMENT=BATCH", "JOB_ID=3",    "NHOSTS=3",
                     "NQUEUES=4",         "NSLOTS=13",   "PE=fill",
                     "QUEUE=all.q",       "SGE_ROOT=/x", "PE_HOSTFILE=" + std::string(the_file)};
    const struct {
        const char* row;
        const char* file;
        const char* said;
    } rows[] = {
        {"qsub -pe smp 3", "node002 3 all.q@node002 UNDEFINED\n", "node002:3"},
        {"-pe fill 13, in two queues",
         "node003.example.org 3 all.q@node003.example.org UNDEFINED\n"
         "node002 4 all.q@node002 UNDEFINED\n"
         "node002 2 long.q@node002 0-1\n"
         "node001 4 all.q@node001 UNDEFINED\n",
         "node003.example.org:3,node002:6,node001:4"},
        {"-pe round 9: a host once more after another",
         "node002 4 all.q@node002 UNDEFINED\n"
         "node001 4 all.q@node001 UNDEFINED\n"
         "node002 1 long.q@node002 0-1\n",
         "node002:5,node001:4"},
        {"-pe fill 13 -binding pe linear:2",
         "node002 2 long.q@node002 0,0:0,1\n"
         "node002 4 all.q@node002 0,0:0,1\n"
         "node001 4 all.q@node001 0,0:0,1\n"
         "node001 2 long.q@node001 0,0:0,1\n"
         "node003.example.org 1 all.q@node003.example.org 0,0:0,1\n",
         "node[002,001]:6,node003.example.org"},
        {"a queue with processors 0-1,3", "node001 2 long.q@node001 0-1,3\n", "node001:2"},
        {"as sge_pe(5) has it, not recorded",
         "node-b 2 all.q@node-b <NULL>\nnode-c 0 all.q@node-c UNDEFINED\n", "node-b:2"},
    };
    for (const auto& row : rows)
        EXPECT_EQ(said(grid, row.file), std::string("Grid Engine by PE_HOSTFILE: ") + row.said)
            << row.row;
    // Without -pe there is no file: a job of one slot, on the host where it is.
    EXPECT_EQ(said({"ENVIRONMENT=BATCH", "JOB_ID=7", "SGE_ROOT=/x", "NHOSTS=1", "NSLOTS=1"}),
              "none");
}

/// Recorded in jobs of OAR 2.5.9 (Debian 12): a line for each resource; all four variables name one
/// file.
TEST(Allocation, OfOar) {
    const std::string at = std::string("=") + the_file;
    const Words oar{"OAR_ARRAY_ID=8",     "OAR_JOB_ID=8",        "OAR_NODEFILE" + at,
                    "OAR_NODE_FILE" + at, "OAR_FILE_NODES" + at, "OAR_RESOURCE_FILE" + at};
    EXPECT_EQ(said(oar, "node001\nnode001\nnode002\n"),  // -l {node002}/core=1+{node001}/core=2
              "OAR by OAR_NODEFILE: node001:2,node002");
    EXPECT_EQ(said(oar, "node001\nnode001\nnode001\nnode001\nnode002\n"),  // -l /core=5
              "OAR by OAR_NODEFILE: node001:4,node002");
    EXPECT_EQ(said(oar, "node003.example.org\nnode003.example.org\n"),  // -l core=2
              "OAR by OAR_NODEFILE: node003.example.org:2");
}

TEST(Allocation, OfFilesThatAreWrong) {
    const std::string at = std::string("=") + the_file;
    struct {
        const char* row;
        Words env;
        std::string file;
        std::string variable;
    } rows[] = {
        {"not there", {"PBS_NODEFILE=/gone"}, "", "PBS_NODEFILE: "},
        {"its name is shown as it is", {"PBS_NODEFILE=/go\x1bne"}, "", "PBS_NODEFILE: "},
        {"empty", {"PBS_NODEFILE" + at}, "\n \n", "PBS_NODEFILE: "},
        {"no name", {"OAR_NODEFILE" + at}, "a\n\nb;\n-c\n", "OAR_NODEFILE: "},
        {"no count", {"PE_HOSTFILE" + at}, "a 4 q UNDEFINED\nb\n", "PE_HOSTFILE: "},
        {"a count that is none", {"PE_HOSTFILE" + at}, "a many q\n", "PE_HOSTFILE: "},
        {"no slot", {"PE_HOSTFILE" + at}, "a 0 q\n", "PE_HOSTFILE: "},
        {"half a pair", {"LSB_MCPU_HOSTS=a 4 b"}, "", "LSB_MCPU_HOSTS: "},
        {"blank", {"LSB_HOSTS= "}, "", "LSB_HOSTS: "},
    };
    for (const auto& row : rows)
        expect_refused({row.row, row.env, row.variable}, row.file);
}

TEST(Allocation, OfSeveralIsTheInnermost) {
    const std::string slurm_there = "SLURM_JOB_NODELIST=n1";
    const std::string slurm_here = "SLURM_JOB_NODELIST=here";
    const std::string pbs = "PBS_NODEFILE=" + std::string(the_file);
    struct {
        const char* row;
        Words env;
        std::string file;
        std::string said;
        std::vector<Choice> others;
    } rows[] = {
        {"where this machine is",
         {slurm_there, pbs},
         "here\n",
         "PBS by PBS_NODEFILE: here",
         {Choice::slurm}},
        {"it is in both",
         {pbs, slurm_here},
         "here\n",
         "Slurm by SLURM_JOB_NODELIST, one slot a host: here",
         {Choice::pbs}},
        {"it is in none",
         {pbs, slurm_there},
         "n2\n",
         "Slurm by SLURM_JOB_NODELIST, one slot a host: n1",
         {Choice::pbs}},
        {"what is left of another",
         {"PBS_NODEFILE=/gone", slurm_there},
         "",
         "Slurm by SLURM_JOB_NODELIST, one slot a host: n1",
         {Choice::pbs}},
        {"what is left of the first",
         {"SLURM_JOB_NODELIST=n[1", pbs},
         "n2\n",
         "PBS by PBS_NODEFILE: n2",
         {Choice::slurm}},
        {"both are wrong",
         {"PBS_NODEFILE=/gone", "SLURM_JOB_NODELIST=n[1"},
         "",
         "SLURM_JOB_NODELIST: \"n[1\": a bracket is not closed",
         {}},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(said(row.env, row.file), row.said) << row.row;
        const auto allocation = found(row.env, row.file);
        if (!allocation) continue;
        EXPECT_EQ(allocation->others, row.others) << row.row;
    }
}

TEST(Allocation, IsDemandedOrRefused) {
    const Words both{"SLURM_JOB_NODELIST=here", "PBS_NODEFILE=" + std::string(the_file)};
    EXPECT_EQ(said(both, "n2\n", Choice::pbs), "PBS by PBS_NODEFILE: n2");
    EXPECT_EQ(said(both, "n2\n", Choice::none), "none");
    const auto lsf = said(both, "n2\n", Choice::lsf);
    for (const char* name : {"LSB_DJOB_HOSTFILE", "LSB_MCPU_HOSTS", "LSB_HOSTS"})
        EXPECT_NE(lsf.find(name), std::string::npos) << lsf;
    expect_golden("no job of LSF", lsf);
    EXPECT_EQ(said({}), "none");
}

TEST(Allocation, OneOfSeveral) {
    EXPECT_EQ(one_of_several({"SLURM_STEP_NUM_TASKS=16"}), "one of 16 tasks of srun");
    EXPECT_EQ(one_of_several({"SLURM_STEP_NUM_TASKS=1", "PMI_SIZE=1"}), "");
    EXPECT_EQ(one_of_several({"OMPI_COMM_WORLD_SIZE=2"}), "one of 2 ranks of mpirun");
    EXPECT_EQ(one_of_several({"PMI_SIZE=2"}), "one of 2 ranks of another launcher");
    EXPECT_EQ(one_of_several({"LAUNCH_RANK=0", "LAUNCH_SIZE=1"}), "a rank of another launch");
}

}  // namespace
}  // namespace launch
