import { NEWLINE_VARIABLE } from "./quote-argument.ts";

/**
 * Shell functions that resolve paths inside the workspace, whose real path without a trailing `/` is `$sy_root`. Each
 * function changes into the folder and uses relative paths there, so that renaming a parent folder cannot redirect it.
 * A failure writes `@CODE` or the system's message to standard error and exits the shell.
 */
export const PATH_FUNCTIONS: string = `
${NEWLINE_VARIABLE}='
'
sy_fail() { printf '@%s' "$*" >&2; exit 9; }
sy_why() { ls -Ld -- "$1" >/dev/null || exit 9; sy_fail EIO; }
sy_enter() { cd -P -- "$1" 2>/dev/null || sy_why "$1."; }
sy_here() { case $PWD/ in //) sy_at=/ ;; *) sy_at=$PWD/ ;; esac; }
sy_inside() {
  sy_here
  case $sy_f in .) ;; *) sy_at=$sy_at\${sy_f#./}/ ;; esac
  case $sy_at in "$sy_root"/*) ;; *) sy_fail EOUTSIDE ;; esac
}
sy_follow() {
  sy_t=$(readlink "$sy_f"; printf x)
  sy_t=\${sy_t%?x}
  case $sy_t in /*) sy_p=$sy_t ;; *) sy_here; sy_p=$sy_at$sy_t ;; esac
}
sy_split() {
  sy_f=\${sy_p##*/}
  case $sy_f in
  '' | . | ..) sy_d=$sy_p/ sy_f=. ;;
  *) sy_d=\${sy_p%/*}/ sy_f=./$sy_f ;;
  esac
}
sy_pin() {
  sy_p=$1 sy_k=0
  while :; do
    sy_split
    sy_enter "$sy_d"
    [ -h "$sy_f" ] || break
    sy_k=$((sy_k + 1))
    [ $sy_k -le 40 ] || sy_fail ELOOP
    sy_follow
  done
  [ -e "$sy_f" ] || sy_why "$sy_f"
  sy_inside
}
sy_pin_parent() {
  sy_p=$1
  sy_split
  sy_enter "$sy_d"
  sy_e=$sy_f sy_f=.
  sy_inside
  sy_f=$sy_e
}
sy_make() {
  # Another process may create the folder between two of these checks.
  if cd -P -- "$1" 2>/dev/null || [ -e "$1" ]; then sy_enter "$1"; sy_f=.; sy_inside; return; fi
  case $1 in "$sy_root"/*) ;; *) sy_fail EOUTSIDE ;; esac
  sy_rest=\${1#"$sy_root"/}
  sy_enter "$sy_root/"
  while [ -n "$sy_rest" ]; do
    sy_c=./\${sy_rest%%/*}
    case $sy_rest in */*) sy_rest=\${sy_rest#*/} ;; *) sy_rest= ;; esac
    [ "$sy_c" = ./ ] && continue
    if ! cd -P -- "$sy_c" 2>/dev/null; then
      [ -e "$sy_c" ] || mkdir -- "$sy_c" || [ -d "$sy_c" ] || { [ -h "$sy_c" ] && sy_fail ENOENT; exit 9; }
      sy_enter "$sy_c/"
    fi
    sy_f=.
    sy_inside
  done
}
sy_kind() {
  if [ -f "$sy_f" ]; then echo file; elif [ -d "$sy_f" ]; then echo a folder
  elif [ -p "$sy_f" ]; then echo a named pipe; elif [ -S "$sy_f" ]; then echo a socket
  elif [ -b "$sy_f" ] || [ -c "$sy_f" ]; then echo a device; else echo something else; fi
}
sy_regular() { [ -f "$sy_f" ] || sy_fail ENOTREG "$(sy_kind)"; }
`;
