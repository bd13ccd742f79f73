// SPDX-License-Identifier: MIT
#include "core/stage/stage.hpp"

namespace launch {
namespace {

/// Segments that may come before those written: what a fast link moves while a disk writes.
constexpr uint64_t window = 16;
constexpr const char* all_files = "files";
constexpr milliseconds stop_grace{1000};
constexpr milliseconds removal_patience{5000};
constexpr uint64_t verified_at_once = 64u << 20;
/// To reserve a file's space, or to compare it with one that is there already, takes its time.
constexpr uint64_t slowest_bytes_per_ms = 10'000;

milliseconds patience_for(uint64_t bytes) {
    return disk_patience + milliseconds{bytes / slowest_bytes_per_ms};
}

}  // namespace

Stage::Stage(any_io_executor executor, Settings settings)
    : settings_(std::move(settings)),
      shelf_(std::make_shared<SegmentShelf>(executor, settings_.stage.files, settings_.failed)),
      intake_(shelf_->segments().total(), window),
      place_(std::make_shared<StagePlace>(settings_.stage, settings_.node, settings_.to_remove)),
      changed_(executor),
      disk_(executor) {}

/// The work owns what it touches: where the disk hangs nobody waits for its end.
awaitable<Status> Stage::on_disk(DiskThread::Work work, milliseconds patience) {
    return disk_.run(std::move(work), patience, stop_.get_token(), stop_grace);
}

awaitable<Status> Stage::prepare(bool here) {
    DiskThread::Work work{all_files, [place = place_, here] {
                              return here ? place->prepare() : place->prepare_shared();
                          }};
    co_return co_await on_disk(std::move(work), patience_for(settings_.stage.bytes()));
}

/// All of a file is written.
awaitable<Status> Stage::complete(size_t file, uint64_t checksum) {
    while (!stopped() && !place_->target(file).verified()) {
        DiskThread::Work verify{name_of(file), [place = place_, file] {
                                    return place->target(file).verify(verified_at_once);
                                }};
        auto verified = co_await on_disk(std::move(verify), patience_for(verified_at_once));
        if (!verified) co_return verified;
    }
    if (stopped()) co_return Ok{};
    DiskThread::Work publish{name_of(file), [place = place_, file, checksum] {
                                 return place->target(file).publish(checksum);
                             }};
    co_return co_await on_disk(std::move(publish), patience_for(settings_.stage.files[file].size));
}

awaitable<Status> Stage::run(Part part) {
    busy_ = true;
    // Apart, as this compiler destroys what a conditional awaits twice.
    Status done = Ok{};
    if (part == Part::relay) {
        done = co_await receive_all();
    } else {
        done = co_await read_all(part == Part::lone_machine);
    }
    busy_ = false;
    arrived_.clear();
    changed_.notify();
    co_return done;
}

awaitable<Status> Stage::read_all(bool here) {
    auto prepared = co_await prepare(here);
    if (!prepared) co_return prepared;
    for (size_t i = 0; i < settings_.stage.files.size() && !stopped(); ++i) {
        auto done = co_await read_file(i, here);
        if (!done) co_return done;
    }
    co_return Ok{};
}

awaitable<Status> Stage::read_file(size_t index, bool here) {
    const Segments& segments = shelf_->segments();
    const auto source = std::make_shared<StageSource>(settings_.stage.files[index]);
    sources_.push_back(source);
    DiskThread::Work open{name_of(index), [source] { return source->open(); }};
    auto done = co_await on_disk(std::move(open), disk_patience);
    if (done) shelf_->put_file(index, source->descriptor(), source);
    while (done && !stopped() && !source->finished()) {
        auto read = [source, here, index, place = place_] {
            auto status = source->read();
            if (!status || !here) return status;
            return place->target(index).write(source->begin(), source->bytes());
        };
        DiskThread::Work work{name_of(index), std::move(read)};
        done = co_await on_disk(std::move(work), disk_patience);
        if (done && !source->finished())
            shelf_->advance(segments.start_of(index) + source->position() / Segments::size);
    }
    if (!done || stopped()) co_return done;
    source->release_buffer();
    shelf_->put_checksum(index, source->checksum());
    shelf_->advance(segments.start_of(index + 1));
    if (here) done = co_await complete(index, source->checksum());
    co_return done;
}

awaitable<Status> Stage::receive_all() {
    auto done = co_await prepare(true);
    if (done) {
        for (size_t i = 0; i < settings_.stage.files.size(); ++i)
            shelf_->put_file(i, place_->target(i).descriptor(), place_);
        asking_ = true;
        settings_.ask(intake_.restart());
    }
    while (done && !stopped() && !intake_.complete()) {
        if (arrived_.empty())
            co_await changed_.wait();
        else
            done = co_await write_arrived();
    }
    co_return done;
}

bool Stage::take(std::string_view payload) {
    const auto message = SegmentMessage::decode(payload);
    if (!message) return false;
    switch (intake_.take(message->number)) {
        case SegmentIntake::Verdict::refused: return false;
        case SegmentIntake::Verdict::known: return true;
        case SegmentIntake::Verdict::fresh: break;
    }
    const auto at = shelf_->segments().at(message->number);
    if (message->bytes.size() != at.length) return false;
    if (!busy_) return true;
    arrived_.push_back({at, std::string(payload)});
    changed_.notify();
    return true;
}

awaitable<Status> Stage::write_arrived() {
    const auto batch = std::make_shared<const Batch>(std::exchange(arrived_, {}));
    auto write = [batch, place = place_] {
        Status done = Ok{};
        for (const auto& [at, payload] : *batch) {
            const auto message = SegmentMessage::decode(payload);
            if (done) done = place->target(at.file).write(at.offset, message->bytes);
        }
        return done;
    };
    DiskThread::Work work{name_of(batch->front().at.file), std::move(write)};
    auto done = co_await on_disk(std::move(work), disk_patience);
    if (!done) co_return done;
    // First to those below; this node's own verification delays nobody.
    std::vector<std::pair<size_t, uint64_t>> whole;
    for (const auto& [at, payload] : *batch) {
        if (at.last) whole.emplace_back(at.file, SegmentMessage::decode(payload)->checksum);
    }
    for (const auto& [file, checksum] : whole)
        shelf_->put_checksum(file, checksum);
    written_ += batch->size();
    shelf_->advance(written_);
    intake_.written(written_);
    if (const auto wanted = intake_.wanted()) settings_.ask(*wanted);
    for (const auto& [file, checksum] : whole) {
        done = co_await complete(file, checksum);
        if (!done) co_return done;
    }
    co_return done;
}

void Stage::ask_again() {
    if (asking_ && busy_) settings_.ask(intake_.restart());
}

void Stage::stop() {
    stop_.request_stop();
    changed_.notify();
    shelf_->changed().notify();
}

/// Where a disk hangs it is left to the guard.
awaitable<void> Stage::remove() {
    while (busy_)
        co_await changed_.wait();
    if (disk_.hangs()) co_return;
    auto all = [place = place_]() -> Status {
        place->remove();
        return Ok{};
    };
    DiskThread::Work work{all_files, std::move(all)};
    const Status removed = co_await disk_.run(std::move(work), removal_patience, {});
    if (!removed) co_return;  // the guard sees to it
}

std::vector<Program> Stage::programs(std::vector<Program> programs) const {
    for (auto& program : programs) {
        if (!folder().empty()) program.env.push_back("LAUNCH_STAGE_DIR=" + folder());
        if (program.staged) program.argv.front() = place_->path_of(*program.staged);
    }
    return programs;
}

}  // namespace launch
