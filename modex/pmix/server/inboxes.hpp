// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "modex/pmix/server/inbox.hpp"

namespace launch {

/// The inboxes of all jobs of the process, by their namespaces, and which jobs of the tree they
/// have met: those are namespaces of libpmix here, too, though none of their ranks may be. For all
/// threads.
class Inboxes {
  public:
    void add(std::shared_ptr<Inbox> inbox);
    /// Returns the namespaces that no job here has met any more.
    std::vector<std::string> remove(const Inbox& inbox);
    /// Null: no job has that namespace.
    std::shared_ptr<Inbox> find(const std::string& nspace) const;
    /// A job that has met that namespace; null: none has.
    std::shared_ptr<Inbox> find_acquaintance(const std::string& nspace) const;
    std::vector<std::shared_ptr<Inbox>> all() const;

    /// The job of that inbox has met another one, perhaps again. True: that one is new to libpmix.
    bool meet(const std::shared_ptr<Inbox>& inbox, const std::string& nspace);
    /// It has parted with it as often. True: nobody here has met it any more.
    bool part(const Inbox& inbox, const std::string& nspace);

  private:
    bool is_known(const std::string& nspace) const;

    mutable std::mutex mutex_;
    std::map<std::string, std::shared_ptr<Inbox>> by_nspace_;
    std::multimap<std::string, std::shared_ptr<Inbox>> met_;
};

/// The inboxes of this process.
Inboxes& inboxes();

}  // namespace launch
