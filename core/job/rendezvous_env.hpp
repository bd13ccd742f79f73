// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/job/rank_env.hpp"
#include "core/job/rendezvous.hpp"

namespace launch {

/// Adds what the choice promises, in the names of torchrun (PyTorch's documentation of
/// torch.distributed, "Environment variables"); what is there of these names is replaced:
///
///   MASTER_ADDR, MASTER_PORT      rank 0's host, and a port that was free there
///   RANK, WORLD_SIZE              as LAUNCH_RANK, LAUNCH_SIZE
///   LOCAL_RANK, LOCAL_WORLD_SIZE  among the ranks of this host
///   GROUP_RANK, NODE_RANK         as LAUNCH_NODE
///
/// and for torch GROUP_WORLD_SIZE, ROLE_RANK, ROLE_WORLD_SIZE, ROLE_NAME and
/// TORCHELASTIC_RUN_ID, TORCHELASTIC_RESTART_COUNT, TORCHELASTIC_MAX_RESTARTS.
void add_rendezvous(std::vector<std::string>& env, RendezvousChoice choice,
                    const RankIdentity& identity, uint16_t port);

/// Adds the network interface by which the libraries of PyTorch are to talk, where their variables
/// are not set: NCCL_SOCKET_IFNAME (NCCL's and RCCL's form for this one, and none that begins with
/// its name), GLOO_SOCKET_IFNAME and TP_SOCKET_IFNAME (TensorPipe).
void add_interface(std::vector<std::string>& env, const std::string& interface);

}  // namespace launch
