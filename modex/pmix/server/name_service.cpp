#include "modex/pmix/server/name_service.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

#include "modex/pmix/server/info_list.hpp"
#include "modex/pmix/server/pack_buffer.hpp"

namespace launch {
namespace {

struct Entry {
    std::string key;
    std::string value;
};

std::optional<std::string> pack(const LibPmix& lib, pmix_proc_t publisher, pmix_value_t value) {
    PackBuffer buffer;
    if (!buffer.pack(lib, publisher, PMIX_PROC) || !buffer.pack(lib, value, PMIX_VALUE))
        return std::nullopt;
    return std::string(buffer.bytes());
}

/// Whatever was published, perhaps by another release of libpmix.
bool unpack(const LibPmix& lib, std::string_view bytes, pmix_pdata_t& into) {
    PackBuffer buffer;
    return buffer.fill(bytes) && buffer.unpack(lib, into.proc, PMIX_PROC) &&
           buffer.unpack(lib, into.value, PMIX_VALUE);
}

/// Calls libpmix back when as many answers have come as questions were asked.
class OpCountdown {
  public:
    OpCountdown(std::shared_ptr<Inbox> inbox, size_t questions, pmix_op_cbfunc_t answer,
                void* cookie)
        : inbox_(std::move(inbox)), left_(questions), answer_(answer), cookie_(cookie) {}

    void take(pmix_status_t status) {
        if (status != PMIX_SUCCESS) status_ = status;
        if (--left_ == 0 && inbox_->is_open()) answer_(status_, cookie_);
    }

  private:
    std::shared_ptr<Inbox> inbox_;
    size_t left_;
    pmix_status_t status_ = PMIX_SUCCESS;
    pmix_op_cbfunc_t answer_;
    void* cookie_;
};

/// What a lookup is to wait for.
struct LookupTerms {
    bool waits = false;
    size_t wanted = 0;              ///< of the keys
    std::chrono::seconds limit{0};  ///< 0: none
};

LookupTerms terms_of(const pmix_info_t* infos, size_t count, size_t keys) {
    LookupTerms terms;
    terms.waits = has_flag(infos, count, PMIX_WAIT);
    const uint32_t some = number_of(infos, count, PMIX_WAIT).value_or(0);
    terms.wanted = some == 0 ? keys : std::min<size_t>(some, keys);
    terms.limit = std::chrono::seconds(number_of(infos, count, PMIX_TIMEOUT).value_or(0));
    return terms;
}

/// Collects what a lookup finds and hands it to libpmix, which copies it.
class LookupAnswer : public std::enable_shared_from_this<LookupAnswer> {
  public:
    LookupAnswer(std::shared_ptr<Inbox> inbox, std::vector<std::string> keys, LookupTerms terms,
                 pmix_lookup_cbfunc_t answer, void* cookie)
        : inbox_(std::move(inbox)),
          keys_(std::move(keys)),
          terms_(terms),
          limit_(inbox_->executor()),
          answer_(answer),
          cookie_(cookie) {}
    LookupAnswer(const LookupAnswer&) = delete;
    LookupAnswer& operator=(const LookupAnswer&) = delete;
    ~LookupAnswer() {
        if (!inbox_->is_open()) return;  // a leak of one answer, where libpmix has ended already
        for (auto& entry : found_)
            inbox_->lib().PMIx_Value_destruct(&entry.value);
    }

    void ask(uint32_t rank, PmixEvents& events) {
        for (const auto& key : keys_) {
            if (has_enough()) break;
            ++open_answers_;
            lookups_.push_back(events.pmix_lookup(
                rank, key, terms_.waits,
                [self = shared_from_this(), key](const auto& value) { self->take(key, value); }));
        }
        state_ = State::waiting;
        advance();
        if (state_ == State::waiting && terms_.waits && terms_.limit.count() > 0) keep_time();
    }

  private:
    enum class State : uint8_t {
        asking,
        waiting,
        giving_up,  ///< what is there already is still to come
        answered,
    };

    bool has_enough() const { return terms_.waits && found_.size() >= terms_.wanted; }
    void take(const std::string& key, const Result<std::string>& value) {
        --open_answers_;
        if (!inbox_->is_open()) return;
        if (value) add(key, *value);
        late_ = late_ || (!value && value.error().kind == ErrorKind::timed_out);
        advance();
    }
    /// A name that is read once may have been taken away for this lookup already. So nothing is
    /// answered before each question has been, by giving up those that wait.
    void advance() {
        if (state_ == State::asking || state_ == State::answered) return;
        if (open_answers_ == 0) return finish();
        if (has_enough()) give_up();
    }
    void add(const std::string& key, const std::string& value) {
        pmix_pdata_t entry{};
        key.copy(entry.key, sizeof entry.key - 1);
        if (unpack(inbox_->lib(), value, entry)) found_.push_back(entry);
    }
    pmix_status_t status() const {
        if (found_.size() == keys_.size()) return PMIX_SUCCESS;
        if (late_ && !has_enough()) return PMIX_ERR_TIMEOUT;
        return found_.empty() ? PMIX_ERR_NOT_FOUND : PMIX_ERR_PARTIAL_SUCCESS;
    }
    void finish() {
        state_ = State::answered;
        limit_.cancel();
        answer_(status(), found_.data(), found_.size(), cookie_);
    }
    /// Not from inside an event.
    void give_up() {
        if (state_ != State::waiting) return;
        state_ = State::giving_up;
        inbox_->post([self = shared_from_this()](PmixEvents& events) {
            for (const uint64_t lookup : self->lookups_)
                events.pmix_give_up(lookup);
        });
    }
    /// The timer keeps nothing alive: the answers do that are still to come.
    void keep_time() {
        limit_.expires_after(terms_.limit);
        limit_.async_wait([weak = weak_from_this()](std::error_code gone) {
            const auto self = weak.lock();
            if (!gone && self) self->give_up();
        });
    }

    std::shared_ptr<Inbox> inbox_;
    const std::vector<std::string> keys_;
    const LookupTerms terms_;
    std::vector<uint64_t> lookups_;
    std::vector<pmix_pdata_t> found_;
    size_t open_answers_ = 0;
    bool late_ = false;  ///< some did not come in time
    State state_ = State::asking;
    asio::steady_timer limit_;
    pmix_lookup_cbfunc_t answer_;
    void* cookie_;
};

/// Among what is published are also directives: range, persistence, who publishes.
bool is_directive(std::string_view key) {
    return key.starts_with("pmix.");
}

std::vector<std::string> words(char** keys) {
    std::vector<std::string> list;
    for (; keys != nullptr && *keys != nullptr; ++keys)
        list.emplace_back(*keys);
    return list;
}

}  // namespace

pmix_status_t publish_names(Inbox& inbox, const pmix_proc_t& publisher, const pmix_info_t* infos,
                            size_t count, pmix_op_cbfunc_t answer, void* cookie) {
    std::vector<Entry> entries;
    bool once = false;
    for (size_t i = 0; i < count; ++i) {
        if (std::string_view(infos[i].key) == PMIX_PERSISTENCE)
            once = infos[i].value.data.persist == PMIX_PERSIST_FIRST_READ;
        if (is_directive(infos[i].key)) continue;
        auto packed = pack(inbox.lib(), publisher, infos[i].value);
        if (!packed) return PMIX_ERR_PACK_FAILURE;
        entries.push_back({infos[i].key, std::move(*packed)});
    }
    if (entries.empty()) return PMIX_ERR_BAD_PARAM;
    inbox.post([inbox = inbox.shared_from_this(), rank = publisher.rank, once,
                entries = std::move(entries), answer, cookie](PmixEvents& events) mutable {
        auto all = std::make_shared<OpCountdown>(std::move(inbox), entries.size(), answer, cookie);
        for (auto& [key, value] : entries) {
            events.pmix_publish(rank, key, std::move(value), once,
                                [all](const Result<std::string>& result) {
                                    all->take(result ? PMIX_SUCCESS : PMIX_ERR_DUPLICATE_KEY);
                                });
        }
    });
    return PMIX_SUCCESS;
}

pmix_status_t lookup_names(Inbox& inbox, uint32_t rank, char** keys, const pmix_info_t* infos,
                           size_t count, pmix_lookup_cbfunc_t answer, void* cookie) {
    auto names = words(keys);
    if (names.empty()) return PMIX_ERR_BAD_PARAM;
    const LookupTerms terms = terms_of(infos, count, names.size());
    inbox.post([inbox = inbox.shared_from_this(), rank, names = std::move(names), terms, answer,
                cookie](PmixEvents& events) mutable {
        std::make_shared<LookupAnswer>(std::move(inbox), std::move(names), terms, answer, cookie)
            ->ask(rank, events);
    });
    return PMIX_SUCCESS;
}

pmix_status_t unpublish_names(Inbox& inbox, char** keys, pmix_op_cbfunc_t answer, void* cookie) {
    auto names = words(keys);
    if (names.empty()) return PMIX_ERR_NOT_SUPPORTED;
    inbox.post([inbox = inbox.shared_from_this(), names = std::move(names), answer,
                cookie](PmixEvents& events) mutable {
        auto all = std::make_shared<OpCountdown>(std::move(inbox), names.size(), answer, cookie);
        for (const auto& name : names) {
            events.pmix_unpublish(name, [all](const Result<std::string>& result) {
                all->take(result ? PMIX_SUCCESS : PMIX_ERR_NOT_FOUND);
            });
        }
    });
    return PMIX_SUCCESS;
}

}  // namespace launch
