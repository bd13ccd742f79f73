// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "cmd/request/allocation.hpp"

namespace launch {
namespace {

TEST(OtherWay, IsToldWhereSshFailsInASchedulersJob) {
    struct {
        std::string transport;
        std::string allocation;
        std::string operation;
        std::string text;
    } const rows[] = {
        {"ssh", "PBS, by PBS_NODEFILE", "authenticate",
         "a job of PBS also starts its hosts without ssh: --transport pbsdsh (see launch help "
         "ssh)"},
        {"openssh", "Slurm, by SLURM_JOB_NODELIST", "connect",
         "a job of Slurm also starts its hosts without ssh: --transport srun (see launch help "
         "ssh)"},
        {"ssh", "Flux, by flux resource list", "verify the host key",
         "a job of Flux also starts its hosts without ssh: --transport flux (see launch help ssh)"},
        {"ssh", "LSF, by LSB_MCPU_HOSTS", "connect", ""},
        {"ssh", "", "connect", ""},
        {"ssh", "none: hosts are named", "connect", ""},
        {"pbsdsh", "PBS, by PBS_NODEFILE", "connect", ""},
        {"ssh", "PBS, by PBS_NODEFILE", "run", ""},
    };
    for (const auto& row : rows) {
        const Reach reach{row.transport, row.allocation};
        Error error;
        error.kind = ErrorKind::unreachable;
        error.operation = row.operation;
        EXPECT_EQ(other_way(reach, error), row.text) << row.allocation;
        error.kind = ErrorKind::internal;
        EXPECT_EQ(other_way(reach, error), "");
    }
}

}  // namespace
}  // namespace launch
