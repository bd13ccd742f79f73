// SPDX-License-Identifier: MIT
// What a host says first: a login shell's noise, the bootstrap script's lines, a relay's greeting;
// and what is made of it for the user.
#include "core/push/opening.hpp"

#include <algorithm>
#include <vector>

#include "core/push/push_error.hpp"
#include "core/tree/said_text.hpp"
#include "core/wire/frame.hpp"
#include "tests/fuzz/allocation.hpp"
#include "tests/fuzz/targets.hpp"
#include "transports/tail_text.hpp"

namespace launch {
namespace {

using fuzz::require;
using State = Opening::State;

struct Heard {
    std::vector<std::pair<State, std::string>> lines;
    State end = State::waiting;
    std::string rest;

    bool operator==(const Heard&) const = default;
};

bool final(State state) {
    return state == State::greets || state == State::hopeless;
}

/// Cut into reads of `step` bytes.
Heard listen(std::string_view bytes, size_t step) {
    Opening opening;
    Heard heard;
    while (!bytes.empty() && !final(heard.end)) {
        heard.end = opening.feed(bytes.substr(0, step));
        bytes.remove_prefix(std::min(step, bytes.size()));
        while (heard.end != State::waiting && !final(heard.end)) {
            heard.lines.emplace_back(heard.end, opening.words());
            heard.end = opening.feed({});
        }
    }
    heard.rest = opening.take().append(bytes);
    return heard;
}

bool printable(std::string_view text) {
    return std::none_of(text.begin(), text.end(),
                        [](char c) { return (c >= 0 && c < ' ') || c == 0x7f; });
}

/// The link's parser sees all but the script's lines, and takes the same for noise.
void greet(const Heard& heard) {
    FrameParser parser;
    parser.feed(heard.rest);
    const auto frame = parser.next();
    const size_t at = heard.rest.find(link_magic);
    require(parser.greeted() == (at != std::string::npos), "a greeting is one for both");
    if (parser.greeted()) require(parser.noise() == heard.rest.substr(0, at), "what came before");
    require(frame || !frame.error().cause.empty(), "a reason");
}

}  // namespace

/// The first byte cuts the input into reads, and says whether much noise comes before it.
void fuzz::opening(std::string_view bytes) {
    if (bytes.empty()) return;
    const auto first = static_cast<unsigned char>(bytes.front());
    const std::string said =
        std::string(first % 8 == 7 ? max_noise - 100 : 0, 'n') + std::string(bytes.substr(1));
    AllocationLimit limit(in_proportion(said.size()) +
                          16 * said.size() * said.size() / (1 + first));
    const Heard heard = listen(said, 1 + first);
    limit.check();
    const Heard whole = listen(said, said.size());
    if (said.size() <= max_noise) require(heard == whole, "however it is cut");
    size_t length = heard.rest.size();
    for (const auto& [state, words] : heard.lines) {
        require(words.find('\n') == std::string::npos, "one line");
        length += words.size();
        if (state != State::fails) continue;
        const Error error = push_error::from_script(words, 1000);
        require(!error.cause.empty() && error.cause.size() < words.size() + 100, "a reason");
    }
    require(length <= said.size(), "nothing is made up");
    if (heard.end == State::greets) greet(heard);

    require(printable(last_lines(said, 200)) && last_lines(said, 200).size() <= 400, "one line");
    require(printable(last_words(said)), "one line of a relay");
    TailText tail;
    for (int i = 0; i < 3; ++i)
        tail.append(said);
    require(tail.text().size() <= TailText::limit, "no more than is kept");
}

}  // namespace launch
