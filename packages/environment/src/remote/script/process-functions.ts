/**
 * Shell functions that find and end processes: process groups by their id, and processes that have left their group by
 * a unique id (mark) in an environment variable.
 */
export const PROCESS_FUNCTIONS: string = `
sy_group_of() {
  sy_l=
  # The fields follow the program name, which is in parentheses and may contain any character, even line breaks.
  { while IFS= read -r sy_x || [ -n "$sy_x" ]; do sy_l="$sy_l $sy_x"; done <"/proc/$1/stat"; } 2>/dev/null
  sy_l=\${sy_l##*) }
  # A container may have no init process that reaps zombies, which still count as group members.
  case $sy_l in [ZX]* | '') sy_l=; return ;; esac
  sy_l=\${sy_l#* }
  sy_l=\${sy_l#* }
  sy_l=\${sy_l%% *}
}
sy_group_lives() {
  kill -0 "-$1" 2>/dev/null || return 1
  [ -r /proc/self/stat ] || return 0
  # First the leader of the group and the processes $2, because shells take long to read the state of every process.
  for sy_s in "$1" $2 /proc/[0-9]*; do
    sy_group_of "\${sy_s#/proc/}"
    [ "$sy_l" = "$1" ] && return 0
  done
  return 1
}
sy_marked() {
  [ -n "$1" ] && [ -d /proc/self ] || return 0
  if [ "$sy_grep" = z ]; then
    grep -lzF -- "$1" /proc/[0-9]*/environ 2>/dev/null
  else
    for sy_s in /proc/[0-9]*/environ; do
      { while IFS= read -r sy_l || [ -n "$sy_l" ]; do case $sy_l in *"$1"*) echo "$sy_s"; break ;; esac; done <"$sy_s"; } 2>/dev/null
    done
  fi | while IFS=/ read -r sy_1 sy_2 sy_p sy_4; do echo "$sy_p"; done
}
# A second SIGTERM would run a trap twice, and many programs treat it as a request to exit immediately. So processes of
# the groups $2, which have already received the signal, are skipped.
sy_send_marked() {
  for sy_p in $3; do
    sy_group_of "$sy_p"
    case " $2 " in *" \${sy_l:-none} "*) ;; *) kill "-$1" "$sy_p" 2>/dev/null ;; esac
  done
}
sy_op_end() {
  sy_sent=
  if [ -n "$2" ] && [ "$1" != 0 ]; then
    if kill "-$1" "-$2" 2>/dev/null; then sy_sent=$2; else kill "-$1" "$2" 2>/dev/null; fi
  fi
  sy_m=$(sy_marked "$3")
  [ "$1" = 0 ] || sy_send_marked "$1" "$sy_sent" "$sy_m"
  if [ -n "$2" ] && sy_group_lives "$2" "$sy_m"; then echo group; fi
  printf '%s' "$sy_m"
}
sy_pause() { sleep 0.1 2>/dev/null || sleep 1; }
sy_any() {
  for sy_g in $sy_groups; do sy_group_lives "$sy_g" && return 0; done
  [ -n "$(sy_marked "$sy_mark")" ]
}
sy_send() {
  for sy_g in $sy_groups; do kill "-$1" "-$sy_g" 2>/dev/null; done
  sy_send_marked "$1" "$sy_groups" "$(sy_marked "$sy_mark")"
}
sy_end_all() {
  sy_send TERM
  sy_k=0
  while [ $sy_k -lt "$sy_grace" ] && sy_any; do sy_pause; sy_k=$((sy_k + 1)); done
  sy_k=0
  while [ $sy_k -lt 50 ] && sy_any; do sy_send KILL; sy_pause; sy_k=$((sy_k + 1)); done
}
`;

/**
 * Shell function that reports the capabilities of the remote environment. The environment variables are at the end of
 * the report, each terminated by NUL.
 */
export const FACT_FUNCTIONS: string = `
sy_op_facts() {
  cd -P -- "$1" 2>/dev/null || sy_why "$1/."
  printf '%s\\n' "$(uname -s)" "$(uname -r)" "$(command -v rg || :)"
  if [ -x /bin/bash ]; then echo /bin/bash; else command -v bash || echo; fi
  if stat -c %s / >/dev/null 2>&1; then
    case $(stat -c %.3Y / 2>/dev/null) in *.???) echo C ;; *) echo c ;; esac
  else echo f; fi
  if [ -e /proc/self/fd ] && readlink /proc/self/fd/0 >/dev/null; then echo /proc/self/fd; else echo; fi
  if [ "$(printf abc | dd bs=2 count=1 iflag=fullblock 2>/dev/null)" = ab ]; then echo dd; else echo; fi
  if printf 'a\\000b' | grep -qzF b 2>/dev/null; then echo z; else echo; fi
  if command -v setsid >/dev/null; then echo setsid
  elif command -v perl >/dev/null; then echo perl; else echo; fi
  printf '%s\\000' "$PWD"
  if [ -r "/proc/$$/environ" ]; then cat "/proc/$$/environ"; else env | tr '\\n' '\\000'; fi
}
`;
