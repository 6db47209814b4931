// Shell functions that examine a workspace. They run in the environment of the workspace.
// `GIT_DIR` is the shadow repository: a separate git repository that stores snapshots of the workspace.
// The functions use only POSIX tools, `find -print0`, `xargs -0` and `stat`.
// In the lists that the functions print, line ends in file names are written as \1.

/** Names of folders that contain installed or compiled files. They are never part of a snapshot. */
export const NOT_WRITTEN = ["node_modules", ".venv", "__pycache__"] as const;

/** Id of the empty git tree. Git knows this tree even if it is not stored. */
export const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/**
 * Maximum number of new files in a snapshot of a folder without a git repository. Half a million files would delay a run
 * by minutes.
 */
const MAX_PLAIN_FILES = 100_000;
/** Maximum total size, in bytes, of the new files in a folder without a git repository. */
const MAX_PLAIN_BYTES = 256 * 1024 * 1024;

const PRUNED = NOT_WRITTEN.map((name) => `-name ${name}`).join(" -o ");

/** Arguments with which GNU `find` prints folders, and all other entries. */
const PRINTED = "\\( -type d -printf '%y:%m\\t%P\\0' -o -printf '%y:%m %s %i %C@\\t%P\\0' \\)";

/**
 * Environment variables that make git use the shadow repository (the repository for snapshots) instead of the user's.
 */
const UNBOUND = "GIT_DIR GIT_WORK_TREE GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_INDEX_FILE";

/**
 * `print_state` prints one entry, followed by a NUL, for each file and folder of the workspace: kind and mode, size, inode
 * and change time, a tab, the name; for folders, only kind and mode, a tab, and the name. `$outside` is the path of a
 * skipped folder. If `find` has no `-printf`, nothing is printed; `list_index` then creates the file `by-stat`, and
 * `stat` is used, which prints kind and mode as one hexadecimal number. Nothing is printed if a file appears or
 * disappears meanwhile.
 */
const PRINT_STATE = `print_state() {
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
 * file `unknown`. The file `sums` contains the total size of the other untracked files, and the number of all.
 */
const SORT_ENTRIES = `
  BEGIN {
    to = ENVIRON["GIT_DIR"] "/"
    state = to ENVIRON["state"]
    prefix = ENVIRON["prefix"]
    limit = ENVIRON["limit"] + 0
    isRaw = ENVIRON["raw"] != ""
  }
  section < 2 && $0 == "" { section++; next }
  section == 0 && /^[?] / {
    path = substr($0, 3)
    print path > (to "others")
    count++
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
const ENTER_INNER = `print_entries() {
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

/**
 * The shell function `add_files` updates the index from the files. Some paths make git fail for all files: a pipe, socket
 * or device in place of a file, which is then removed from the index, and untracked files that are unreadable, which are
 * then excluded and added to the file `large`. These paths are determined only if git fails.
 *
 * The shell function `exclude_paths FILE` excludes paths. Line ends in names are replaced with `?`, because a git
 * pattern cannot contain one.
 */
const ADD_FILES = `paths_of() { sed 's/^/.\\//' "$GIT_DIR/$1" | tr '\\n\\001' '\\000\\n'; }
exclude_paths() {
  [ -s "$GIT_DIR/$1" ] || return 0
  awk '{ print ENVIRON["prefix"] $0 }' "$GIT_DIR/$1" | sed 's/[][*?\\\\!# ]/\\\\&/g; s/^/\\//' | tr '\\001\\r' '??' >> "$GIT_DIR/info/exclude"
}
update_index() {
  if [ -s "$GIT_DIR/others" ]; then git -c core.bigFileThreshold="$threshold" add --all -- .
  else git -c core.bigFileThreshold="$threshold" add --update -- .; fi
}
add_files() {
  update_index 2>/dev/null && return
  git ls-files -z | xargs -0 sh -c 'for path do
if [ ! -L "./$path" ]; then
  if [ -p "./$path" ] || [ -S "./$path" ] || [ -b "./$path" ] || [ -c "./$path" ]; then printf "%s\\0" "$path"; fi
fi; done' sh > "$GIT_DIR/special" && git update-index --force-remove -z --stdin < "$GIT_DIR/special" || return
  paths_of others | xargs -0 -n 500 sh -c 'for path do
[ -r "$path" ] || [ -L "$path" ] || [ -d "$path" ] || printf "%s\\0" "$path"; done' sh \\
    | tr '\\n\\000' '\\001\\n' | sed 's/^[.]\\///' > "$GIT_DIR/unreadable"
  exclude_paths unreadable && cat -- "$GIT_DIR/unreadable" >> "$GIT_DIR/large" && update_index
}
`;

/**
 * The shell function `list_repositories FILE` lists branches, tags, the current branch and a checksum of the index, for
 * the repository and those nested in it. Each line contains the repository's folder, \2 and one of these values. `$top`
 * is empty for a plain folder. An ordinary `HEAD` file is read without git.
 */
const LIST_REPOSITORIES = `repository_state() {
  (unset ${UNBOUND}
  cd -- "$1" 2>/dev/null && [ -e .git ] || exit 0
  exec 2>/dev/null
  head=
  if [ -f .git/HEAD ] && [ ! -L .git/HEAD ]; then read -r head < .git/HEAD; fi
  branch=\${head#ref: refs/heads/}
  case $branch in
  "$head" | '' | *[!A-Za-z0-9/_-]* | /* | *//* | */) head=$(git symbolic-ref -q HEAD || git rev-parse -q --verify HEAD) ;;
  *) head=refs/heads/$branch ;;
  esac
  printf '\\002HEAD %s\\n' "$head"
  git for-each-ref --format='\u0002%(refname) %(objectname)'
  printf '\\002index %s\\n' "$(git ls-files -s -v | cksum)")
}
list_repositories() {
  { [ -z "$top" ] || repository_state "$GIT_WORK_TREE"
  [ ! -s "$GIT_DIR/inner" ] || while IFS= read -r folder; do
    repository_state "$GIT_WORK_TREE/$folder" | folder=$folder awk '{ print ENVIRON["folder"] $0 }'
  done < "$GIT_DIR/inner"; } > "$1"
}
`;

/** The shell function `print_filtered` prints the index entries that have a filter or encoding attribute. */
const PRINT_FILTERED = `print_filtered() {
  (unset ${UNBOUND} GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM GIT_ATTR_NOSYSTEM GIT_LITERAL_PATHSPECS
  git ls-files -z -- . ':(exclude,attr:!filter !working-tree-encoding)' 2>/dev/null || GIT_DIR=$shadow git ls-files -z -- .)
}
`;

/**
 * The shell function `read_raw` makes the index of the shadow repository refer to the raw bytes of all files. It runs
 * after `enter_inner`. The index is a copy of the user's index, so that unchanged files are not read again. Some of its
 * entries, however, refer to contents that filters or conversions have changed. These entries have another size than
 * the file, or a filter or encoding attribute. They are emptied, so that git reads the file when it writes the tree.
 * Files that exceed the limits are removed from the index and added to the file `large`.
 */
const READ_RAW = `read_raw() {
  [ -f "$GIT_DIR/index" ] && [ -s "$GIT_DIR/state.before" ] && [ -s "$GIT_DIR/listed" ] || return 0
  if [ -s "$GIT_DIR/flagged" ]; then
    git ls-files -z > "$GIT_DIR/all" && git update-index -z --no-assume-unchanged --stdin < "$GIT_DIR/all" \\
      && git update-index -z --no-skip-worktree --stdin < "$GIT_DIR/all" || return
  fi
  git cat-file --buffer --batch-check='%(objectsize)' < "$GIT_DIR/ids" > "$GIT_DIR/sizes" || return
  awk '
    FILENAME ~ /[\\/]sizes$/ { size[FNR] = $0; next }
    FILENAME ~ /[\\/]filtered$/ { stored[$0] = "filtered"; next }
    FILENAME ~ /[\\/]listed$/ {
      path = substr($0, index($0, "\\t") + 1)
      # Files with a conflict have several entries.
      if (path in stored) { if (stored[path] "" != size[FNR] "") stored[path] = "several" }
      else stored[path] = size[FNR]
      next
    }
    /^[^4d]/ {
      end = index($0, "\\t")
      path = substr($0, end + 1)
      split(substr($0, 1, end - 1), words, " ")
      if (path in stored && stored[path] "" != words[2] "") print words[2] "\\t" path
    }' "$GIT_DIR/sizes" "$GIT_DIR/filtered" "$GIT_DIR/listed" "$GIT_DIR/state.before" > "$GIT_DIR/stale" || return
  [ -s "$GIT_DIR/stale" ] || return 0
  empty=$(git hash-object --stdin < /dev/null) || return
  sort -n "$GIT_DIR/stale" | EMPTY=$empty awk '
    BEGIN { none = ENVIRON["EMPTY"]; gsub(/./, "0", none) }
    {
      end = index($0, "\\t")
      size = substr($0, 1, end - 1) + 0
      path = substr($0, end + 1)
      sum += size
      isBeyond = sum > 268435456 || size > 104857600
      if (isBeyond) print path >> (ENVIRON["GIT_DIR"] "/large")
      print (isBeyond ? "0 " none : "100644 " ENVIRON["EMPTY"]) "\\t" ENVIRON["prefix"] path
    }' | tr '\\n\\001' '\\000\\n' | git update-index -z --index-info || return
}
`;

/**
 * The shell function `write_tree` sets `$tree` to the id of a git tree with the current files of the workspace, except
 * those in the file `large`. It runs after `enter_inner`, and excludes untracked files that are too large, because
 * storing disk images or models would take minutes. If the new files of a plain folder exceed the limits, it sets `$tree`
 * to the exceeded limit instead.
 */
const WRITE_TREE = `bound_unknown() {
  paths_of unknown | xargs -0 -n 500 sh -c 'exec find "$@" -prune -type f -size +'"$limit"'c -print0' sh \\
    | tr '\\n\\000' '\\001\\n' | sed 's/^[.]\\///' >> "$GIT_DIR/large"
  [ -z "$top" ] || return 0
  more=$(paths_of unknown | xargs -0 -n 500 sh -c 'exec find "$@" -prune ! -type d ! -size +'"$limit"'c -exec ls -lnd {} +' sh \\
    | awk '/^[-l]/ { sum += $5 } END { printf "%.0f", sum }')
  sum=$((sum + more))
}
write_tree() {
  read -r sum count < "$GIT_DIR/sums"
  [ ! -s "$GIT_DIR/unknown" ] || bound_unknown
  tree=
  if [ -z "$top" ] && [ "$count" -gt ${MAX_PLAIN_FILES} ]; then tree='more than ${MAX_PLAIN_FILES} files'; fi
  if [ -z "$top" ] && [ "$sum" -gt ${MAX_PLAIN_BYTES} ]; then tree='more than ${MAX_PLAIN_BYTES / 1024 / 1024} MiB of files'; fi
  [ -z "$tree" ] || return 0
  # Git knows the empty tree although it is not stored.
  if [ -z "$top" ] && [ ! -f "$GIT_DIR/index" ] && [ ! -s "$GIT_DIR/others" ]; then tree=${EMPTY_TREE}; return; fi
  exclude_paths large && add_files && tree=$(git write-tree --missing-ok)
}
print_tree() {
  printf '%s\\000' "$tree"
  [ ! -s "$GIT_DIR/large" ] || tr '\\n\\001' '\\000\\n' < "$GIT_DIR/large"
  printf '\\000'
}
`;

/**
 * Program for `awk` that prints the lines that differ between two states of the workspace, and of its repositories. The
 * order of the lines is almost the same in both states, so that only few lines are held in memory.
 */
const PRINT_DIFFERENCES = `
  function compare(kind, name,   before, after, hasOld, hasNew, old, new, line) {
    before = ENVIRON["GIT_DIR"] "/" name ".before"
    after = ENVIRON["GIT_DIR"] "/" name ".after"
    do {
      hasOld = (getline old < before) > 0
      hasNew = (getline new < after) > 0
      if (hasOld && hasNew && old == new) continue
      if (hasNew) { if (new in gone) delete gone[new]; else made[new] }
      if (hasOld) { if (old in made) delete made[old]; else gone[old] }
    } while (hasOld || hasNew)
    for (line in gone) print kind line
    for (line in made) print kind "\\t" line
    split("", gone)
    split("", made)
  }
  BEGIN {
    if (ENVIRON["known"] != "") compare("s", "state"); else print "s?"
    compare("r", "repositories")
  }`;

/**
 * The shell function `compare` prints the differences between the snapshot and the current state, in base64, because
 * names need not be UTF-8. Lines of the state start with `s`, those of the repositories with `r`. A tab after the letter
 * marks lines of the later state. If a state is unknown, `s?` is printed instead.
 */
const COMPARE = `compare() {
  known=
  if [ -s "$GIT_DIR/state.before" ] && [ -s "$GIT_DIR/state.after" ]; then known=yes; fi
  known=$known awk '${PRINT_DIFFERENCES}' > "$GIT_DIR/differences" || return
  [ ! -s "$GIT_DIR/differences" ] || base64 < "$GIT_DIR/differences"
}
`;

/**
 * Checks that the required tools exist. If one were missing in a pipeline, the script would not fail, but its result
 * would be incomplete.
 */
const TOOLS = `command -v git > /dev/null || exit 127
for tool in awk base64 cat cksum find mkdir sed sort tee touch tr xargs; do
  command -v "$tool" > /dev/null || { echo "the command $tool is missing where the workspace is" >&2; exit 1; }
done
`;

/**
 * All shell functions for examining a workspace. `$shadow` is the path of the repository for snapshots, even where
 * `GIT_DIR` is unset.
 */
export const SHADOW_FUNCTIONS: string = `shadow=$GIT_DIR
export LC_ALL=C
${TOOLS}${PRINT_STATE}${ENTER_INNER}${LIST_REPOSITORIES}${PRINT_FILTERED}${READ_RAW}${ADD_FILES}${WRITE_TREE}${COMPARE}`;
