// SPDX-License-Identifier: MIT
#include "core/session/session_tree.hpp"

#include "core/link/patience.hpp"

namespace launch {
namespace {

/// Bytes of output that may wait here for the terminal.
constexpr uint64_t output_window = 1u << 20;

}  // namespace

SessionTree::SessionTree(any_io_executor executor, Settings settings,
                         std::unique_ptr<ByteStream> session)
    : settings_(std::move(settings)),
      link_(std::make_shared<FramedLink>(executor, std::move(session), link_magic)),
      changed_(executor),
      tasks_(executor) {}

const JobMessage& SessionTree::begin(JobMessage message, JobUpstream& upstream, TreeJob& job) {
    message_ = std::move(message);
    message_.on_hypercube = settings_.on_hypercube;
    upstream_ = &upstream;
    job_ = &job;
    return message_;
}

void SessionTree::start(std::optional<AssignmentMessage> placed) {
    const std::string assignment = settings_.nodes.to_session(*std::move(placed)).encode();
    link_->send(FrameType::job, JobStart{message_.encode(), assignment}.encode());
    link_->grant(output_window);
    tasks_.spawn(write_to_end(link_));
    tasks_.spawn(listen());
    tasks_.spawn(carry_output());
}

void SessionTree::order(FrameType type, uint64_t value) {
    link_->send(type, encode_number(value));
}

void SessionTree::give_input(std::string_view bytes) {
    link_->send_granted(FrameType::input, bytes);
}

awaitable<void> SessionTree::listen() {
    for (;;) {
        const auto frame = co_await link_->receive();
        if (!frame || !frame->has_value()) break;
        take(**frame);
    }
    if (phase_ == Phase::runs) lose_all();
    changed_.notify();
}

void SessionTree::take(const Frame& frame) {
    switch (frame.type) {
        case FrameType::output: return handle_output(frame.payload);
        case FrameType::input_wanted:
            if (const auto grant = InputGrant::decode(frame.payload))
                upstream_->input_wanted(*grant);
            return;
        case FrameType::input_refused: return upstream_->input_refused();
        case FrameType::notice:
            if (auto notice = NoticeMessage::decode(frame.payload)) {
                notice->node = settings_.nodes.job_node(notice->node);
                job_->notice(*notice);
            }
            return;
        case FrameType::failure:
            if (auto failure = FailureMessage::decode(frame.payload)) take(*std::move(failure));
            return;
        default: return handle_report(frame);
    }
}

/// Passes a failure on to the job. If it names no host of the job, it is passed as that of an extra
/// node, because a host that joined through the job's ranks may be among those lost.
void SessionTree::take(FailureMessage failure) {
    if (failure.node == 0) return job_->hosts_failed(failure);
    auto of_job = settings_.nodes.to_job(failure);
    if (!of_job) {
        of_job = std::move(failure);
        of_job->node = settings_.nodes.size() + 1;
        of_job->below.clear();
    }
    job_->hosts_failed(*of_job);
}

void SessionTree::handle_report(const Frame& frame) {
    auto report = decode_job_report(frame.type, frame.payload);
    if (!report) return;
    if (auto* unready = std::get_if<UnreadyMessage>(&*report))
        return handle_unready(std::move(*unready));
    if (auto* staged = std::get_if<StagedMessage>(&*report))
        staged->node = settings_.nodes.job_node(staged->node);
    if (auto* answer = std::get_if<SurveyMessage>(&*report))
        for (NodeIndex& node : answer->nodes)
            node = settings_.nodes.job_node(node);
    if (auto* refusal = std::get_if<FailureMessage>(&*report))
        refusal->node = settings_.nodes.job_node(refusal->node);
    job_->take(*report);
}

void SessionTree::handle_unready(UnreadyMessage message) {
    const NodeIndex node = settings_.nodes.job_node(message.node);
    if (node == 0) return;
    message.node = node;
    if (!message.programs.empty() || message.port != 0) job_->take(JobReport(std::move(message)));
    job_->hosts_up({node});
}

void SessionTree::handle_output(std::string payload) {
    output_.push_back(std::move(payload));
    changed_.notify();
}

awaitable<void> SessionTree::carry_output() {
    for (;;) {
        while (output_.empty() && phase_ == Phase::runs)
            co_await changed_.wait();
        if (output_.empty()) co_return;
        const std::string payload = std::move(output_.front());
        output_.pop_front();
        const auto message = OutputMessage::decode(payload);
        if (!message) continue;
        if (message->stream == Stream::end) {
            end(message->bytes);
            continue;
        }
        carries_ = true;
        co_await upstream_->output(*message);
        carries_ = false;
        heard_at_ = Clock::now();
        changed_.notify();
        link_->grant(payload.size());
    }
}

void SessionTree::end(std::string_view stuck) {
    if (const auto nodes = NodesMessage::decode(stuck)) stuck_ = nodes->nodes;
    phase_ = Phase::ended;
    changed_.notify();
}

/// Its relays end with it, and the job's ranks with them: no host is to blame.
void SessionTree::lose_all() {
    phase_ = Phase::gone;
    const Error ended{
        ErrorKind::unreachable, "run", {}, -1, "session " + settings_.session + " has ended", {}};
    job_->hosts_failed({0, true, {}, ended});
    for (NodeIndex node = 1; node <= settings_.nodes.size(); ++node)
        job_->hosts_failed({node, true, {}, ended});
}

awaitable<std::vector<std::string>> SessionTree::finish() {
    // The head of the session gives up its hosts before that, and tells which.
    const auto limit =
        patience::leave_head_within(message_.policies.kill_grace) + patience::leave_head;
    heard_at_ = Clock::now();
    order(FrameType::end_job, 0);
    while (phase_ == Phase::runs && (carries_ || Clock::now() < heard_at_ + limit))
        co_await changed_.wait_until(carries_ ? Clock::time_point::max() : heard_at_ + limit);
    std::vector<std::string> stuck;
    if (phase_ == Phase::runs) stuck.push_back("session " + settings_.session);
    for (const NodeIndex node : stuck_)
        stuck.push_back(settings_.nodes.name_of(node));
    if (phase_ == Phase::runs) phase_ = Phase::gone;
    changed_.notify();
    link_->close();
    co_await tasks_.join();
    co_return stuck;
}

}  // namespace launch
