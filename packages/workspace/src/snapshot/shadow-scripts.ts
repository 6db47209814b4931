// Shell scripts that run several git commands in one process. They use the functions of `shadow-functions.ts`.
import { COMPARE } from "./shadow-functions.ts";

/**
 * Script that creates the repository for snapshots. `$1`: exclude patterns. `$2`: attributes. `$3`: the user's index,
 * possibly split, from which the times and sizes of files are copied. `$4`: hash algorithm. The copy of the index keeps
 * its time, because git uses it to decide whether a file may have changed within the same second. Git replaces an index
 * instead of writing into it, so the hard link `index.before` keeps the initial state.
 */
export const CREATE: string = `(unset GIT_WORK_TREE GIT_ALTERNATE_OBJECT_DIRECTORIES
exec git init --quiet --bare --template= --object-format="$4" "$GIT_DIR") || exit
if [ -n "$1$2" ]; then
  mkdir -p -- "$GIT_DIR/info" && printf %s "$1" > "$GIT_DIR/info/exclude" || exit
  printf %s "$2" > "$GIT_DIR/info/attributes" || exit
fi
if [ -f "$3" ]; then
  cp -- "$3" "$GIT_DIR/index" && touch -r "$3" -- "$GIT_DIR/index" || exit
  ln -- "$GIT_DIR/index" "$GIT_DIR/index.before" 2>/dev/null || cp -- "$GIT_DIR/index" "$GIT_DIR/index.before" || exit
  for part in "\${3%/*}"/sharedindex.*; do [ ! -f "$part" ] || cp -- "$part" "$GIT_DIR/" || exit; done
fi
`;
export const ENTER = "enter_inner || exit\n";
/**
 * Writes a git tree that contains the raw bytes of all files. Runs after `enter_inner`. If there are no untracked
 * files, the folders are not walked again.
 */
const TREE = `add_files && git write-tree --missing-ok`;
export const WRITE_TREE: string = `{ ${TREE}; } || exit\n`;
/**
 * Writes the git tree that a commit would contain. Nested repositories are first removed from the index, because for an
 * entry in the index, git would query the nested repository and execute its configuration. Without an entry, git reads
 * only the checked-out commit.
 */
export const WRITE_CLEAN_TREE: string = `inner=$(git ls-files --stage | sed -n 's/^160000 [^\t]*\t//p') || exit
if [ -n "$inner" ]; then printf '%s\\n' "$inner" | git update-index --force-remove --stdin || exit; fi
git add --all -- . && git write-tree --missing-ok || exit
`;
/**
 * Prints the paths of the untracked files, each followed by a NUL. Paths are prefixed with `./`, because a name may
 * start with a dash.
 */
const PATHS_OF_OTHERS = `sed 's/^/.\\//' "$GIT_DIR/others" | tr '\\n\\001' '\\000\\n'`;
/**
 * Returns a script that writes to the file `large` which untracked files exceed a size, in bytes, or are unreadable. A
 * single unreadable file, or a name such as `.GIT`, would make `git add` fail for all files.
 */
function listLarge(bytes: number): string {
  return `${PATHS_OF_OTHERS} | xargs -0 -n 500 sh -c 'for path do
[ -r "$path" ] || [ -L "$path" ] || [ -d "$path" ] || printf "%s\\0" "$path"
case "$path/" in */.[Gg][Ii][Tt]/*) printf "%s\\0" "$path";; esac; done
exec find "$@" -prune -type f -size +${bytes}c -print0' sh > "$GIT_DIR/large"`;
}

/**
 * Excludes untracked files of a repository that are unreadable or larger than 100 MiB, such as disk images and models,
 * because storing them would take minutes. Runs after `enter_inner`. If there are such files, the script ends here.
 */
export const LIST_LARGE: string = `if [ -s "$GIT_DIR/others" ]; then
  ${listLarge(104857600)}
  tr '\\n\\000' '\\001\\n' < "$GIT_DIR/large" >> "$GIT_DIR/beyond"
fi
if [ -s "$GIT_DIR/beyond" ]; then
  tr '\\n\\001' '\\000\\n' < "$GIT_DIR/beyond" && printf '\\0' && : > "$GIT_DIR/beyond"
  wait
  exit
fi
printf '\\0'
`;
/**
 * Examines the workspace after the run and compares it with the git tree `$1`. Prints the new tree, the differences, an
 * empty entry, and the output of `COMPARE`.
 */
export const COMPARE_STATE: string = `list_state "$GIT_DIR/state.after" &
${ENTER}list_repositories "$GIT_DIR/repositories.after" &
${LIST_LARGE}tree=$(${TREE}) || exit
printf '%s\\n' "$tree"
[ "$tree" = "$1" ] || git diff-tree -r -z --name-status --no-renames "$1" "$tree" || exit
printf '\\0'
wait
${COMPARE}`;
/** Maximum size of a file in the snapshot of a plain folder, in bytes. */
const MAX_FILE_BYTES = 10 * 1024 * 1024;
/**
 * Excludes large and unreadable files of a plain folder. Runs after `LIST_MADE`. Prints the total size of the other
 * files, in bytes, and the list of excluded files. Line ends in names are replaced with `?`, because a git pattern
 * cannot contain one.
 */
export const OMIT_LARGE: string = `${listLarge(MAX_FILE_BYTES)}
mkdir -p -- "$GIT_DIR/info" || exit
tr '\\n\\000' '\\001\\n' < "$GIT_DIR/large" | sed 's/^[.]//; s/[][*?\\\\!# ]/\\\\&/g' | tr '\\001\\r' '??' >> "$GIT_DIR/info/exclude" || exit
${PATHS_OF_OTHERS} | xargs -0 -n 500 sh -c 'exec find "$@" -prune ! -type d ! -size +${MAX_FILE_BYTES}c -exec ls -lnd {} +' sh | awk '/^[-l]/ { sum += $5 } END { printf "%.0f\\n", sum }'
cat -- "$GIT_DIR/large"
`;
/** Stores all files in a single pack. Tens of thousands of loose objects would take too much time and space. */
export const WRITE_PLAIN_TREE: string = `enter_inner && git -c core.bigFileThreshold=1 add --all -- . && git write-tree --missing-ok || exit
`;
/** Prints the list of new files. An empty entry ends the list. */
export const LIST_CREATED: string = `enter_inner && tr '\\n\\001' '\\000\\n' < "$GIT_DIR/others" > "$GIT_DIR/made" || exit
cat -- "$GIT_DIR/made" && printf '\\0' || exit
`;
/** Stores the state of files, branches and index before the run, so that they can be restored. */
export const STORE_STATE: string = `list_state "$GIT_DIR/state.before"
list_repositories "$GIT_DIR/repositories.before"
`;
/** Stores the state of an empty plain folder. `$5`: its permissions, in octal. */
export const STORE_EMPTY_STATE: string = `mkdir -m "$5" -- "$GIT_DIR/empty" || exit
(cd -- "$GIT_DIR/empty" && list_state "$GIT_DIR/state.before") && rmdir -- "$GIT_DIR/empty" || exit
: > "$GIT_DIR/repositories.before"
`;
export const LIST_IGNORED: string = `git ls-files -z --full-name --others --ignored --exclude-standard --directory || exit
`;
/** Stores the same state for a workspace in a repository. Independent steps run in parallel. */
export const ENTER_AND_READ_RAW: string = `list_state "$GIT_DIR/state.before" & state=$!
list_filtered & filtered=$!
${ENTER}list_repositories "$GIT_DIR/repositories.before" &
(${LIST_IGNORED.trim()}) > "$GIT_DIR/ignored" & ignored=$!
wait "$filtered"
wait "$state"
read_raw || exit
`;
export const PRINT_IGNORED: string = `wait "$ignored" || exit
wait
cat -- "$GIT_DIR/ignored"
`;
