import type { Shell } from "./shells.ts";

// Each script calls `switchyard complete` with the words up to the cursor.
// The first line of the output is the kind of files to offer as completions.

// Supports Bash 3.2, which ships with macOS: no mapfile, no negative indices.
// Bash splits words at the characters in COMP_WORDBREAKS, so the script joins them again.
const BASH = `_switchyard() {
  local words=() word glue=0 current reply line first=1
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if ((\${#words[@]} > 0)) && [[ $glue == 1 || $word == [=:]* ]]; then
      words[\${#words[@]}-1]+="$word"
    else
      words+=("$word")
    fi
    glue=0
    if [[ $word == *[=:] ]]; then glue=1; fi
  done
  current="\${words[\${#words[@]}-1]}"
  local cut="\${current%"\${current##*[=:]}"}"
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $first == 1 ]]; then
      first=0
      case "$line" in
        :files) compopt -o filenames 2>/dev/null; while IFS= read -r reply; do COMPREPLY+=("$reply"); done < <(compgen -f -- "\${current#"$cut"}") ;;
        :folders) compopt -o filenames 2>/dev/null; while IFS= read -r reply; do COMPREPLY+=("$reply"); done < <(compgen -d -- "\${current#"$cut"}") ;;
      esac
      continue
    fi
    reply="\${line%%$'\\t'*}"
    case "$reply" in *:) compopt -o nospace 2>/dev/null ;; esac
    COMPREPLY+=("\${reply#"$cut"}")
  done < <(switchyard complete -- "\${words[@]}" 2>/dev/null)
}
complete -F _switchyard switchyard
`;

const ZSH = `#compdef switchyard
_switchyard() {
  local -a lines open closed
  local line value description kind
  lines=("\${(@f)$(switchyard complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  kind="\${lines[1]}"
  for line in "\${(@)lines[2,-1]}"; do
    value="\${line%%$'\\t'*}"
    description="\${line#*$'\\t'}"
    if [[ "$value" == *: ]]; then open+=("\${value//:/\\\\:}:$description"); else closed+=("\${value//:/\\\\:}:$description"); fi
  done
  ((\${#closed})) && _describe -t values 'switchyard' closed
  ((\${#open})) && _describe -t values 'switchyard' open -S ''
  case "$kind" in
    :files) _files ;;
    :folders) _files -/ ;;
  esac
}
if [[ "\${funcstack[1]}" == _switchyard ]]; then _switchyard "$@"; else compdef _switchyard switchyard; fi
`;

const FISH = `function __switchyard_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines (switchyard complete -- $words[2..-1] "$current" 2>/dev/null)
    switch "$lines[1]"
        case :files
            __fish_complete_path "$current"
        case :folders
            __fish_complete_directories "$current"
    end
    if test (count $lines) -gt 1
        printf '%s\\n' $lines[2..-1]
    end
end
complete -c switchyard -f -a '(__switchyard_complete)'
`;

/** Completion scripts of the command `switchyard`, by shell. */
export const COMPLETION_SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
