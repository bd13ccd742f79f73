// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/job/job_spec.hpp"
#include "core/stage/disk_thread.hpp"
#include "core/stage/flow.hpp"
#include "core/stage/place.hpp"
#include "core/stage/shelf.hpp"
#include "core/stage/source.hpp"

namespace launch {

/// The files that a job stages, at one node: the head reads them, a relay takes what its parent
/// sends and has it on disk, both give it to their children (SegmentShelf). Disks are asked in a
/// thread of their own, and not for ever.
class Stage {
  public:
    struct Settings {
        const StageSpec& stage;  ///< outlives this
        StagePlace::Node node;
        RemovalList* to_remove = nullptr;                       ///< of the guard
        std::function<void(const WantedMessage& message)> ask;  ///< the parent
        /// Those below cannot be given what they need.
        SegmentShelf::Failed failed;
    };
    Stage(any_io_executor executor, Settings settings);

    /// Where files come from, and whether they go to the disk here.
    enum class Part {
        relay,        ///< from the parent
        head,         ///< they are here, and go to others
        lone_machine  ///< the files are here, and so are the ranks
    };
    /// Until all files are where they are to be. Also when stopped; see stopped().
    awaitable<Status> run(Part part);
    /// From the parent (SegmentMessage). False: malformed, or never asked for.
    bool take(std::string_view payload);
    /// Messages on their way here may be lost.
    void ask_again();

    /// The job ends.
    void stop();
    bool stopped() const { return stop_.stop_requested(); }
    /// When ranks have ended: removes what is not to stay.
    awaitable<void> remove();

    /// The segments; a reader may keep them for as long as it takes.
    const std::shared_ptr<SegmentShelf>& shelf() const { return shelf_; }
    /// The programs as they are to be run here.
    std::vector<Program> programs(std::vector<Program> programs) const;
    /// The job's own folder here; empty: none.
    const std::string& folder() const { return place_->folder(); }
    /// The folder in a form that holds for all hosts.
    const std::string& shown_folder() const { return place_->shown_folder(); }

  private:
    using Sources = std::vector<std::shared_ptr<StageSource>>;
    struct Arrived {
        Segments::Segment at;
        std::string payload;
    };
    using Batch = std::vector<Arrived>;

    awaitable<Status> on_disk(DiskThread::Work work, milliseconds patience);
    const std::string& name_of(size_t file) const { return settings_.stage.files[file].source; }
    awaitable<Status> prepare(bool here);
    awaitable<Status> read_all(bool here);
    awaitable<Status> receive_all();
    awaitable<Status> read_file(size_t index, bool here);
    awaitable<Status> write_arrived();
    awaitable<Status> complete(size_t file, uint64_t checksum);

    Settings settings_;
    std::shared_ptr<SegmentShelf> shelf_;
    SegmentIntake intake_;
    std::shared_ptr<StagePlace> place_;
    Sources sources_;
    Batch arrived_;
    Event changed_;
    std::stop_source stop_;
    DiskThread disk_;
    uint64_t written_ = 0;
    bool asking_ = false;  ///< the parent may send
    bool busy_ = false;    ///< files are read or received
};

}  // namespace launch
