# SPDX-License-Identifier: MIT
# The end-to-end tests, scripts or script:case, that run under ThreadSanitizer.
# ThreadSanitizer makes fork(2) of vfork(2): what a child tells through shared memory is lost there, so no test of
# programs that cannot be executed is among these.
set(thread_sanitized pmix_service
  local:the_first_line_of_the_readme
  local:every_topology_and_degree_reaches_every_host
  streams:bytes_come_through_as_they_are
  streams:standard_input_goes_to_whom_it_is_for
  signals:an_interrupt_is_the_ranks_to_answer
  signals:a_second_interrupt_kills
  ssh:every_host_answers_with_its_name
  ssh:bytes_through_a_deep_tree_come_back
  errors:a_refused_port
  errors:all_bad_hosts_are_told_at_once_folded_by_cause)
