// SPDX-License-Identifier: MIT
#include "transports/ssh/openssh_transport.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/async/detached_pool.hpp"
#include "transports/command/command_transport.hpp"
#include "transports/remote_command.hpp"
#include "transports/ssh/login_keys.hpp"
#include "transports/ssh/new_host_key.hpp"
#include "transports/ssh/new_keys_file.hpp"
#include "transports/ssh/openssh_errors.hpp"
#include "transports/start_error.hpp"

namespace launch {
namespace {

/// The client's own failures; everything else is the remote command's exit code.
constexpr int client_failed = 255;

/// New keys are written to the first file, and looked for in all.
std::string known_hosts_with(const std::string& new_keys, const HostConfig& config) {
    std::string files = "UserKnownHostsFile=" + new_keys;
    for (const auto& file : config.known_hosts_files)
        files += " \"" + file + "\"";
    return files;
}

/// Not those with tokens that only the client understands.
bool knows_its_files(const HostConfig& config) {
    const auto& files = config.known_hosts_files;
    return std::all_of(files.begin(), files.end(), [](const std::string& file) {
        return file.starts_with('/') && file.find_first_of("%$\"") == std::string::npos;
    });
}

/// The time that a start waits for a disk that hangs.
constexpr std::chrono::milliseconds disk_patience{2000};
/// Files and agents are asked beside the io_context's thread.
constexpr size_t askers = 4;

/// State of the transport that its runs share.
struct Client {
    Client(const any_io_executor& executor, std::shared_ptr<SshProfile> whose,
           TransportNote note_to)
        : profile(std::move(whose)), note(std::move(note_to)), pool(executor, askers) {}

    std::shared_ptr<SshProfile> profile;
    TransportNote note;
    DetachedPool pool;
};

/// One run of the client; what keys it accepts are recorded here.
class ClientRun : public CommandRun {
  public:
    ClientRun(std::shared_ptr<Client> client, const StartRequest& request)
        : client_(std::move(client)),
          request_(request),
          config_(client_->profile->resolve(request.host)) {
        if (!config_.undecided && client_->profile->accepts_new_keys(config_) &&
            knows_its_files(config_))
            new_keys_.emplace();
    }

    std::vector<std::string> command_line() const override {
        const bool ours = new_keys_ && *new_keys_;
        return openssh_command_line(client_->profile->options(), config_, request_,
                                    ours ? new_keys_->path() : "");
    }

    awaitable<void> settled() override {
        if (!new_keys_ || !*new_keys_) co_return;
        auto keys = read_new_keys(new_keys_->text());
        if (keys.empty()) co_return;
        const auto why_not = std::make_shared<std::string>();
        auto record = [config = config_, home = client_->profile->home(), keys = std::move(keys),
                       why_not] {
            for (const auto& key : keys) {
                std::string why = record_host_key(config, home, key);
                if (why_not->empty()) *why_not = std::move(why);
            }
        };
        const bool done = co_await client_->pool.run(std::move(record), disk_patience,
                                                     request_.stop, disk_patience);
        tell_accepted(done ? *why_not : config_.new_keys_file + ": no answer");
    }

  private:
    /// As the ssh transport tells it.
    void tell_accepted(const std::string& why_not_recorded) const {
        if (!client_->note) return;
        std::string text = "accepted its unknown host key";
        if (!why_not_recorded.empty()) text += ", but could not record it: " + why_not_recorded;
        client_->note(request_.host.name, text);
    }

    std::shared_ptr<Client> client_;
    const StartRequest& request_;
    HostConfig config_;
    std::optional<NewKeysFile> new_keys_;
};

/// Tells what the client's end means. The client says little of the keys that it tried: they are
/// found again, as it found them.
awaitable<start_error::RefusedLogin> find_refused_login(std::shared_ptr<Client> client,
                                                        HostConfig config, std::stop_token stop) {
    const auto keys = std::make_shared<LoginKeys>();
    auto find = [keys, config] {
        if (!config.public_key) return;
        const UniqueFd agent = connect_agent(config.agent);
        *keys = find_login_keys(config, agent.get(), agent_patience);
    };
    const bool found =
        co_await client->pool.run(std::move(find), 2 * agent_patience, std::move(stop));
    co_return refused_login(found ? *keys : LoginKeys{}, config, client->profile->home());
}

awaitable<CommandService::Diagnosis> diagnose(std::shared_ptr<Client> client,
                                              const StartRequest& request,
                                              CommandService::Ending ending) {
    if (ending.exit_code) co_return std::nullopt;
    const HostConfig config = client->profile->resolve(request.host);
    OpensshContext context{
        config.host_name, config.port, request.connect_timeout, {}, proxy_of(config)};
    context.login.starter = config.starter;
    if (is_refused_login(ending.error_text))
        context.login = co_await find_refused_login(client, config, request.stop);
    co_return read_openssh_error(ending.error_text, context);
}

}  // namespace

std::vector<std::string> openssh_command_line(const TransportOptions& options,
                                              const HostConfig& config, const StartRequest& request,
                                              const std::string& new_keys) {
    const Host& host = request.host;
    std::vector<std::string> line{"ssh", "-x", "-T", options.forward_agent ? "-A" : "-a"};
    const auto option = [&](std::string text) { line.push_back("-o" + std::move(text)); };
    if (!options.ssh_config.empty()) line.insert(line.end(), {"-F", options.ssh_config});
    option("BatchMode=yes");
    option("ConnectionAttempts=1");
    if (request.connect_timeout.count() > 0) {
        const auto seconds =
            std::chrono::ceil<std::chrono::seconds>(request.connect_timeout).count();
        option("ConnectTimeout=" + std::to_string(seconds));
    }
    // Messages for a person at a terminal would get in the way, or be left over.
    option("LogLevel=ERROR");
    option("ClearAllForwardings=yes");
    option("RemoteCommand=none");
    option("PermitLocalCommand=no");
    option("ControlMaster=no");
    option("UpdateHostKeys=no");
    option("AddKeysToAgent=no");
    // Settings in a part of the config that only the client can decide must stand: options given
    // here would override them. Without an option, BatchMode refuses where the client would ask.
    if (config.trust == HostConfig::Trust::strict && options.accept_unknown_keys)
        option("StrictHostKeyChecking=accept-new");
    else if (config.trust == HostConfig::Trust::strict && !config.undecided)
        option("StrictHostKeyChecking=yes");
    if (!new_keys.empty()) option(known_hosts_with(new_keys, config));
    // The client's own first choice costs more than the rest of the connection.
    if (config.kex.empty() && !config.undecided)
        option("KexAlgorithms=^ecdh-sha2-nistp256,curve25519-sha256,curve25519-sha256@libssh.org");
    if (config.ciphers.empty() && !config.undecided) option("Ciphers=^aes128-gcm@openssh.com");
    if (host.port != 0) line.insert(line.end(), {"-p", std::to_string(host.port)});
    if (!host.user.empty()) line.insert(line.end(), {"-l", host.user});
    line.insert(line.end(),
                {"--", host.name, remote_command(request.argv, request.otherwise, request.owners)});
    return line;
}

std::unique_ptr<Transport> make_openssh_transport(const any_io_executor& executor,
                                                  std::shared_ptr<SshProfile> profile,
                                                  Reaper& reaper, TransportNote note) {
    const auto client = std::make_shared<Client>(executor, std::move(profile), std::move(note));
    CommandService service;
    service.own_failure = client_failed;
    service.prepare = [client](const StartRequest& request) {
        return std::make_unique<ClientRun>(client, request);
    };
    service.command_line = [client](const StartRequest& request) {
        const HostConfig config = client->profile->resolve(request.host);
        return openssh_command_line(client->profile->options(), config, request);
    };
    service.diagnose = [client](const StartRequest& request, CommandService::Ending ending) {
        return diagnose(client, request, std::move(ending));
    };
    return make_command_transport(executor, reaper, std::move(service));
}

}  // namespace launch
