# SPDX-License-Identifier: MIT
# Completion of launch's words in fish. Put it into ~/.config/fish/config.fish:
#   launch completion fish | source
# The words come from launch itself (launch __complete).

function __launch_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l lines ($before[1] __complete $before[2..-1] "$current" 2>/dev/null)
    set -l shell $lines[-1]
    set -e lines[-1]
    for line in $lines
        echo $line
    end
    switch "$shell"
        case ':files'
            __fish_complete_path $current
        case ':folders'
            __fish_complete_directories $current ''
        case ':command *'
            # As fish completes the program's words without launch.
            set -l at (string replace ':command ' '' -- $shell)
            complete -C (string join ' ' -- (string escape -- $before[(math $at + 2)..-1]) (string escape -n -- $current))
    end
end

complete -c launch -f -a '(__launch_complete)'
