// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/job/job_spec.hpp"
#include "core/wire/spawn_messages.hpp"

namespace launch {

/// A spawn request of a rank, as a job to plan.
struct SpawnSpec {
    /// As the job of who asked, with other programs, and nothing that is read or staged.
    JobSpec spec;
    /// The hosts on which each program must run; none: any host.
    std::vector<std::vector<Host>> hosts;
    /// Hosts among these that have to be started if they do not run yet.
    std::vector<Host> added;
    /// There may be more processes than slots.
    bool may_crowd = false;
};

/// As the job, for other programs of its user, which are still to be named: nothing is read or
/// staged, and where they go does not depend on what the job said of that.
JobSpec spec_of_guest(const JobSpec& job);

/// No spawn may ask for more processes.
inline constexpr uint32_t most_spawned_ranks = 1U << 20;

/// No spawn or growth may name more hosts that are to join: a rank may not keep the head busy.
inline constexpr size_t most_added_hosts = 8192;

/// By MPI's info keys, those that are not known being ignored as MPI wants it:
///
///     host, hosts          a host list (core/hosts/hostlist.hpp)
///     hostfile             a file of hosts, on the machine of the head
///     add-host             a host list, too: those of it that do not run yet are started
///     add-hostfile         the same in a file (both also with an underscore)
///     wdir                 the folder to start in; a relative one is below the job's
///     path                 folders where programs are looked for first
///     env                  "NAME=VALUE", one a line
///     map_by, map-by       node: one on each host in turn; slot: hosts are filled; ppr:N:node;
///                          with "oversubscribe" among what follows, parted by colons or commas,
///                          more processes than slots, too
///     ppn, npernode, ppr   as many on each host (N, or N:node)
///     of variable_key      see core/head/spawn_env.hpp
///
/// Those about placement hold for the whole spawn. Errors are of kind usage. `given`: variables
/// that the program of who asks has on top of the job's, as the new ones have, too.
Result<SpawnSpec> spawn_spec(const JobSpec& asker, const SpawnOrder& order,
                             const std::vector<std::string>& given = {});

/// Where processes of a spawn were dealt to: what keep_to_slots() judges.
struct SpawnDeal {
    const Placement& placement;
    const std::vector<Host>& hosts;          ///< among which it is
    const std::vector<HostChoice>& choices;  ///< of them, of each program
    const std::vector<uint32_t>& used;       ///< slots of each that others have; empty: none
};

/// The remedy that a rank has if there are too few slots.
inline constexpr const char* crowding_hint =
    "the info key map_by=slot:oversubscribe allows more processes than slots";

/// Slots say how many processes hosts are for: an Error of kind usage where one would have more of
/// them than free slots, unless that is allowed. So many on each host need slots as well.
Status keep_to_slots(const SpawnSpec& wanted, const SpawnDeal& deal);

/// That is the host meant by `wanted`, in which a user or port that is left out may be any.
/// `own_name`: which "localhost" goes by, too; empty: it is none.
bool is_wanted(const Host& host, const Host& wanted, const std::string& own_name);

/// The places of the hosts of each program among `offered`; nothing: any. An Error of kind usage:
/// some are not there. `own_name`: as is_wanted() has it.
Result<std::vector<HostChoice>> spawn_choices(const std::vector<std::vector<Host>>& wanted,
                                              const std::vector<Host>& offered,
                                              const std::string& own_name);

}  // namespace launch
