// SPDX-License-Identifier: MIT
#include "modex/detect/pmi_needs.hpp"

#include <gtest/gtest.h>

#include "tests/unit/modex/detect/fake_files.hpp"

namespace launch {
namespace {

using Words = std::vector<std::string>;

const std::string mpich = ElfImage{.needed = {"libc.so.6", "libmpich.so.12"}}.bytes();
const std::string openmpi = ElfImage{.needed = {"libmpi.so.40", "libc.so.6"}}.bytes();
const std::string plain = ElfImage{.needed = {"libc.so.6"}}.bytes();

/// A host with programs of every kind.
FakeFiles host() {
    FakeFiles files;
    for (const char* name : {"true", "env", "nice", "timeout", "gdb", "valgrind", "sh", "bash",
                             "xterm", "strace", "perf", "numactl", "mpirun", "python3.11"})
        files.add(std::string("/usr/bin/") + name, plain);
    files.link("/bin/sh", "/usr/bin/sh");
    files.link("/usr/bin/python3", "/usr/bin/python3.11");
    files.add("/usr/bin/in-path", mpich);
    files.add("/app/mpich", mpich);
    files.add("/app/openmpi", openmpi);
    files.add("/app/plain", plain);
    files.add("/app/data", "0123", false);
    return files;
}

const Words env{"PATH=/usr/local/bin:/usr/bin", "HOME=/home/u"};

/// "pmi libmpich.so.12 /app/a": what was found, and where.
std::string needs(const Words& argv, FakeFiles& files, const Words& with = env) {
    const auto found = needs_of(argv, with, "/app", files);
    std::string text;
    if (found.pmi) text += "pmi ";
    if (found.pmix) text += "pmix ";
    if (found.imported) text += "import ";
    return text + found.library + " " + found.program;
}

TEST(PmiNeeds, OfProgramsAndWrappers) {
    const std::string none = "pmi  ";
    const std::string of_mpich = "pmi libmpich.so.12 /app/mpich";
    const std::string of_openmpi = "pmix libmpi.so.40 /app/openmpi";
    struct {
        Words argv;
        std::string needs;
    } rows[] = {
        {{"./mpich"}, of_mpich},
        {{"./openmpi", "-n", "4"}, of_openmpi},
        {{"/app/openmpi"}, "pmix libmpi.so.40 /app/openmpi"},
        {{"in-path"}, "pmi libmpich.so.12 /usr/bin/in-path"},
        {{"./plain"}, none},
        {{"true"}, none},
        {{"no-such-program"}, none},
        {{"./data"}, none},
        {{""}, none},
        {{}, none},
        {{"nice", "-5", "./openmpi"}, of_openmpi},
        {{"env", "-u", "X", "A=b", "./openmpi"}, of_openmpi},
        {{"env", "PATH=/app", "openmpi"}, "pmix libmpi.so.40 /app/openmpi"},
        {{"timeout", "10", "./openmpi"}, of_openmpi},
        {{"gdb", "-batch", "--args", "./openmpi", "x"}, of_openmpi},
        {{"valgrind", "--tool=memcheck", "./openmpi"}, of_openmpi},
        {{"numactl", "-m", "0", "strace", "-o", "log", "./openmpi"}, of_openmpi},
        {{"perf", "stat", "-e", "cycles", "./openmpi"}, of_openmpi},
        {{"xterm", "-e", "gdb", "./openmpi"}, of_openmpi},
        {{"sh", "-c", "./openmpi"}, of_openmpi},
        {{"sh", "-c", "cd sub; exec nice -5 ../openmpi >log"},
         "pmix libmpi.so.40 /app/sub/../openmpi"},
        {{"sh", "-c", "A=./openmpi; $A \"$@\""}, of_openmpi},
        {{"sh", "-c", "# ./openmpi\ntrue"}, none},
        {{"nice", "sh", "-c", "bash -c './openmpi x'"}, of_openmpi},
        {{"sh", "-c", "./mpich; ./openmpi"}, "pmi pmix libmpich.so.12 /app/mpich"},
        // The arguments of an MPI program are its own, and those of a launcher too.
        {{"./mpich", "./openmpi"}, of_mpich},
        {{"mpirun", "-n", "2", "./openmpi"}, none},
        {{"sh", "-c", "mpirun -n 2 ./openmpi; ./mpich"}, of_mpich},
    };
    auto files = host();
    for (const auto& row : rows) {
        std::string words;
        for (const auto& word : row.argv)
            words += word + " ";
        EXPECT_EQ(needs(row.argv, files), row.needs) << words;
    }
}

TEST(PmiNeeds, OfScripts) {
    auto files = host();
    files.add("/app/run", "#!/bin/sh\nexec ./openmpi \"$@\"\n");
    files.add("/app/run-env", "#!/usr/bin/env -S bash -e\n./openmpi\n");
    files.add("/app/no-shebang", "./openmpi\n");
    files.add("/app/not-executable", "./openmpi\n", false);
    files.add("/app/wrapper", "#!/bin/bash\n\"$@\"\n");
    files.add("/app/perl", "#!/usr/bin/perl\n./openmpi\n");
    files.add("/app/endless", "#!/bin/sh\n./endless\n");
    files.add("/app/binary", std::string("#!/bin/sh\n./openmpi\n\0", 21));
    const std::string found = "pmix libmpi.so.40 /app/openmpi";
    EXPECT_EQ(needs({"./run", "4"}, files), found);
    EXPECT_EQ(needs({"./run-env"}, files), found);
    EXPECT_EQ(needs({"./no-shebang"}, files), found);
    EXPECT_EQ(needs({"sh", "-e", "not-executable"}, files), found);
    EXPECT_EQ(needs({"./not-executable"}, files), "pmi  ");
    EXPECT_EQ(needs({"./wrapper", "./openmpi"}, files), found);
    EXPECT_EQ(needs({"./perl"}, files), "pmi  ");
    EXPECT_EQ(needs({"./endless"}, files), "pmi  ");
    EXPECT_EQ(needs({"./binary"}, files), "pmi  ");
}

TEST(PmiNeeds, OfLibrariesOfLibraries) {
    auto files = host();
    const auto library = [](Words needed) { return ElfImage{.needed = std::move(needed)}.bytes(); };
    files.add("/etc/ld.so.cache", ld_cache_image({{"libhdf5.so", "/usr/lib32/libhdf5.so"},
                                                  {"libhdf5.so", "/usr/lib/x/libhdf5.so"},
                                                  {"libmpi.so.12", "/usr/lib/x/libmpi.so.12"}}));
    files.add("/usr/lib32/libhdf5.so",
              ElfImage{.needed = {"libmpich.so.12"}, .is_64 = false, .machine = 3}.bytes());
    files.add("/usr/lib/x/libhdf5.so", library({"libmpi.so.40"}));
    files.add("/usr/lib/x/libmpi.so.12", library({"libpmix.so.2"}));
    files.add("/app/hdf5", library({"libhdf5.so"}));
    files.add("/app/on-pmix", library({"libmpi.so.12"}));
    files.add("/app/lib/liba.so", library({"libb.so", "libself.so"}));
    files.add("/app/lib/libb.so", library({"libmpich.so.12"}));
    files.add("/app/lib/libself.so", library({"libself.so", "liba.so"}));
    files.add("/app/runpath",
              ElfImage{.needed = {"liba.so"}, .runpath = "/none:$ORIGIN/lib"}.bytes());
    files.add("/app/rpath", ElfImage{.needed = {"libb.so"}, .rpath = "${ORIGIN}/lib"}.bytes());
    files.add("/app/bare", library({"libb.so"}));
    files.add("/app/path", library({"/app/lib/libb.so"}));

    EXPECT_EQ(needs({"./hdf5"}, files), "pmix libmpi.so.40 /app/hdf5");
    EXPECT_EQ(needs({"./on-pmix"}, files), "pmix libmpi.so.12 /app/on-pmix");
    EXPECT_EQ(needs({"./rpath"}, files), "pmi libmpich.so.12 /app/rpath");
    EXPECT_EQ(needs({"./path"}, files), "pmi libmpich.so.12 /app/path");
    EXPECT_EQ(needs({"./bare"}, files), "pmi  ");
    auto with = env;
    with.emplace_back("LD_LIBRARY_PATH=/nowhere:/app/lib");
    EXPECT_EQ(needs({"./bare"}, files, with), "pmi libmpich.so.12 /app/bare");
    EXPECT_EQ(needs({"env", "LD_LIBRARY_PATH=/app/lib", "./bare"}, files),
              "pmi libmpich.so.12 /app/bare");
    // A library finds its own libraries by its own paths.
    EXPECT_EQ(needs({"./runpath"}, files), "pmi  ");
    EXPECT_EQ(needs({"./runpath"}, files, with), "pmi libmpich.so.12 /app/runpath");
    auto preloaded = env;
    preloaded.emplace_back("LD_PRELOAD=libx.so /opt/lib/libmpi.so.40");
    EXPECT_EQ(needs({"./plain"}, files, preloaded), "pmix libmpi.so.40 /app/plain");
}

/// The standard's libmpi_abi.so is built by each family, and a libmpi.so may have any number.
TEST(PmiNeeds, OfLibrariesWhoseNamesDoNotTell) {
    auto files = host();
    const auto add = [&](const std::string& folder, const std::string& name, Words needed,
                         Words symbols) {
        files.add(folder + "/" + name,
                  ElfImage{.needed = std::move(needed), .symbols = std::move(symbols)}.bytes());
        files.add(folder + "/app", ElfImage{.needed = {name}, .runpath = folder}.bytes());
    };
    const Words of_mpich{"MPI_Init", "MPII_Comm_get_attr"};
    const Words of_openmpi{"MPI_Init", "ompi_mpi_comm_world"};
    add("/m", "libmpi_abi.so.1", {"libc.so.6"}, of_mpich);
    add("/x", "libmpi_abi.so.1", {"libpmix.so.2"}, of_mpich);
    add("/o", "libmpi_abi.so.1", {"libopen_mpi.so.0", "libpmix.so.2"}, of_openmpi);
    add("/s", "libmpi_abi.so.1", {"libc.so.6"}, {"MPI_Init"});
    add("/n", "libmpi.so.40", {"libc.so.6"}, of_mpich);
    add("/p", "libmpi.so.0", {"libc.so.6"}, of_openmpi);
    EXPECT_EQ(needs({"/m/app"}, files), "pmi libmpi_abi.so.1 /m/app");
    EXPECT_EQ(needs({"/x/app"}, files), "pmix libmpi_abi.so.1 /x/app");
    EXPECT_EQ(needs({"/o/app"}, files), "pmix libmpi_abi.so.1 /o/app");
    EXPECT_EQ(needs({"/s/app"}, files), "pmi pmix libmpi_abi.so.1 /s/app") << "a stand-in";
    EXPECT_EQ(needs({"/n/app"}, files), "pmi libmpi.so.40 /n/app");
    EXPECT_EQ(needs({"/p/app"}, files), "pmix libmpi.so.0 /p/app");
    files.add("/app/lost", ElfImage{.needed = {"libmpi_abi.so.1"}}.bytes());
    EXPECT_EQ(needs({"./lost"}, files), "pmi pmix libmpi_abi.so.1 /app/lost");
}

TEST(PmiNeeds, FindTheLibpmixOfTheRanks) {
    auto files = host();
    const std::string pmix = ElfImage{.needed = {"libc.so.6"}}.bytes();
    files.add("/opt/ompi/lib/libmpi.so.40",
              ElfImage{.needed = {"libpmix.so.2"}, .runpath = "$ORIGIN"}.bytes());
    files.add("/opt/ompi/lib/libpmix.so.2", pmix);
    files.add("/usr/lib/libpmix.so.2", pmix);
    files.add("/app/own", ElfImage{.needed = {"libmpi.so.40"}, .rpath = "/opt/ompi/lib"}.bytes());
    files.add("/app/client", ElfImage{.needed = {"libpmix.so.2"}}.bytes());
    const auto libpmix = [&](const char* program) {
        return needs_of({program}, env, "/app", files).libpmix;
    };
    EXPECT_EQ(libpmix("./own"), "/opt/ompi/lib/libpmix.so.2");
    EXPECT_EQ(libpmix("./openmpi"), "/usr/lib/libpmix.so.2") << "its libmpi is not found";
    EXPECT_EQ(libpmix("./client"), "/usr/lib/libpmix.so.2");
    files.add("/app/client",
              ElfImage{.needed = {"libpmix.so.2"}, .rpath = "/opt/ompi/lib"}.bytes());
    EXPECT_EQ(libpmix("./client"), "/opt/ompi/lib/libpmix.so.2");
    EXPECT_EQ(libpmix("./mpich"), "");
}

TEST(PmiNeeds, OfPython) {
    const std::string module = "/mpi4py/MPI.cpython-311-x86_64-linux-gnu.so";
    const std::string debian = "/usr/lib/python3/dist-packages" + module;
    auto files = host();
    EXPECT_EQ(needs({"python3", "hello.py"}, files), "pmi  ");
    files.add(debian, openmpi, false);
    EXPECT_EQ(needs({"python3", "hello.py"}, files), "pmi pmix import libmpi.so.40 " + debian);
    EXPECT_EQ(needs({"nice", "python3", "-c", "import x"}, files),
              "pmi pmix import libmpi.so.40 " + debian);
    files.add("/app/hello.py", "#!/usr/bin/env python3\nprint('./mpich')\n");
    EXPECT_EQ(needs({"./hello.py"}, files), "pmi pmix import libmpi.so.40 " + debian);

    const std::string own = "/home/u/.local/lib/python3.11/site-packages" + module;
    files.add(own, mpich, false);
    EXPECT_EQ(needs({"python3"}, files), "pmi import libmpich.so.12 " + own);

    files.add("/conda/bin/python", plain);
    const std::string conda = "/conda/lib/python3.12/site-packages/mpi4py/MPI.abi3.so";
    files.add(conda, mpich, false);
    EXPECT_EQ(needs({"/conda/bin/python", "x.py"}, files), "pmi import libmpich.so.12 " + conda);

    files.link("/venv/bin/python", "/usr/bin/python3.11");
    const std::string in_venv = "/venv/lib/python3.11/site-packages/mpi4py/";
    files.add(in_venv + "MPI.mpich.so", mpich, false);
    files.add(in_venv + "MPI.openmpi.so", openmpi, false);
    EXPECT_EQ(needs({"/venv/bin/python"}, files),
              "pmi pmix import libmpich.so.12 " + in_venv + "MPI.mpich.so");

    auto with = env;
    with.emplace_back("PYTHONPATH=/none:/pp");
    files.add("/pp/mpi4py/MPI.so", openmpi, false);
    EXPECT_EQ(needs({"python3"}, files, with), "pmi pmix import libmpi.so.40 /pp/mpi4py/MPI.so");

    // A program that is linked to a library tells more.
    const Words both{"sh", "-c", "python3 prepare.py; ./mpich"};
    EXPECT_EQ(needs(both, files, with), "pmi pmix libmpich.so.12 /app/mpich");
}

TEST(PmiNeeds, CostsLittleForAPlainProgram) {
    auto files = host();
    EXPECT_EQ(needs({"/usr/bin/true"}, files), "pmi  ");
    EXPECT_EQ(files.opened(), Words{"/usr/bin/true"});
}

TEST(PmiNeeds, IsBounded) {
    auto files = host();
    std::string text = "#!/bin/sh\n";
    for (int i = 0; i < 2000; ++i) {
        const std::string name = "prog" + std::to_string(i);
        files.add("/app/" + name, "#!/bin/sh\n./" + name + "x\n");
        text += "./" + name + "\n";
    }
    files.add("/app/many", text + "./mpich\n");
    EXPECT_EQ(needs({"./many"}, files), "pmi  ");
    EXPECT_LE(files.opened().size(), 200U);
}

}  // namespace
}  // namespace launch
