// Shell functions that store the files of a workspace as a git tree.

/** Id of the empty git tree. Git knows this tree even if it is not stored. */
export const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/**
 * Maximum number of new files in a snapshot of a folder without a git repository. Half a million files would delay a run
 * by minutes.
 */
const MAX_PLAIN_FILES = 100_000;
/** Maximum total size, in bytes, of the new files in a folder without a git repository. */
const MAX_PLAIN_BYTES = 256 * 1024 * 1024;

/**
 * The shell function `read_raw` makes the index of the shadow repository refer to the raw bytes of all files. It runs
 * after `enter_inner`. The index is a copy of the user's index, so that unchanged files are not read again. Some of its
 * entries, however, refer to contents that filters or conversions have changed. These entries have another size than
 * the file, or a filter or encoding attribute. They are emptied, so that git reads the file when it writes the tree.
 * Files that exceed the limits are removed from the index and added to the file `large`.
 */
export const READ_RAW: string = `read_raw() {
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
 * The shell function `add_files` updates the index from the files. Some paths make git fail for all files: a pipe, socket
 * or device in place of a file, which is then removed from the index, and untracked files that are unreadable, which are
 * then excluded and added to the file `large`. These paths are determined only if git fails.
 *
 * The shell function `exclude_paths FILE` excludes paths. Line ends in names are replaced with `?`, because a git
 * pattern cannot contain one. It first waits for the process `$ignored`, which lists the ignored paths: it would read the
 * new patterns, and list excluded files as ignored.
 */
export const ADD_FILES: string = `paths_of() { sed 's/^/.\\//' "$GIT_DIR/$1" | tr '\\n\\001' '\\000\\n'; }
exclude_paths() {
  [ -s "$GIT_DIR/$1" ] || return 0
  [ -z "$ignored" ] || wait "$ignored" || return
  ignored=
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
 * The shell function `write_tree` sets `$tree` to the id of a git tree with the current files of the workspace, except
 * those in the file `large`. It runs after `enter_inner`, and excludes untracked files that are too large, because
 * storing disk images or models would take minutes. If the new files of a plain folder exceed the limits, it sets `$tree`
 * to the exceeded limit instead.
 */
export const WRITE_TREE: string = `bound_unknown() {
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
