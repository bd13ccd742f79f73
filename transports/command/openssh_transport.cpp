#include "transports/command/openssh_transport.hpp"

#include <utility>

#include "core/async/detached_pool.hpp"
#include "transports/command/command_transport.hpp"
#include "transports/command/openssh_errors.hpp"
#include "transports/remote_command.hpp"
#include "transports/ssh/config_text.hpp"
#include "transports/ssh/login_keys.hpp"
#include "transports/ssh/ssh_user.hpp"
#include "transports/start_error.hpp"

namespace launch {
namespace {

/// The client's own failures; everything else is the remote command's exit code.
constexpr int client_failed = 255;

/// The user's ssh config, read when the first host asks.
class LazyConfig {
  public:
    explicit LazyConfig(std::string asked_for) : asked_for_(std::move(asked_for)) {}

    HostConfig resolve(const Host& host) {
        read();
        return resolve_host(lines_, user_, host);
    }
    const std::string& home() {
        read();
        return user_.home;
    }

  private:
    void read() {
        if (std::exchange(read_, true)) return;
        user_ = current_ssh_user();
        lines_ = read_ssh_config(ssh_config_sources(asked_for_, user_.home),
                                 real_config_files(user_.home));
    }

    std::string asked_for_;
    bool read_ = false;
    SshUser user_;
    std::vector<ConfigLine> lines_;
};

/// New keys are written to the first file, and looked for in all.
std::string known_hosts_without_writing(const HostConfig& config) {
    std::string files = "UserKnownHostsFile=/dev/null";
    for (const auto& file : config.known_hosts_files)
        files += " \"" + file + "\"";
    return files;
}

/// What an agent that hangs may cost a message.
constexpr std::chrono::milliseconds agent_patience{2000};
/// Files and agents are asked beside the io_context's thread.
constexpr size_t askers = 4;

/// Tells what the client's end means. The client says little of the keys that it tried: they are
/// found again, as it found them.
class Diagnosis {
  public:
    Diagnosis(const any_io_executor& executor, std::shared_ptr<LazyConfig> config)
        : config_(std::move(config)), pool_(executor, askers) {}

    awaitable<CommandService::Diagnosis> of(const StartRequest& request,
                                            CommandService::Ending ending) {
        if (ending.exit_code) co_return std::nullopt;
        const HostConfig config = config_->resolve(request.host);
        OpensshContext context{config.host_name, config.port, request.connect_timeout, {}};
        if (is_refused_login(ending.error_text))
            context.login = co_await refused(config, request.stop);
        co_return read_openssh_error(ending.error_text, context);
    }

  private:
    awaitable<start_error::RefusedLogin> refused(HostConfig config, std::stop_token stop) {
        const auto keys = std::make_shared<LoginKeys>();
        auto find = [keys, config] {
            if (!config.public_key) return;
            const UniqueFd agent = connect_agent(config.agent);
            *keys = find_login_keys(config, agent.get(), agent_patience);
        };
        const bool found = co_await pool_.run(std::move(find), 2 * agent_patience, std::move(stop));
        co_return refused_login(found ? *keys : LoginKeys{}, config.user, config_->home());
    }

    std::shared_ptr<LazyConfig> config_;
    DetachedPool pool_;
};

}  // namespace

std::vector<std::string> openssh_command_line(const TransportOptions& options,
                                              const HostConfig& config,
                                              const StartRequest& request) {
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
    // What is meant for a person at a terminal would stand in the way, or stay behind.
    option("LogLevel=ERROR");
    option("ClearAllForwardings=yes");
    option("RemoteCommand=none");
    option("PermitLocalCommand=no");
    option("ControlMaster=no");
    option("UpdateHostKeys=no");
    option("AddKeysToAgent=no");
    // Without it OpenSSH would ask a question that nobody sees.
    const bool strict = config.trust == HostConfig::Trust::strict;
    if (strict && options.accept_unknown_keys) {
        option("StrictHostKeyChecking=accept-new");
        option(known_hosts_without_writing(config));
    } else if (strict) {
        option("StrictHostKeyChecking=yes");
    }
    // The client's own first choice costs more than the rest of the connection.
    if (config.kex.empty())
        option("KexAlgorithms=^ecdh-sha2-nistp256,curve25519-sha256,curve25519-sha256@libssh.org");
    if (config.ciphers.empty()) option("Ciphers=^aes128-gcm@openssh.com");
    if (host.port != 0) line.insert(line.end(), {"-p", std::to_string(host.port)});
    if (!host.user.empty()) line.insert(line.end(), {"-l", host.user});
    line.insert(line.end(), {"--", host.name, remote_command(request.argv, request.otherwise)});
    return line;
}

std::unique_ptr<Transport> make_openssh_transport(const any_io_executor& executor,
                                                  const TransportOptions& asked_for,
                                                  Reaper& reaper) {
    TransportOptions options = asked_for;
    options.ssh_config = ssh_config_here(asked_for.ssh_config);
    auto config = std::make_shared<LazyConfig>(options.ssh_config);
    CommandService service;
    service.own_failure = client_failed;
    service.command_line = [options, config](const StartRequest& request) {
        return openssh_command_line(options, config->resolve(request.host), request);
    };
    const auto diagnosis = std::make_shared<Diagnosis>(executor, config);
    service.diagnose = [diagnosis](const StartRequest& request, CommandService::Ending ending) {
        return diagnosis->of(request, std::move(ending));
    };
    return make_command_transport(executor, reaper, std::move(service));
}

}  // namespace launch
