// SPDX-License-Identifier: MIT
#include "cmd/session/running_job.hpp"

#include "cmd/console.hpp"
#include "cmd/options/usage_error.hpp"
#include "cmd/session/job_words.hpp"
#include "cmd/session/join.hpp"
#include "core/base/environment.hpp"
#include "core/base/list_text.hpp"
#include "core/head/job_door.hpp"

namespace launch {
namespace {

std::string text_of(JobNumber job) {
    return std::to_string(static_cast<uint32_t>(job));
}

Error with_list_hint(Error error) {
    error.hint = "`launch ps` lists the running jobs";
    return error;
}

Error no_job(const std::string& session, JobNumber job) {
    return with_list_hint(usage_error(session.empty()
                                          ? "no job " + text_of(job) + " runs"
                                          : "session " + session + " has no job " + text_of(job)));
}

size_t count_jobs(const std::vector<SessionClient>& clients) {
    size_t count = 0;
    for (const SessionClient& client : clients)
        count += client.state().jobs.size();
    return count;
}

Result<RunningJob> only_job(const Asked& asked, const std::string& session) {
    std::vector<SessionClient> clients;
    if (session.empty()) {
        clients = answering_sessions();
        for (SessionClient& client : answering_jobs())
            clients.push_back(std::move(client));
    } else {
        auto client = connect_one(session);
        if (!client) return client.error();
        clients.push_back(*std::move(client));
    }
    const std::string where = session.empty() ? "" : " in session " + session;
    const size_t count = count_jobs(clients);
    for (SessionClient& client : clients)
        if (count == 1 && !client.state().jobs.empty()) {
            const JobNumber number = client.state().jobs.front().number;
            return RunningJob{std::move(client), number};
        }
    return with_list_hint(asked.wrong(count == 0 ? "no job runs" + where
                                                 : "several jobs run" + where + "; name one"));
}

}  // namespace

Result<RunningJob> find_job(const Asked& asked) {
    const auto env = own_environment();
    const std::string session = wanted_session(asked.settings, env);
    if (asked.words.empty()) return only_job(asked, session);
    const auto number = read_job_number(asked);
    if (!number) return number.error();
    if (session.empty()) {
        auto lone = SessionClient::connect_job(static_cast<pid_t>(*number));
        if (!lone) return lone.error();
        if (*lone) return RunningJob{std::move(**lone), *number};
        if (sessions_in_use(session_place(env)).empty()) return no_job({}, *number);
    }
    auto client = connect_one(session);
    if (!client) return client.error();
    return RunningJob{*std::move(client), *number};
}

std::vector<SessionClient> answering_sessions() {
    std::vector<SessionClient> sessions;
    const SessionPlace where = session_place(own_environment());
    for (const auto& name : sessions_in_use(where)) {
        auto client = SessionClient::connect(where, name);
        if (client)
            sessions.push_back(*std::move(client));
        else
            say(describe(client.error()));
    }
    return sessions;
}

std::vector<SessionClient> answering_jobs() {
    std::vector<SessionClient> jobs;
    for (const pid_t process : jobs_with_doors()) {
        auto client = SessionClient::connect_job(process);
        if (!client)
            say(describe(client.error()));
        else if (*client)
            jobs.push_back(std::move(**client));
    }
    return jobs;
}

Result<SessionAnswer> ask(const Asked& asked, RunningJob& job, const SessionRequest& request) {
    auto answer = job.client.ask(request);
    if (!answer || answer->kind == SessionAnswer::Kind::done) return answer;
    const std::string& session = job.client.state().name;
    if (answer->kind != SessionAnswer::Kind::no_rank) return no_job(session, job.number);
    const std::string of_session = session.empty() ? "" : " of session " + session;
    return asked.wrong("job " + text_of(job.number) + of_session + " has " +
                       joined(answer->lines, ""));
}

}  // namespace launch
