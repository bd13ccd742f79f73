// SPDX-License-Identifier: MIT
#include "modex/detect/mpi_library.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(MpiLibrary, RolesByName) {
    struct {
        const char* name;
        LibraryRole role;
    } rows[] = {
        {"libmpi.so.40", LibraryRole::mpi},
        {"/opt/ompi/lib/libmpi.so.20", LibraryRole::mpi},
        {"libmpi.so", LibraryRole::mpi},
        {"libmpi_abi.so.1", LibraryRole::mpi},
        {"libmpi_mpifh.so.40", LibraryRole::pmix},
        {"libmpi_usempif08-gfortran.so.40", LibraryRole::pmix},
        {"libmpi_ibm.so.3", LibraryRole::pmix},
        {"libpmix.so.2", LibraryRole::pmix},
        {"libmpifort.so.12", LibraryRole::pmi},
        {"libmpich.so.12", LibraryRole::pmi},
        {"libmpichfort.so.12", LibraryRole::pmi},
        {"libmpi_cray.so.12", LibraryRole::pmi},
        {"/opt/cray/pe/lib64/libmpi_intel_19.so.12", LibraryRole::pmi},
        {"libmpi_nvidia.so.12", LibraryRole::pmi},
        {"libmvapich.so.4", LibraryRole::pmi},
        {"liblaunch_modex.so.1", LibraryRole::pmi},
        {"libpmi.so.0", LibraryRole::pmi},
        {"libpmi2.so.0", LibraryRole::pmi},
        {"libopen-rte.so.40", LibraryRole::plain},
        {"libc.so.6", LibraryRole::plain},
        {"libm.so.6", LibraryRole::plain},
        {"libstdc++.so.6", LibraryRole::plain},
        {"ld-linux-x86-64.so.2", LibraryRole::plain},
        {"libhdf5_openmpi.so.103", LibraryRole::other},
        {"libmpdec.so.3", LibraryRole::other},
        {"libpetsc_real.so.3.18", LibraryRole::other},
        {"", LibraryRole::other},
        {"/", LibraryRole::other},
    };
    for (const auto& row : rows)
        EXPECT_EQ(role_of_library(row.name), row.role) << row.name;
}

TEST(MpiLibrary, KnowsCrays) {
    for (const char* name : {"libmpi_cray.so.12", "/opt/lib/libmpi_gnu_123.so.12",
                             "libmpi_amd.so.12", "libmpich_gnu_51.so.3", "libmpi_intel.so.12"})
        EXPECT_TRUE(is_of_cray(name)) << name;
    for (const char* name : {"libmpi.so.12", "libmpich.so.12", "libmpi_mpifh.so.40",
                             "libmpi_abi.so.1", "libmpi_ilp64.so.12", ""})
        EXPECT_FALSE(is_of_cray(name)) << name;
}

TEST(MpiLibrary, RolesByVersion) {
    struct {
        const char* name;
        LibraryRole role;
    } rows[] = {
        {"libmpi.so.40", LibraryRole::pmix},
        {"libmpi.so.40.30.4", LibraryRole::pmix},
        {"/opt/ompi/lib/libmpi.so.20", LibraryRole::pmix},
        {"libmpi.so.99999999999999999999", LibraryRole::pmix},
        {"libmpi.so.12", LibraryRole::pmi},
        {"libmpi.so", LibraryRole::pmi},
        {"libmpi_abi.so.1", LibraryRole::other},
    };
    for (const auto& row : rows)
        EXPECT_EQ(role_of_version(row.name), row.role) << row.name;
}

TEST(MpiLibrary, RolesBySymbols) {
    using namespace std::string_view_literals;
    struct {
        std::string_view names;
        LibraryRole role;
    } rows[] = {
        {"\0MPI_Init\0MPIR_Err_create_code\0"sv, LibraryRole::pmi},
        {"\0MPI_Init\0MPII_Comm_get_attr\0"sv, LibraryRole::pmi},
        {"\0MPI_Init\0ompi_mpi_comm_world\0MPIR_being_debugged\0"sv, LibraryRole::pmix},
        {"\0libopen_mpi.so.0\0ompi_mpi_init\0"sv, LibraryRole::pmix},
        {"\0MPI_Init\0MPIR_being_debugged\0x_ompi_y\0"sv, LibraryRole::other},
        {""sv, LibraryRole::other},
    };
    for (const auto& row : rows)
        EXPECT_EQ(role_of_symbols(row.names), row.role) << row.names;
}

}  // namespace
}  // namespace launch
