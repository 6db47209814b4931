/**
 * Shell functions for file operations. Each handles one kind of request to a remote shell. `$sy_stat` is the option
 * with which the remote `stat` accepts a format: `c` (GNU, busybox), `C` (GNU, with fractions of a second) or `f`
 * (BSD). `$sy_fd` is `/proc/self/fd` if this folder exists.
 */
export const FILE_FUNCTIONS: string = `
sy_sizes() {
  case $sy_stat in
  C) stat -L -c '%s %.3Y' -- "$1" ;;
  c) stat -L -c '%s %Y' -- "$1" ;;
  *) stat -L -f '%z %m' -- "$1" ;;
  esac
}
sy_op_stat() {
  sy_pin "$1"
  if [ -f "$sy_f" ]; then sy_k=file; elif [ -d "$sy_f" ]; then sy_k=directory; else sy_k=other; fi
  sy_s=$(sy_sizes "$sy_f") || exit 9
  printf '%s %s' "$sy_k" "$sy_s"
}
sy_open() {
  sy_pin "$1"
  sy_regular
  exec 5<"$sy_f" || exit 9
  sy_from=$sy_f
  [ -n "$sy_fd" ] || return 0
  sy_from=$sy_fd/5
  [ -f "$sy_from" ] || sy_fail ENOTREG something else
  sy_l=$(exec readlink "$sy_from")
  case $sy_l in "$sy_root"/*) ;; *) sy_fail EOUTSIDE ;; esac
}
sy_op_bytes() {
  sy_open "$1"
  if [ "$2" = 0 ]; then head -c "$3" <&5; else tail -c "+$(($2 + 1))" <&5 | head -c "$3"; fi
}
sy_op_lines() {
  sy_open "$1"
  head -c 8000 <"$sy_from"
  printf %s "$5"
  case $3 in
  0) ;;
  all) tail -n "+$2" <"$sy_from" | head -c "$4" ;;
  *) tail -n "+$2" <"$sy_from" | head -n "$3" | head -c "$4" ;;
  esac
}
sy_op_list() {
  sy_pin "$1"
  sy_enter "$sy_f/"
  sy_f=.
  sy_inside
  { [ -r . ] && [ -x . ]; } || sy_fail EACCES
  command -v find >/dev/null || sy_fail EMISSING find
  if [ "$sy_stat" = f ]; then find . -mindepth 1 -maxdepth "$2" -exec stat -f "$3 %Xp %z %m %N" -- {} + 2>/dev/null
  else find . -mindepth 1 -maxdepth "$2" -exec stat -c "$3 %f %s %Y %n" -- {} + 2>/dev/null; fi
  return 0
}
sy_op_make() { sy_make "$1/"; }
sy_take() {
  sy_taken=1
  case $1 in
  0) ;;
  -) cat ;;
  *) dd bs="$1" count=1 iflag=fullblock ;;
  esac
}
sy_pin_new() {
  sy_p=$1 sy_k=0
  while :; do
    sy_split
    sy_e=$sy_f
    sy_make "$sy_d"
    sy_f=$sy_e
    [ -h "$sy_f" ] || break
    sy_k=$((sy_k + 1))
    [ $sy_k -le 40 ] || sy_fail ELOOP
    sy_follow
  done
  sy_inside
}
sy_op_write() {
  sy_taken= sy_n=
  trap '[ -z "$sy_n" ] || rm -f -- "$sy_n"; [ -n "$sy_taken" ] || sy_take "$sy_size" >/dev/null 2>&1' EXIT
  sy_size=$2 sy_tmp=./$4
  sy_pin_new "$1"
  sy_m=
  if [ -e "$sy_f" ]; then
    sy_regular
    [ -w "$sy_f" ] || sy_fail EACCES
    if [ "$sy_stat" = f ]; then sy_m=$(stat -f '%Lp %u:%g' -- "$sy_f"); else sy_m=$(stat -c '%a %u:%g' -- "$sy_f"); fi
    umask 077
  fi
  set -C
  exec 7>"$sy_tmp" || exit 9
  sy_n=$sy_tmp
  sy_take "$sy_size" >&7 || exit 9
  exec 7>&-
  [ "$(($(wc -c <"$sy_n")))" = "$3" ] || sy_fail ESHORT
  if [ -n "$sy_m" ]; then
    chown "\${sy_m#* }" "$sy_n" 2>/dev/null
    chmod "\${sy_m%% *}" "$sy_n" || exit 9
  fi
  mv -f -- "$sy_n" "$sy_f" || exit 9
  sy_n=
}
sy_hold() {
  [ -n "$sy_fd" ] || return 0
  exec 6<. || exit 9
  sy_from=$sy_fd/6/\${sy_from##*/}
}
sy_op_rename() {
  sy_pin_parent "$1"
  [ -e "$sy_f" ] || [ -h "$sy_f" ] || sy_why "$sy_f"
  sy_here
  sy_was=$sy_at\${sy_f#./}
  sy_from=$sy_was
  sy_hold
  sy_p=$2
  sy_split
  sy_e=$sy_f
  printf to
  sy_make "$sy_d"
  sy_f=$sy_e
  sy_here
  [ "$sy_at\${sy_f#./}" != "$sy_was" ] || return 0
  if [ -d "$sy_from" ] && [ ! -h "$sy_from" ]; then
    case $sy_at in "$sy_was"/*) sy_fail EINVAL ;; esac
    if [ -h "$sy_f" ] || { [ -e "$sy_f" ] && [ ! -d "$sy_f" ]; }; then sy_fail ENOTDIR; fi
    if [ -d "$sy_f" ]; then rmdir -- "$sy_f" || sy_fail ENOTEMPTY; fi
  else
    if [ -d "$sy_f" ] && [ ! -h "$sy_f" ]; then sy_fail EISDIR; fi
    if [ -h "$sy_f" ]; then rm -f -- "$sy_f"; fi
  fi
  mv -f -- "$sy_from" "$sy_f" || exit 9
}
sy_empty() {
  if command -v find >/dev/null; then find . -mindepth 1 -maxdepth 1 ! -type d -exec rm -f -- {} + || exit 9; fi
  for sy_n in ./* ./.[!.]* ./..?*; do
    if [ -e "$sy_n" ] || [ -h "$sy_n" ]; then sy_clear "$sy_n"; fi
  done
}
sy_clear() {
  if [ ! -d "$1" ] || [ -h "$1" ]; then rm -f -- "$1" || exit 9; return; fi
  rmdir -- "$1" 2>/dev/null || (
    sy_enter "$1/"
    sy_f=.
    sy_inside
    sy_empty
  ) && { [ ! -d "$1" ] || rmdir -- "$1"; } || exit 9
}
sy_op_remove() {
  sy_pin_parent "$1"
  [ -e "$sy_f" ] || [ -h "$sy_f" ] || sy_why "$sy_f"
  # Other versions of rm resolve paths again, so they would follow a link that replaces a folder during the removal.
  case $(rm --version 2>/dev/null) in
  *GNU*) rm -rf -- "$sy_f" || exit 9 ;;
  *) sy_clear "$sy_f" ;;
  esac
}
`;

/** Shell functions for searches without ripgrep: they list everything below a folder and read many files. */
export const TREE_FUNCTIONS: string = `
sy_op_tree() {
  sy_pin "$1"
  sy_enter "$sy_f/"
  sy_f=.
  sy_inside
  { [ -r . ] && [ -x . ]; } || sy_fail EACCES
  command -v find >/dev/null || sy_fail EMISSING find
  sy_tag=$2
  shift 2
  sy_e="-name ."
  for sy_n in "$@"; do sy_e="$sy_e -o -name $sy_n"; done
  set -f
  case $sy_stat in
  f) find . -mindepth 1 \\( $sy_e \\) -prune -o -exec stat -f "$sy_tag %Xp %z %m %N" -- {} + 2>/dev/null ;;
  C) find . -mindepth 1 \\( $sy_e \\) -prune -o -exec stat -c "$sy_tag %f %s %.9Y %n" -- {} + 2>/dev/null ;;
  *) find . -mindepth 1 \\( $sy_e \\) -prune -o -exec stat -c "$sy_tag %f %s %Y %n" -- {} + 2>/dev/null ;;
  esac
  return 0
}
sy_op_many() {
  sy_tag=$1
  shift
  for sy_n in "$@"; do
    printf %s "$sy_tag"
    ( sy_open "$sy_n" && printf + && exec cat <&5 ) 2>/dev/null
  done
  return 0
}
`;
