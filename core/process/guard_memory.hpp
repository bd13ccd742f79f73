// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <climits>
#include <cstdint>
#include <string>
#include <sys/types.h>

#include "core/process/removal_list.hpp"
#include "core/process/saved_terminal.hpp"

namespace launch {

/// The worker's legacy for its guard, in memory that both share. If there is a file system in
/// memory (/dev/shm), that memory is a file in it, which both keep locked: if both are killed, the
/// kernel drops the lock, and the next launch of the same user finds the file and does their
/// remaining work.
class GuardMemory {
  public:
    /// Lives as long as the process. nullptr: there is no memory for it.
    static GuardMemory* share();

    /// One folder that is to be gone at the end; empty: none.
    void set_folder(const std::string& path);
    /// More that is to be gone.
    RemovalList& to_remove() { return to_remove_; }
    /// Nobody waits for the worker any more: the process that its user sees was killed.
    std::atomic<bool> abandoned = false;
    /// The worker stops itself, and what stands for it before its user is to stop with it.
    std::atomic<bool> stopping = false;

    /// The descriptor by which the file is locked; -1: there is no file.
    int lock() const { return to_remove_.file(); }

    /// The terminal whose modes the worker has changed.
    SavedTerminal& terminal() { return terminal_; }

    /// Removes all of it, and the file.
    void clean_up(RemovalList::Edited edited = RemovalList::Edited::removed);

  private:
    friend class OrphanCleanup;
    GuardMemory() = default;
    bool readable() const;
    void publish(int file);

    /// Changes with what the rest means, as another build may find it.
    static constexpr uint64_t own_form = 0x6c61756e63680004;
    uint64_t form_ = own_form;
    std::array<char, 64> file_{};           ///< of this memory; empty: it has none
    std::atomic<bool> has_folder_ = false;  ///< the path is complete
    std::array<char, PATH_MAX> folder_{};
    SavedTerminal terminal_;
    RemovalList to_remove_;
};

/// Removes what was left here by heads and relays of this user whose processes were all killed, in
/// a process of its own: a file may be on a disk or a server that does not answer.
class OrphanCleanup {
  public:
    /// Starts it where anything is left; costs a look at /dev/shm where nothing is.
    static OrphanCleanup start();
    /// Waits for it, for some seconds at most. The next launch does the rest.
    void wait() const;

  private:
    pid_t pid_ = 0;  ///< 0: nothing was to do
};

}  // namespace launch
