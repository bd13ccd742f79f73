// SPDX-License-Identifier: MIT
#include "modex/pmi/pmi_front.hpp"

#include "core/base/number_text.hpp"
#include "modex/front/pmi_error.hpp"
#include "modex/front/unread_bytes.hpp"
#include "modex/pmi1/init.hpp"
#include "modex/pmi1/limits.hpp"
#include "modex/pmi1/line.hpp"
#include "modex/pmi1/pmi1_front.hpp"
#include "modex/pmi2/pmi2_front.hpp"

namespace launch {
namespace {

/// May the unfinished line become an init or initack?
bool may_begin(std::string_view bytes) {
    constexpr std::string_view begin = "cmd=init";
    return bytes.substr(0, begin.size()) == begin.substr(0, bytes.size()) &&
           bytes.size() <= pmi1_client_line;
}

Result<uint32_t> initack_id(std::string_view line) {
    const auto id = parse_number<uint32_t>(pmi1_field(line, "pmiid").value_or(""));
    if (pmi1_command(line) == "initack" && id) return *id;
    return pmi_error("PMI", line, ", which is not an initack");
}

class PmiFront : public Front {
  public:
    PmiFront(RankFacts facts, PmiOffer offer, std::optional<uint32_t> id)
        : facts_(std::move(facts)), offer_(offer), id_(id) {}

    void feed(std::string_view bytes) override {
        session_ ? session_->feed(bytes) : unread_.feed(bytes);
    }

    Result<std::optional<Request>> next() override {
        while (!session_) {
            const auto line = unread_.take_line();
            if (!line && may_begin(unread_.view())) return std::optional<Request>{};
            const auto handled = begin(line);
            if (!handled) return handled.error();
        }
        return session_->next();
    }

    void reply(uint64_t ticket, const Reply& reply) override {
        if (session_) session_->reply(ticket, reply);
    }

    std::string take_output() override {
        std::string out = std::exchange(out_, {});
        if (!session_) return out;
        return out.empty() ? session_->take_output() : out + session_->take_output();
    }

    bool joined() const override { return session_ && session_->joined(); }
    bool finalized() const override { return session_ && session_->finalized(); }

  private:
    Status begin(std::optional<std::string_view> line) {
        const auto command = pmi1_command(line.value_or(""));
        if (command == "initack") return acknowledge(*line);
        if (command == "init") {
            const auto wanted = parse_pmi_init(*line);
            if (!wanted) return wanted.error();
            if (wanted->major == pmi2_version.major && offer_ != PmiOffer::pmi1) {
                session_ = std::make_unique<Pmi2Front>(facts_);
            } else if (offer_ == PmiOffer::pmi2) {
                append_pmi_init_response(pmi2_version, false, out_);
                return Ok{};
            }
        }
        // Any other first word: PMI-1 has the error message for it.
        if (!session_) session_ = std::make_unique<Pmi1Front>(facts_);
        if (line) session_->feed(std::string(*line) + '\n');
        session_->feed(unread_.view());
        unread_ = {};
        return Ok{};
    }

    Status acknowledge(std::string_view line) {
        const auto id = initack_id(line);
        if (!id) return id.error();
        if (id_ != *id)
            return pmi_error("PMI", line,
                             " on the connection of rank " + std::to_string(facts_.rank));
        out_ += "cmd=initack\ncmd=set size=";
        append_number(out_, facts_.size);
        out_ += "\ncmd=set rank=";
        append_number(out_, facts_.rank);
        out_ += "\ncmd=set debug=0\n";
        return Ok{};
    }

    RankFacts facts_;
    PmiOffer offer_;
    std::optional<uint32_t> id_;  ///< what initack must say; nothing: no initack is due
    UnreadBytes unread_;          ///< until there is a session
    std::string out_;             ///< from before there was a session
    std::unique_ptr<Front> session_;
};

}  // namespace

std::unique_ptr<Front> make_pmi_front(RankFacts facts, PmiOffer offer, std::optional<uint32_t> id) {
    return std::make_unique<PmiFront>(std::move(facts), offer, id);
}

Result<std::optional<uint32_t>> parse_initack(std::string_view bytes) {
    const size_t end = bytes.find('\n');
    if (end == std::string_view::npos && may_begin(bytes)) return std::optional<uint32_t>{};
    const auto id = initack_id(bytes.substr(0, end));
    if (!id) return id.error();
    return std::optional{*id};
}

}  // namespace launch
