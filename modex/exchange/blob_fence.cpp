#include "modex/exchange/blob_fence.hpp"

#include <utility>

namespace launch {
namespace {

constexpr NodeIndex nobody = UINT32_MAX;

}  // namespace

BlobFence::BlobFence(ExchangeState& state) : state_(state), gate_(state) {}

bool BlobFence::join_all(std::string blob, bool collect, const std::set<uint32_t>& left) {
    if (gate_.closed() || std::exchange(joined_, true)) return false;
    gate_.join_all(left);
    own_ = std::move(blob);
    collect_ = collect_ || collect;
    advance();
    return true;
}

void BlobFence::exited(uint32_t rank) {
    gate_.exited(rank);
    advance();
}

bool BlobFence::from_child(NodeIndex child, FenceUp message) {
    const auto entry = gate_.admit(child, message, sequence_);
    const bool late = message.sequence <= sequence_ && sequence_ > 0;
    if (entry == FenceGate::Entry::known && late) state_.sink.to_child(child, encode(last_));
    if (entry != FenceGate::Entry::joined) return entry == FenceGate::Entry::known;
    below_[child] = std::move(message.blob);
    collect_ = collect_ || message.collect;
    advance();
    return true;
}

void BlobFence::say_again() {
    if (gate_.closed()) pass_up();
}

void BlobFence::advance() {
    const auto end = gate_.advance();
    if (end == FenceGate::End::up) pass_up();
    if (end == FenceGate::End::open) open({});
}

std::string BlobFence::blobs_without(NodeIndex child) const {
    std::string blobs = own_;
    for (const auto& [index, blob] : below_) {
        if (index != child) blobs += blob;
    }
    return blobs;
}

void BlobFence::pass_up() {
    FenceUp up = gate_.message(Channel::blobs, sequence_ + 1);
    up.collect = collect_;
    if (collect_) up.blob = blobs_without(nobody);
    state_.sink.to_parent(encode(up));
}

bool BlobFence::from_parent(FenceDown message) {
    if (!gate_.follows(message.sequence, sequence_)) return false;
    if (message.sequence <= sequence_) return true;
    sequence_ = message.sequence - 1;
    open(message.blob);
    return true;
}

void BlobFence::open(const std::string& others) {
    FenceDown down;
    down.channel = Channel::blobs;
    down.sequence = sequence_ + 1;
    for (const auto& [index, child] : state_.children) {
        if (collect_) down.blob = others + blobs_without(index);
        state_.sink.to_child(index, encode(down));
    }
    const std::string all = collect_ ? others + blobs_without(nobody) : std::string();
    if (state_.settings.heals) {
        last_ = std::move(down);
        last_.blob = all;
    }
    ++sequence_;
    own_.clear();
    below_.clear();
    joined_ = false;
    collect_ = false;
    gate_.reset();
    state_.sink.fence_done(Channel::blobs, all);
}

}  // namespace launch
