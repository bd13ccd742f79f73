// SPDX-License-Identifier: MIT
#include "modex/detect/python_mpi.hpp"

#include <algorithm>

#include "core/base/base_name.hpp"
#include "core/base/environment.hpp"

namespace launch {
namespace {

constexpr std::size_t most_python_folders = 64;

std::string folder_of(const std::string& path) {
    const auto slash = path.rfind('/');
    return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

/// "python3.11": the folders of libraries carry the version.
bool has_version(const std::string& name) {
    return name.starts_with("python3.");
}

class Folders {
  public:
    Folders(const std::string& path, const std::vector<std::string>& env, FileAccess& files)
        : files_(files), real_(files.real_path(path)) {
        add_listed(env_value(env, "PYTHONPATH"));
        const std::string virtual_env = env_value(env, "VIRTUAL_ENV");
        if (!virtual_env.empty()) add_prefix(virtual_env);
        const std::string prefix = folder_of(folder_of(path));
        const std::string real_prefix = folder_of(folder_of(real_));
        add_prefix(prefix);
        const std::string home = env_value(env, "HOME");
        if (!home.empty()) add_prefix(home + "/.local");
        if (real_prefix != prefix) add_prefix(real_prefix);
        if (real_prefix == "/usr") {
            add_prefix("/usr/local");
            folders_.emplace_back("/usr/lib/python3/dist-packages");
        }
    }

    const std::vector<std::string>& all() const { return folders_; }

  private:
    void add_listed(const std::string& list) {
        for (std::size_t at = 0; at < list.size() && folders_.size() < most_python_folders;) {
            const auto end = std::min(list.find(':', at), list.size());
            if (end > at) folders_.push_back(list.substr(at, end - at));
            at = end + 1;
        }
    }

    void add_prefix(const std::string& prefix) {
        const std::string version(base_name(real_));
        for (const char* lib : {"/lib", "/lib64"}) {
            std::vector<std::string> versions{version};
            if (!has_version(version)) versions = versions_in(prefix + lib);
            for (const auto& each : versions) {
                auto folder = prefix + lib;
                folder.append("/").append(each);
                folders_.push_back(folder + "/site-packages");
                folders_.push_back(folder + "/dist-packages");
            }
        }
    }

    std::vector<std::string> versions_in(const std::string& folder) {
        auto names = files_.list(folder);
        std::erase_if(names, [](const auto& name) { return !has_version(name); });
        return names;
    }

    FileAccess& files_;
    std::string real_;
    std::vector<std::string> folders_;
};

/// "MPI.cpython-311-x86_64-linux-gnu.so"; one for each MPI it was built for, in later releases.
bool is_mpi_module(const std::string& name) {
    return name.starts_with("MPI.") && name.ends_with(".so");
}

}  // namespace

std::vector<std::string> mpi4py_libraries(const std::string& path,
                                          const std::vector<std::string>& env, FileAccess& files) {
    const Folders folders(path, env, files);
    for (const auto& folder : folders.all()) {
        const std::string package = folder + "/mpi4py";
        auto names = files.list(package);
        std::erase_if(names, [](const auto& name) { return !is_mpi_module(name); });
        if (names.empty()) continue;
        std::sort(names.begin(), names.end());
        for (auto& name : names)
            name.insert(0, package + "/");
        return names;
    }
    return {};
}

bool is_python(std::string_view program) {
    const auto name = base_name(program);
    return name.starts_with("python") || name.starts_with("pypy");
}

}  // namespace launch
