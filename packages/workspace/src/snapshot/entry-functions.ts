// Shell functions that list the files of a workspace and the entries of the git index.
import { UNBOUND } from "./repository-functions.ts";

/** Names of folders that contain installed or compiled files. They are never part of a snapshot. */
export const NOT_WRITTEN = ["node_modules", ".venv", "__pycache__"] as const;

const PRUNED = NOT_WRITTEN.map((name) => `-name ${name}`).join(" -o ");

/** Arguments with which GNU `find` prints folders, and all other entries. */
const PRINTED = "\\( -type d -printf '%y:%m\\t%P\\0' -o -printf '%y:%m %s %i %C@\\t%P\\0' \\)";

/**
 * `print_state` prints one entry, followed by a NUL, for each file and folder of the workspace. The entry of a file
 * contains kind and mode, size, inode, change time, a tab and the name. The entry of a folder contains only kind and
 * mode, a tab and the name. `$outside` is the path of a skipped folder. If `find` has no `-printf`, nothing is printed;
 * `enter_inner` then creates the file `by-stat`, and `stat` is used, which prints kind and mode as one hexadecimal
 * number. With `stat`, nothing is printed if a file appears or disappears meanwhile.
 */
export const PRINT_STATE: string = `print_state() {
  if [ ! -e "$GIT_DIR/by-stat" ]; then
    find . -path "$outside" -prune -o \\( -name .git -o -type d \\( ${PRUNED} \\) \\) -prune ${PRINTED} -o ${PRINTED} 2>/dev/null
    return 0
  fi
  find . -path "$outside" -prune -o -name .git -prune -print0 -o -type d \\( ${PRUNED} \\) -prune -print0 -o -print0 \\
    > "$GIT_DIR/names" 2>/dev/null
  xargs -0 stat -c '%f %s %i %z' < "$GIT_DIR/names" > "$GIT_DIR/stats" 2>/dev/null \\
    || xargs -0 stat -f '%Xp %z %i %Fc' < "$GIT_DIR/names" > "$GIT_DIR/stats" 2>/dev/null
  [ "$(wc -l < "$GIT_DIR/stats")" -eq "$(tr -cd '\\000' < "$GIT_DIR/names" | wc -c)" ] || return 0
  tr '\\n\\000' '\\001\\n' < "$GIT_DIR/names" | sed 's/^\\.\\///' > "$GIT_DIR/lines"
  sed 's/^\\(4[0-9a-f]*\\) .*/\\1/' "$GIT_DIR/stats" | paste - "$GIT_DIR/lines" | tr '\\n\\001' '\\000\\n'
}
`;

/**
 * Program for `awk` that sorts the entries printed by `print_entries` into files. Each of its lists is followed by an
 * empty line. It fails if git could not list the index.
 *
 * An untracked file that is larger than `$limit` is written to the file `large`, and so is a name such as `.GIT`, which
 * would make `git add` fail for all files. Untracked files whose size the state does not contain are written to the
 * file `unknown`. The file `sums` contains the total size of the other untracked files, and the number of all. Untracked
 * files that were ignored when the snapshot was taken (`ignored.before`) are added to the file `lifted`, which is kept,
 * because later they are in the index.
 */
const SORT_ENTRIES = `
  function wasIgnored(path,   start, size) {
    if (path in ignored) return 1
    for (start = 1; size = index(substr(path, start), "/"); start += size)
      if (substr(path, 1, start + size - 1) in ignored) return 1
    return 0
  }
  BEGIN {
    to = ENVIRON["GIT_DIR"] "/"
    state = to ENVIRON["state"]
    prefix = ENVIRON["prefix"]
    limit = ENVIRON["limit"] + 0
    isRaw = ENVIRON["raw"] != ""
    while ((getline line < (to "ignored.before")) > 0) { ignored[line]; hasIgnored = 1 }
  }
  section < 2 && $0 == "" { section++; next }
  section == 0 && /^[?] / {
    path = substr($0, 3)
    print path > (to "others")
    count++
    if (hasIgnored && wasIgnored(prefix path)) print path >> (to "lifted")
    if (substr(path, length(path)) == "/") print prefix substr(path, 1, length(path) - 1) > (to "roots")
    else if (index(tolower("/" path "/"), "/.git/")) print path > (to "large")
    else untracked[path]
    next
  }
  section == 0 {
    if (isRaw) {
      print > (to "listed")
      print $3 > (to "ids")
      if (/^[a-zS] /) print > (to "flagged")
    }
    if ($2 != "160000") next
    path = prefix substr($0, index($0, "\\t") + 1)
    print path > (to "links")
    print path > (to "roots")
    next
  }
  section == 1 { print > (to "filtered"); next }
  {
    if (!isStored) print > state
    if (!count) next
    end = index($0, "\\t")
    path = substr($0, end + 1)
    if (!(path in untracked)) next
    delete untracked[path]
    split(substr($0, 1, end - 1), words, " ")
    if (/^[f8]/ && words[2] + 0 > limit) print path > (to "large")
    else if (!/^[d4]/) sum += words[2]
  }
  END {
    for (path in untracked) print path > (to "unknown")
    printf "%.0f %d\\n", sum, count > (to "sums")
    exit (section < 2)
  }`;

/**
 * The shell function `list_index` lists the index entries, the untracked files and the state of the workspace in one
 * pass. It writes the state to the file `$state`, unless the state is there from an earlier round. The file `listed`
 * contains the index entries with flags and modes, with paths relative to the workspace, if `$raw` is set. The file
 * `others` contains the untracked files.
 *
 * The shell function `enter_inner` makes git also list the files of nested repositories, including submodules, of which
 * git records only a commit. An index entry below their folder, for a file that does not exist, makes git look inside.
 * `$prefix` is the workspace's path in its repository, with a trailing `/`; empty if they are the same.
 */
export const ENTER_INNER: string = `print_entries() {
  git ls-files -z -t -v -s --cached --others --exclude-standard || exit
  printf '\\000'
  [ -z "$raw" ] || print_filtered
  printf '\\000'
  [ -s "$GIT_DIR/$state" ] || print_state
}
list_index() {
  for name in listed ids flagged others links roots filtered large unknown; do : > "$GIT_DIR/$name"; done
  if [ -s "$GIT_DIR/$state" ]; then set -- - isStored=1 "$GIT_DIR/$state"; else set -- -; fi
  print_entries | tr '\\n\\000' '\\001\\n' | awk '${SORT_ENTRIES}' "$@"
}
enter_inner() {
  : > "$GIT_DIR/$state"
  for round in 1 2 3 4 5 6 7 8 9 10; do
    list_index || return
    # The workspace itself is in the list: without it, "find" cannot print.
    if [ ! -s "$GIT_DIR/$state" ] && [ ! -e "$GIT_DIR/by-stat" ]; then
      : > "$GIT_DIR/by-stat"
      list_index || return
    fi
    [ -s "$GIT_DIR/roots" ] || return 0
    : >> "$GIT_DIR/inner"
    # A repository without files is found each time.
    awk '!known[$0]++' "$GIT_DIR/inner" "$GIT_DIR/roots" > "$GIT_DIR/inner.all" && cat -- "$GIT_DIR/inner.all" > "$GIT_DIR/inner" || return
    empty=$(git hash-object --stdin < /dev/null) || return
    none=$(printf %s "$empty" | tr '0-9a-f' 0)
    { sed "s/^/0 $none\t/" "$GIT_DIR/links"; sed "s/^/100644 $empty\t/; s/$/\\/.switchyard-snapshot/" "$GIT_DIR/roots"; } \\
      | tr '\\n\\001' '\\000\\n' | git update-index -z --index-info || return
  done
}
`;

/** The shell function `print_filtered` prints the index entries that have a filter or encoding attribute. */
export const PRINT_FILTERED: string = `print_filtered() {
  (unset ${UNBOUND} GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM GIT_ATTR_NOSYSTEM GIT_LITERAL_PATHSPECS
  git ls-files -z -- . ':(exclude,attr:!filter !working-tree-encoding)' 2>/dev/null || GIT_DIR=$shadow git ls-files -z -- .)
}
`;
