#compdef launch
# SPDX-License-Identifier: MIT
# Completion of launch's words in zsh. Put it into a folder of $fpath as _launch, or into ~/.zshrc
# after compinit: source <(launch completion zsh)
# The words come from launch itself (launch __complete).

_launch() {
    local -a lines candidates open plain
    local line text help shell
    lines=("${(@f)$(${~words[1]} __complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
    shell=${lines[-1]}
    for line in "${(@)lines[1,-2]}"; do
        text=${line%%$'\t'*}
        help=${line#*$'\t'}
        if [[ -n $help && $text == *: ]]; then
            open+=("${text//:/\\:}:$help")
        elif [[ -n $help ]]; then
            candidates+=("${text//:/\\:}:$help")
        else
            plain+=("$text")
        fi
    done
    # A word that ends with a colon goes on: no space comes after it.
    _describe -t launch 'launch' candidates -- open -S ''
    (( $#plain )) && compadd -a plain
    case $shell in
        (:files) _files ;;
        (:folders) _files -/ ;;
        (:command*)
            # As zsh completes the program's words without launch.
            shift $(( ${shell#:command } + 1 )) words
            (( CURRENT -= ${shell#:command } + 1 ))
            _normal
            ;;
    esac
}

# As a file of $fpath it is run to complete; sourced, it only tells zsh of the function.
if [[ ${funcstack[1]} == _launch ]]; then
    _launch "$@"
else
    compdef _launch launch
fi
