// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/fd.hpp"
#include "core/fetch/records.hpp"
#include "core/stage/checksum.hpp"

namespace launch {

/// The copy on the head's disk of a file or folder that one host sends. The copy is made in
/// DIR/HOST under a temporary name and renamed when it is complete, so that a file under its final
/// name is complete. All folders and files are new and no link is followed, so that a host can
/// write nowhere else. Calls may block; errors are of kind output.
class ReceivedTree {
  public:
    struct Place {
        std::string
            dir;  ///< the user's; it is made where it is not there, links in it are followed
        std::string host;  ///< the folder in it
        std::string name;  ///< of what is fetched, in that folder
    };
    explicit ReceivedTree(Place place);
    /// Removes what did not come whole.
    ~ReceivedTree();
    ReceivedTree(const ReceivedTree&) = delete;
    ReceivedTree& operator=(const ReceivedTree&) = delete;

    /// The next record of the host. After an error nothing else is taken.
    Status take(const FetchRecord& record);
    /// All of it is there, under its name.
    bool complete() const { return state_ == State::complete; }
    /// Why the host could not read what was asked for.
    const std::optional<FetchedFault>& fault() const { return fault_; }
    /// How much the host could not read below it, and the first of that.
    uint64_t unread() const { return unread_; }
    const FetchedUnread& first_unread() const { return first_unread_; }
    /// Sockets, pipes and devices, which were left out.
    uint64_t left_out() const { return left_out_; }

  private:
    enum class State : uint8_t {
        empty,     ///< nothing has come
        open,      ///< a folder is, or a file
        whole,     ///< the last of its folders, or it itself, has ended
        complete,  ///< it has its name
        failed,    ///< nothing more is taken
    };
    struct Folder {
        UniqueFd fd;
        uint32_t mode = 0;
    };
    struct File {
        UniqueFd fd;
        std::string name;  ///< for now
        uint32_t mode = 0;
        Checksum checksum;
    };

    Status put(const FetchedFolder& folder);
    Status put(const FetchedFolderEnd&);
    Status put(const FetchedFile& file);
    Status put(const FetchedPiece& piece);
    Status put(const FetchedFileEnd& end);
    Status put(const FetchedLink& link);
    Status put(const FetchedOther&);
    Status put(const FetchedFault& fault);
    Status put(const FetchedAll&);
    Status put(const FetchedUnread& unread);
    Status open_place();
    Result<std::string> begin(const std::string& name);
    void end_one();
    int parent() const { return folders_.empty() ? host_.get() : folders_.back().fd.get(); }
    Status failed(int errno_value) const;
    Status refused(std::string cause) const;

    Place place_;
    std::string temporary_;  ///< its name until all of it is there
    UniqueFd host_;          ///< DIR/HOST
    std::vector<Folder> folders_;
    std::optional<File> file_;
    std::optional<FetchedFault> fault_;
    uint64_t left_out_ = 0;
    uint64_t unread_ = 0;
    FetchedUnread first_unread_;
    State state_ = State::empty;
};

}  // namespace launch
