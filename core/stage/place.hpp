// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/process/removal_list.hpp"
#include "core/stage/target.hpp"
#include "core/topology.hpp"

namespace launch {

/// Where a job's files go on this host: a private folder, made when a file is to be in it, and the
/// places that are named by absolute paths. Its calls may block; one at a time.
class StagePlace {
  public:
    struct Node {
        NodeIndex self = 0;  ///< tells nodes apart that share a disk
        /// Of the node's relay, see core/tree/generations.hpp: an earlier one that was cut off may
        /// live on this host for a while, and has a folder of its own.
        uint32_t generation = 0;
        /// Head and relays are processes of one machine and of one tree: a SIGKILL of one may be
        /// followed by that of all below it, guards included. So what is at the top looks after
        /// the folders of all.
        bool one_machine = false;
    };
    /// `to_remove`: null where no guard looks after this process.
    StagePlace(const StageSpec& stage, Node node, RemovalList* to_remove);

    /// At a head whose hosts are one machine: sees to the folder that theirs are in.
    Status prepare_shared();
    /// Makes the folder and every file, still empty and under other names. An Error where others
    /// could replace the folder.
    Status prepare();
    StageTarget& target(size_t file) { return targets_[file]; }
    /// Empty where no file goes there.
    const std::string& folder() const { return folder_; }
    const std::string& shown_folder() const { return shown_folder_; }
    /// Where a file is when all is done.
    std::string path_of(size_t file) const;
    /// Removes now what is to be removed at the end.
    void remove() { to_remove_.remove(); }

  private:
    Status failed(int errno_value) const;
    Status make_folder();
    Status make_shared_folder();
    Status make_parents(const StagedFile& file);

    StageSpec stage_;
    std::string own_token_;  ///< of this relay of this node
    std::unique_ptr<RemovalList> unguarded_;
    RemovalsOf to_remove_;
    std::string parent_;         ///< of the folder that is made first
    std::string shared_folder_;  ///< of all nodes; empty: no shared folder
    std::string folder_;
    std::string shown_folder_;
    std::vector<StageTarget> targets_;
};

}  // namespace launch
