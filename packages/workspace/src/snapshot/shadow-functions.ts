// Shell functions that examine a workspace. They run in the environment of the workspace.
// `GIT_DIR` is the shadow repository: a separate git repository that stores snapshots of the workspace.
// The functions use only POSIX tools, `find -print0`, `xargs -0` and `stat`.
// In the lists that the functions print, line ends in file names are written as \1.

/** Names of folders that contain installed or compiled files. They are never part of a snapshot. */
export const NOT_WRITTEN = ["node_modules", ".venv", "__pycache__"] as const;

const PRUNED = NOT_WRITTEN.map((name) => `-name ${name}`).join(" -o ");

/** Arguments with which GNU `find` prints folders, and all other entries. */
const PRINTED = "\\( -type d -printf '%y:%m\\t%P\\0' -o -printf '%y:%m %s %i %C@\\t%P\\0' \\)";

/**
 * Environment variables that make git use the shadow repository (the repository for snapshots) instead of the user's.
 */
const UNBOUND = "GIT_DIR GIT_WORK_TREE GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_INDEX_FILE";

/**
 * `list_state FILE` writes one line for each file and folder of the workspace: kind and mode, size, inode and change
 * time, a tab, the name; for folders, only kind and mode, a tab, and the name. If `find` has no `-printf`, `stat` is
 * used, which prints kind and mode as one hexadecimal number; FILE is then not written if a file appears or disappears
 * meanwhile. `$outside` is the path of a skipped folder.
 */
const LIST_STATE = `list_state() {
  find . -path "$outside" -prune -o \\( -name .git -o -type d \\( ${PRUNED} \\) \\) -prune ${PRINTED} -o ${PRINTED} \\
    2>/dev/null | tr '\\n\\000' '\\001\\n' | sort > "$1"
  # The workspace itself is in the list: without it, "find" cannot print.
  [ ! -s "$1" ] || return 0
  rm -f "$1"
  find . -path "$outside" -prune -o -name .git -prune -print0 -o -type d \\( ${PRUNED} \\) -prune -print0 -o -print0 \\
    > "$GIT_DIR/names" 2>/dev/null
  xargs -0 stat -c '%f %s %i %z' < "$GIT_DIR/names" > "$GIT_DIR/stats" 2>/dev/null \\
    || xargs -0 stat -f '%Xp %z %i %Fc' < "$GIT_DIR/names" > "$GIT_DIR/stats" 2>/dev/null
  [ "$(wc -l < "$GIT_DIR/stats")" -eq "$(tr -cd '\\000' < "$GIT_DIR/names" | wc -c)" ] || return 0
  tr '\\n\\000' '\\001\\n' < "$GIT_DIR/names" | sed 's/^\\.\\///' > "$GIT_DIR/lines"
  sed 's/^\\(4[0-9a-f]*\\) .*/\\1/' "$GIT_DIR/stats" | paste - "$GIT_DIR/lines" | sort > "$1"
}
`;

/**
 * The shell function `list_index` lists the entries of the git index with flags and modes, and the untracked files, in
 * one walk. The file `listed` contains one line for each, with paths relative to the workspace. The file `others`
 * contains only untracked files.
 *
 * The shell function `enter_inner` makes git also list the files of nested repositories, including submodules, of which
 * git records only a commit. An index entry below their folder, for a file that does not exist, makes git look inside.
 * `$prefix` is the workspace's path in its repository, with a trailing `/`; empty if they are the same.
 */
const ENTER_INNER = `list_index() {
  git ls-files -z -t -v -s --cached --others --exclude-standard > "$GIT_DIR/listed.raw" || return
  : > "$GIT_DIR/listed"
  : > "$GIT_DIR/others"
  : > "$GIT_DIR/links"
  : > "$GIT_DIR/roots"
  tr '\\n\\000' '\\001\\n' < "$GIT_DIR/listed.raw" | awk '
    { print > (ENVIRON["GIT_DIR"] "/listed") }
    /^[?] / {
      path = substr($0, 3)
      print path > (ENVIRON["GIT_DIR"] "/others")
      if (substr(path, length(path)) != "/") next
      print ENVIRON["prefix"] substr(path, 1, length(path) - 1) > (ENVIRON["GIT_DIR"] "/roots")
    }
    /^[^?] 160000 / {
      path = ENVIRON["prefix"] substr($0, index($0, "\\t") + 1)
      print path > (ENVIRON["GIT_DIR"] "/links")
      print path > (ENVIRON["GIT_DIR"] "/roots")
    }'
}
enter_inner() {
  for round in 1 2 3 4 5 6 7 8 9 10; do
    list_index || return
    [ -s "$GIT_DIR/roots" ] || return 0
    cat -- "$GIT_DIR/roots" >> "$GIT_DIR/inner"
    empty=$(git hash-object --stdin < /dev/null) || return
    none=$(printf %s "$empty" | tr '0-9a-f' 0)
    { sed "s/^/0 $none\t/" "$GIT_DIR/links"; sed "s/^/100644 $empty\t/; s/$/\\/.switchyard-snapshot/" "$GIT_DIR/roots"; } \\
      | tr '\\n\\001' '\\000\\n' | git update-index -z --index-info || return
  done
}
`;

/**
 * The shell function `add_files` updates the index from the files. A pipe, socket or device in place of a file makes git
 * fail for all files, so that it is then removed from the index.
 */
const ADD_FILES = `update_index() {
  if [ -s "$GIT_DIR/others" ]; then git add --all -- .; else git add --update -- .; fi
}
add_files() {
  update_index 2>/dev/null && return
  git ls-files -z | xargs -0 sh -c 'for path do
if [ ! -L "./$path" ]; then
  if [ -p "./$path" ] || [ -S "./$path" ] || [ -b "./$path" ] || [ -c "./$path" ]; then printf "%s\\0" "$path"; fi
fi; done' sh > "$GIT_DIR/special" && git update-index --force-remove -z --stdin < "$GIT_DIR/special" && update_index
}
`;

/**
 * The shell function `list_repositories FILE` lists branches, tags, the current branch and a checksum of the index, for
 * the repository and those nested in it. Each line contains the repository's folder, \2 and one of these values. `$top`
 * is empty for a plain folder.
 */
const LIST_REPOSITORIES = `repository_state() {
  (unset ${UNBOUND}
  cd -- "$1" 2>/dev/null && [ -e .git ] || exit 0
  { printf 'HEAD %s\\n' "$(git symbolic-ref -q HEAD || git rev-parse -q --verify HEAD)"
  git for-each-ref --format='%(refname) %(objectname)'
  printf 'index %s\\n' "$(git ls-files -s -v | cksum)"; } 2>/dev/null | folder=$2 awk '{ print ENVIRON["folder"] "\\002" $0 }')
}
list_repositories() {
  { [ -z "$top" ] || repository_state "$GIT_WORK_TREE" ""
  [ ! -s "$GIT_DIR/inner" ] || while IFS= read -r folder; do repository_state "$GIT_WORK_TREE/$folder" "$folder"; done < "$GIT_DIR/inner"
  } | sort > "$1"
}
`;

/**
 * The shell function `list_filtered` writes the index entries that have a filter or encoding attribute to the file
 * `filtered`.
 */
const LIST_FILTERED = `list_filtered() {
  (unset ${UNBOUND} GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM GIT_ATTR_NOSYSTEM GIT_LITERAL_PATHSPECS
  git ls-files -z -- . ':(exclude,attr:!filter !working-tree-encoding)' 2>/dev/null || GIT_DIR=$shadow git ls-files -z -- .) \\
    | tr '\\n\\000' '\\001\\n' > "$GIT_DIR/filtered"
}
`;

/**
 * The shell function `read_raw` makes the index of the shadow repository refer to the raw bytes of all files. It runs
 * after `list_index`, `list_state` and `list_filtered`. The index is a copy of the user's index, so that unchanged
 * files are not read again. Some of its entries, however, refer to contents that filters or conversions have changed.
 * These entries have another size than the file, or a filter or encoding attribute. They are emptied, so that git reads
 * the file when it writes the tree. Files that exceed the limits are removed from the index and listed in the file
 * `beyond`.
 */
const READ_RAW = `read_raw() {
  : > "$GIT_DIR/beyond"
  [ -f "$GIT_DIR/index" ] && [ -f "$GIT_DIR/state.before" ] && [ -f "$GIT_DIR/listed" ] || return 0
  if grep -q '^[a-zS] ' "$GIT_DIR/listed"; then
    git ls-files -z > "$GIT_DIR/all" && git update-index -z --no-assume-unchanged --stdin < "$GIT_DIR/all" \\
      && git update-index -z --no-skip-worktree --stdin < "$GIT_DIR/all" || return
  fi
  awk '!/^[?] / { print $3 }' "$GIT_DIR/listed" | git cat-file --buffer --batch-check='%(objectsize)' > "$GIT_DIR/sizes" || return
  awk '
    FILENAME ~ /[\\/]sizes$/ { size[FNR] = $0; next }
    FILENAME ~ /[\\/]filtered$/ { stored[$0] = "filtered"; next }
    FILENAME ~ /[\\/]listed$/ {
      if (/^[?] /) next
      path = substr($0, index($0, "\\t") + 1)
      entry++
      # Files with a conflict have several entries.
      if (path in stored) { if (stored[path] "" != size[entry] "") stored[path] = "several" }
      else stored[path] = size[entry]
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
      if (isBeyond) print path > (ENVIRON["GIT_DIR"] "/beyond")
      print (isBeyond ? "0 " none : "100644 " ENVIRON["EMPTY"]) "\\t" ENVIRON["prefix"] path
    }' | tr '\\n\\001' '\\000\\n' | git update-index -z --index-info || return
}
`;

/**
 * Checks that the required tools exist. If one were missing in a pipeline, the script would not fail, but its result
 * would be incomplete.
 */
const TOOLS = `for tool in awk comm sort; do
  command -v "$tool" > /dev/null || { echo "the command $tool is missing where the workspace is" >&2; exit 1; }
done
`;

/**
 * All shell functions for examining a workspace. `$shadow` is the path of the repository for snapshots, even where
 * `GIT_DIR` is unset.
 */
export const SHADOW_FUNCTIONS: string = `shadow=$GIT_DIR
export LC_ALL=C
${TOOLS}${LIST_STATE}${ENTER_INNER}${LIST_REPOSITORIES}${LIST_FILTERED}${READ_RAW}${ADD_FILES}`;

/**
 * Shell script that prints the differences between the snapshot and the current state. It runs after `list_state
 * "$GIT_DIR/state.after"` and `list_repositories "$GIT_DIR/repositories.after"`. It prints the differing lines of
 * `list_state` in base64, because names need not be UTF-8, then a NUL, then the differing lines of `list_repositories`.
 * Lines of the later state start with a tab.
 */
export const COMPARE: string = `if [ -f "$GIT_DIR/state.before" ] && [ -f "$GIT_DIR/state.after" ]; then
  comm -3 "$GIT_DIR/state.before" "$GIT_DIR/state.after" | base64 | tr -d '\\n'
else printf '?'; fi
printf '\\000'
[ ! -f "$GIT_DIR/repositories.before" ] || comm -3 "$GIT_DIR/repositories.before" "$GIT_DIR/repositories.after"
`;
