// SPDX-License-Identifier: MIT
#include "core/head/stack_kind.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace launch {
namespace {

/// Names of C that MPI keeps for itself, with and without a profiler's layer. A capital follows.
constexpr auto mpi_prefixes = std::to_array<std::string_view>({"MPI_", "PMPI_", "MPIX_", "PMPIX_"});
constexpr auto file_prefixes =
    std::to_array<std::string_view>({"MPI_File_", "PMPI_File_", "mpi_file_", "pmpi_file_"});

/// Fortran's names may be a user's as well, so only functions that wait count.
constexpr std::string_view fortran_waits =
    " allgather allgatherv allreduce alltoall alltoallv alltoallw barrier bcast bsend comm_accept"
    " comm_connect comm_create comm_disconnect comm_dup comm_free comm_spawn comm_split exscan"
    " finalize gather gatherv init init_thread iprobe mprobe mrecv probe recv reduce"
    " reduce_scatter reduce_scatter_block rsend scan scatter scatterv send sendrecv"
    " sendrecv_replace ssend test testall testany testsome wait waitall waitany waitsome"
    " win_complete win_create win_fence win_flush win_flush_all win_free win_lock win_lock_all"
    " win_post win_start win_unlock win_unlock_all win_wait ";

/// Functions of libc in which a process waits, without the ornaments of their names.
constexpr std::string_view sleeping =
    " accept clock_nanosleep epoll_pwait epoll_wait nanosleep pause poll ppoll pselect read"
    " rt_sigsuspend select sigsuspend sigtimedwait sigwait sigwaitinfo sleep usleep wait wait3"
    " wait4 waitid waitpid ";

bool has_word(std::string_view words, std::string_view word) {
    return words.find(" " + std::string(word) + " ") != std::string_view::npos;
}

bool begins_with_any(std::string_view frame, std::span<const std::string_view> prefixes) {
    return std::any_of(prefixes.begin(), prefixes.end(),
                       [&](std::string_view prefix) { return frame.starts_with(prefix); });
}

void drop_front(std::string_view& name, std::string_view prefix) {
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
}

void drop_back(std::string_view& name, std::string_view suffix) {
    if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
}

bool is_mpi_of_c(std::string_view frame) {
    return std::any_of(mpi_prefixes.begin(), mpi_prefixes.end(), [&](std::string_view prefix) {
        if (!frame.starts_with(prefix) || frame.size() == prefix.size()) return false;
        const char next = frame[prefix.size()];
        return next >= 'A' && next <= 'Z';
    });
}

/// Such as mpi_wait_, pmpi_wait__ and mpi_wait_f08ts_.
bool is_mpi_of_fortran(std::string_view frame) {
    drop_front(frame, "p");
    if (!frame.starts_with("mpi_")) return false;
    drop_front(frame, "mpi_");
    for (const std::string_view suffix : {"_", "_", "_f08", "_f08ts"})
        drop_back(frame, suffix);
    return has_word(fortran_waits, frame);
}

}  // namespace

bool is_in_mpi(const Stack& stack) {
    const auto& frames = stack.frames;
    const auto is_mpi = [](const std::string& frame) {
        return is_mpi_of_c(frame) || is_mpi_of_fortran(frame);
    };
    const auto is_file = [](const std::string& frame) {
        return begins_with_any(frame, file_prefixes);
    };
    return std::any_of(frames.begin(), frames.end(), is_mpi) &&
           std::none_of(frames.begin(), frames.end(), is_file);
}

bool is_asleep(const Stack& stack) {
    if (stack.note.starts_with("stopped")) return true;
    if (stack.frames.empty()) return false;
    std::string_view innermost = stack.frames.back();
    for (const std::string_view prefix : {"__", "GI_", "__", "libc_"})
        drop_front(innermost, prefix);
    return has_word(sleeping, innermost);
}

}  // namespace launch
