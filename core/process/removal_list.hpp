// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string_view>
#include <sys/types.h>

namespace launch {

/// Which file a name stood for, so that another one that has taken the name since is left alone.
struct FileId {
    dev_t device = 0;
    ino_t inode = 0;    ///< 0: whatever it is, as nobody else can have guessed the name
    int64_t birth = 0;  ///< in ns, as file systems give an inode away again at once; 0: not known

    bool operator==(const FileId&) const = default;
};

/// The identity of a file's contents, as far as it can be found without reading.
struct FileContent {
    int64_t size = 0;
    int64_t written = 0;  ///< last, in ns

    bool operator==(const FileContent&) const = default;
};

struct FileStamp {
    FileId id;
    FileContent content;
};

/// The stamp of an open file; nothing, and errno: it cannot be found.
std::optional<FileStamp> file_stamp(int file);

/// A list of files and folders that are to be gone at the end of a process, in memory that it
/// shares with its guard: whoever lives removes them. An entry is in it before
/// what it names exists, so that a SIGKILL finds it whole at any time. Threads of this process may
/// add, each for its owner; a guard reads when they are gone.
class RemovalList {
  public:
    /// An owner of entries that releases them before the process ends, such as one of several jobs.
    using Owner = uint32_t;
    static constexpr Owner process = 0;
    Owner new_owner() { return ++owners_; }

    /// False: there is no room for more.
    bool add_file(std::string_view path, const FileStamp& stamp, Owner owner = process);
    bool add_folder(std::string_view path, const FileStamp& stamp = {}, Owner owner = process);
    /// Removes what that owner has added, as remove_all() does with everything.
    void remove_of(Owner owner);
    /// The treatment of a file that was written to since: at the job's own end it is removed, but
    /// days later it may be the user's own file.
    enum class Edited : unsigned char { removed, left };
    /// Removes what is there still, if it belongs to this user, the latest first, and forgets it.
    void remove_all(Edited edited = Edited::removed);

    /// The list lies in `memory`, that of a file which has blocks up to `reserved` only: more are
    /// taken when they are needed, so it stays open as long as anything is added.
    void grow_in(int file, const void* memory, off_t reserved);
    /// The descriptor given to grow_in(); -1: no file.
    int file() const { return backing_.file; }

  private:
    enum class Kind : char { file, folder, gone };
    struct Entry {
        Kind kind{};  ///< first, as it alone is written when the entry is whole, or over
        Owner owner = process;
        FileStamp stamp;
        size_t path = 0;    ///< where it begins; it ends with '\0'
        size_t room = 0;    ///< for it, as one that is gone may get another
        size_t before = 0;  ///< the entry before it; no_entry: none
    };
    static constexpr size_t no_entry = SIZE_MAX;
    static constexpr size_t room = 1u << 20;

    /// The memory of the list.
    struct Backing {
        int file = -1;    ///< -1: memory that has room for all
        off_t begin = 0;  ///< of `bytes_`
        off_t reserved = 0;
    };

    bool add(Kind kind, std::string_view path, const FileStamp& stamp, Owner owner);
    bool append(Entry entry, std::string_view path);
    std::optional<size_t> find_gone(size_t path_size) const;
    void write(size_t at, const Entry& entry, std::string_view path);
    std::optional<Entry> entry_at(size_t at) const;
    void remove(const Entry& entry, Edited edited) const;
    void set_kind(size_t at, Kind kind);
    void drop_gone();
    bool reserve(size_t end);

    Backing backing_;
    std::mutex adding_;  ///< never a guard's: who is killed may have it
    std::atomic<Owner> owners_ = process;
    std::atomic<size_t> latest_ = no_entry;
    size_t used_ = 0;
    std::array<char, room> bytes_;
};

/// The entries of one owner.
class RemovalsOf {
  public:
    explicit RemovalsOf(RemovalList& all) : all_(&all), owner_(all.new_owner()) {}

    bool add_file(std::string_view path, const FileStamp& stamp) {
        return all_->add_file(path, stamp, owner_);
    }
    bool add_folder(std::string_view path) { return all_->add_folder(path, {}, owner_); }
    void remove() { all_->remove_of(owner_); }

  private:
    RemovalList* all_;
    RemovalList::Owner owner_;
};

/// Removes a folder with all that is in it, if it is one and belongs to this user: who made the
/// name up may have been refused what somebody else made. `id`: only while the name stands for it.
void remove_own_folder(const char* path, const FileId& id = {});
/// Whether that is what is there, links not followed.
bool stands_for(const char* path, const FileId& id);

}  // namespace launch
