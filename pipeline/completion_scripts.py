"""What shells have to know to complete words of ``yamafuda``: a script for each."""

from __future__ import annotations

SCRIPTS = {
    "bash": r"""
_yamafuda() {
    local IFS=$'\n'
    local -x COMP_CWORD=$COMP_CWORD _YAMAFUDA_COMPLETE=complete_bash
    COMPREPLY=($(COMP_WORDS="${COMP_WORDS[*]}" "$1" 2>/dev/null))
    # What ends in = goes on: no blank after it.
    if [[ ${#COMPREPLY[@]} -gt 0 && ${COMPREPLY[0]} == *= ]]; then
        compopt -o nospace 2>/dev/null
    fi
}
complete -o default -F _yamafuda yamafuda
""",
    "zsh": r"""
#compdef yamafuda
_yamafuda() {
    local -x COMP_WORDS=${(pj:\n:)words} COMP_CWORD=$((CURRENT - 1)) _YAMAFUDA_COMPLETE=complete_zsh
    local -a found=(${(f)"$(yamafuda 2>/dev/null)"})
    local -a whole=(${found:#*=}) begun=(${(M)found:#*=})
    (( $#begun )) && compadd -S '' -- $begun
    (( $#whole )) && compadd -- $whole
    (( $#begun + $#whole )) || _files
}
compdef _yamafuda yamafuda
""",
    "fish": r"""
function __yamafuda_complete
    set -l words (commandline -opc)
    set -lx COMP_CWORD (count $words)
    set -lx COMP_WORDS (string join \n -- $words (commandline -ct) | string collect)
    set -lx _YAMAFUDA_COMPLETE complete_fish
    yamafuda 2>/dev/null
end
complete -c yamafuda -a '(__yamafuda_complete)'
""",
}
"""Name of the shell -> script."""
