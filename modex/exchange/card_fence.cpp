#include "modex/exchange/card_fence.hpp"

#include <utility>

#include "modex/exchange/card_batch.hpp"

namespace launch {
namespace {

/// Below this, cards cost less than the messages that carry them.
constexpr uint64_t cheap = 8u << 10;
/// One frame takes 64 MiB; what does not fit must be fetched in pieces.
constexpr uint64_t gather_limit = 48u << 20;

/// How many bytes of cards that are new go along: up those of a subtree, down those of the job.
uint64_t most_cards_carried(ModexChoice asked) {
    if (asked == ModexChoice::gather) return gather_limit;
    return asked == ModexChoice::on_demand ? 0 : cheap;
}

uint64_t size_of(const Card& card) {
    return card.key.size() + card.value.size();
}

}  // namespace

CardFence::CardFence(ExchangeState& state, ModexChoice algorithm)
    : TreeFence(state, state.epoch, {}), most_carried_(most_cards_carried(algorithm)) {}

void CardFence::News::add(Item item) {
    if (listed.contains(item.id)) return;
    listed.insert(item.id);
    cards.push_back(item);
}

void CardFence::put(Card card) {
    const bool late = gate().closed();
    News& news = late ? late_ : news_;
    const uint64_t bytes = size_of(card);
    const uint32_t owner = card.owner;
    const std::string pattern = pattern_of(card.key, owner);
    const auto stored = state_.store.put(std::move(card), true, state_.epoch + (late ? 2 : 1));
    if (!stored.fresh && !stored.changed) return;
    // A value that nobody has fetched is nowhere out of date. Where neighbours may be lost it is
    // not known for certain that nobody has.
    const bool fetched = stored.changed && state_.changed(stored.id);
    if (fetched || (stored.changed && state_.settings.heals)) news.changed = true;
    note_pattern(news, pattern, owner);
    news.bytes += bytes;
    news.add({stored.id, std::nullopt, stored.changed});
}

void CardFence::note_pattern(News& news, const std::string& pattern, uint32_t owner) const {
    if (state_.patterns.contains(pattern, owner)) return;
    if (!news.pattern_texts.insert(pattern).second) return;
    news.patterns.push_back({pattern, owner});
    news.pattern_bytes += pattern.size();
}

void CardFence::split_child(NodeIndex whole, NodeIndex part) {
    if (incomplete_.contains(whole)) incomplete_.insert(part);
    TreeFence::split_child(whole, part);
}

bool CardFence::take(NodeIndex child, LoadUp load) {
    const auto& up = std::get<CardsUp>(load);
    auto cards = decode_cards(up.cards, max_cards_bytes);
    auto changes = decode_cards(up.changes, max_cards_bytes);
    if (!cards || !changes) return false;
    add(*std::move(cards), child, false);
    add(*std::move(changes), child, true);
    for (const auto& pattern : up.patterns)
        note_pattern(news_, pattern.text, pattern.owner);
    news_.bytes += up.bytes;
    news_.changed = news_.changed || up.changed;
    if (!up.complete) incomplete_.insert(child);
    return true;
}

void CardFence::add(std::vector<Card> cards, NodeIndex child, bool change) {
    Neighbour& from = state_.children.at(child);
    const uint64_t fence = change ? 0 : state_.epoch + 1;
    for (Card& card : cards)
        news_.add({state_.learn(std::move(card), from, fence), child, change});
}

template <class F>
std::string CardFence::batch_for(Neighbour& peer, F f) {
    std::vector<CardStore::Id> ids;
    for (const auto& item : news_.cards) {
        if (f(item)) ids.push_back(item.id);
    }
    return state_.batch_for(peer, ids);
}

LoadUp CardFence::load_up() {
    CardsUp up{news_.changed, complete(), news_.bytes, news_.patterns, {}, {}};
    if (up.complete) {
        up.cards = batch_for(state_.parent, [](const auto& item) { return !item.change; });
        up.changes = batch_for(state_.parent, [](const auto& item) { return item.change; });
    }
    return up;
}

bool CardFence::may_end() {
    end_ = {news_.changed && !complete(), complete(), {}, {}};
    if (end_.forget) forget();
    return true;
}

bool CardFence::take(uint64_t, LoadDown load) {
    auto& down = std::get<CardsDown>(load);
    auto cards = decode_cards(down.cards, max_cards_bytes);
    if (!cards) return false;
    if (down.forget) forget();
    for (Card& card : *cards)
        news_.add({state_.learn(std::move(card), state_.parent), std::nullopt});
    for (const auto& pattern : down.patterns)
        note_pattern(news_, pattern.text, pattern.owner);
    end_ = {down.forget, down.complete, {}, {}};
    return true;
}

void CardFence::forget() {
    state_.store.forget_others();
    state_.valid_since = state_.epoch + 1;
    state_.parent.has.clear();
    state_.parent.all = false;
    for (auto& [index, child] : state_.children) {
        child.has.clear();
        child.all = false;
    }
}

void CardFence::open(uint64_t) {
    for (const auto& pattern : news_.patterns)
        state_.patterns.add(pattern.text, pattern.owner);
    if (!end_.complete) state_.parent.all = false;
    for (auto& [index, child] : state_.children)
        child.all = child.all && !incomplete_.contains(index);
    end_.patterns = news_.patterns;
    end_cards_.clear();
    if (!state_.settings.heals || !end_.complete) return;
    for (const auto& item : news_.cards)
        end_cards_.push_back(item.id);
}

LoadDown CardFence::load_down(NodeIndex child) {
    CardsDown down = end_;
    if (down.complete)
        down.cards = batch_for(state_.children.at(child),
                               [child](const auto& item) { return item.from != child; });
    return down;
}

void CardFence::done() {
    news_ = std::exchange(late_, {});
    incomplete_.clear();
    state_.sink.fence_done(Channel::cards, {});
}

/// One that has not missed it will not look at the cards: it is not said to have them.
void CardFence::tell_again(NodeIndex child) {
    std::vector<const Card*> cards;
    for (const CardStore::Id id : end_cards_)
        cards.push_back(&state_.store.card(id));
    CardsDown down = end_;
    down.cards = encode_cards(cards);
    tell_end(child, std::move(down));
}

}  // namespace launch
