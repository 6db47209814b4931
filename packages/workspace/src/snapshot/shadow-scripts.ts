// Scripts of a shadow repository, made of the functions of `shadow-functions.ts`: several commands of git at the price of one.
import { COMPARE } from "./shadow-functions.ts";

/**
 * `$1` patterns that are left out, `$2` attributes, `$3` an index with the times and sizes of files, maybe in parts, `$4` format.
 * Of a file that is as old as its index git reads whether it has changed in the same second: the copy is as old as well. Git
 * replaces an index and never writes into it: the second name keeps the first state.
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
/** Writes a tree of bytes, after `enter_inner`. Without a file that git does not know the folders need not be walked again. */
const TREE = `if [ -s "$GIT_DIR/others" ]; then git add --all -- .; else git add --update -- .; fi \\
  && git write-tree --missing-ok`;
export const WRITE_TREE: string = `{ ${TREE}; } || exit\n`;
/**
 * The same as git would commit it. Git asks an inner repository that is in the index for its state, and would run what that one
 * configures; of one that is not in the index it only reads which commit is checked out.
 */
export const WRITE_CLEAN_TREE: string = `inner=$(git ls-files --stage | sed -n 's/^160000 [^\t]*\t//p') || exit
if [ -n "$inner" ]; then printf '%s\\n' "$inner" | git update-index --force-remove --stdin || exit; fi
git add --all -- . && git write-tree --missing-ok || exit
`;
/**
 * Lists files of `others` that are larger, in bytes, or cannot be read, in `large`: with one that cannot be read git adds none. A
 * name may begin with a dash.
 */
function listLarge(bytes: number): string {
  return `tr '\\n\\001' '\\000\\n' < "$GIT_DIR/others" | xargs -0 -n 500 sh -c 'for path do shift; set -- "$@" "./$path"
[ -r "./$path" ] || [ -L "./$path" ] || [ -d "./$path" ] || printf "%s\\0" "./$path"; done
exec find "$@" -prune -type f -size +${bytes}c -print0' sh > "$GIT_DIR/large"`;
}

/**
 * After `enter_inner`: files of a repository that git does not know and that are left out. They are beyond 100 MiB, since images
 * of disks, models and the like would be read, packed and kept for minutes, or cannot be read. With any of them nothing else is
 * done.
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
 * What there is after the run, and how it differs from the tree `$1`. The tree is printed alone, then what differs, an empty
 * entry, and what `COMPARE` prints.
 */
export const LOOK_AGAIN: string = `list_state "$GIT_DIR/state.after" &
${ENTER}list_repositories "$GIT_DIR/repositories.after" &
${LIST_LARGE}tree=$(${TREE}) || exit
printf '%s\\n' "$tree"
[ "$tree" = "$1" ] || git diff-tree -r -z --name-status --no-renames "$1" "$tree" || exit
printf '\\0'
wait
${COMPARE}`;
/** Largest file of a plain folder that is in a snapshot, in bytes. */
const MAX_FILE_BYTES = 10 * 1024 * 1024;
/**
 * After `LIST_MADE`: leaves files out of a plain folder, prints the size of the others together, in bytes, and a list of those
 * that are left out. Names need not be UTF-8: none of them comes from outside of the script. A pattern of git has no way to hold
 * the end of a line.
 */
export const LEAVE_OUT_LARGE: string = `${listLarge(MAX_FILE_BYTES)}
mkdir -p -- "$GIT_DIR/info" || exit
tr '\\n\\000' '\\001\\n' < "$GIT_DIR/large" | sed 's/^[.]//; s/[][*?\\\\!# ]/\\\\&/g' | tr '\\001\\r' '??' >> "$GIT_DIR/info/exclude" || exit
tr '\\n\\001' '\\000\\n' < "$GIT_DIR/others" | xargs -0 -n 500 sh -c 'for path do shift; set -- "$@" "./$path"; done
exec find "$@" -prune ! -type d ! -size +${MAX_FILE_BYTES}c -exec ls -lnd {} +' sh | awk '/^[-l]/ { sum += $5 } END { printf "%.0f\\n", sum }'
cat -- "$GIT_DIR/large"
`;
/** Every file goes into one pack: tens of thousands of loose ones would take their time, and their place. */
export const WRITE_PLAIN_TREE: string = `enter_inner && git -c core.bigFileThreshold=1 add --all -- . && git write-tree --missing-ok || exit
`;
/** A list ends with an empty entry. */
export const LIST_MADE: string = `enter_inner && tr '\\n\\001' '\\000\\n' < "$GIT_DIR/others" > "$GIT_DIR/made" || exit
cat -- "$GIT_DIR/made" && printf '\\0' || exit
`;
/** The user's index is kept as it was, to restore what was staged. */
export const KEEP_STATE: string = `list_state "$GIT_DIR/state.before"
list_repositories "$GIT_DIR/repositories.before"
`;
export const LIST_IGNORED: string = `git ls-files -z --full-name --others --ignored --exclude-standard --directory || exit
`;
/** The same of a repository. What does not depend on each other is done at the same time. */
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
