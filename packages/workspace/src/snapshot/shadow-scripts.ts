// Shell scripts that run several git commands in one process. They use the functions of `shadow-functions.ts`.

/** Git options that write an exact diff without executing configured programs. */
const DIFF = "git diff-tree -r -p -M --no-color --no-ext-diff --no-textconv";

/**
 * Script that creates the repository for snapshots. `$1`: exclude patterns. `$2`: attributes. `$3`: the user's index,
 * possibly split, from which the times and sizes of files are copied. `$4`: hash algorithm. The other arguments are those
 * of the script that follows. The copy of the index keeps its time, because git uses it to decide whether a file may have
 * changed within the same second. The copy `index.before` keeps the initial state.
 */
export const CREATE: string = `(unset GIT_WORK_TREE GIT_ALTERNATE_OBJECT_DIRECTORIES
exec git init --quiet --bare --template= --object-format="$4" "$GIT_DIR") || exit
if [ -n "$1$2" ]; then
  mkdir -p -- "$GIT_DIR/info" && printf %s "$1" > "$GIT_DIR/info/exclude" || exit
  printf %s "$2" > "$GIT_DIR/info/attributes" || exit
fi
if [ -f "$3" ]; then
  tee -- "$GIT_DIR/index" < "$3" > "$GIT_DIR/index.before" && touch -r "$3" -- "$GIT_DIR/index" || exit
  for part in "\${3%/*}"/sharedindex.*; do [ ! -f "$part" ] || cp -- "$part" "$GIT_DIR/" || exit; done
fi
shift 4
`;
/** Prints the ignored paths. An empty entry ends the list. */
const LIST_IGNORED: string = `git ls-files -z --full-name --others --ignored --exclude-standard --directory`;
/**
 * Stores the state of the workspace before the run. Prints the ignored paths, an empty entry, and the git tree with the
 * paths that it does not contain. Independent steps run in parallel.
 */
export const STORE: string = `export state=state.before raw="$top"
enter_inner || exit
${LIST_IGNORED} > "$GIT_DIR/ignored" & ignored=$!
list_repositories "$GIT_DIR/repositories.before" &
read_raw && write_tree || exit
[ -z "$ignored" ] || wait "$ignored" || exit
wait
if [ -s "$GIT_DIR/ignored" ]; then
  cat -- "$GIT_DIR/ignored" && tr '\\n\\000' '\\001\\n' < "$GIT_DIR/ignored" > "$GIT_DIR/ignored.before" || exit
fi
printf '\\000'
print_tree
`;
/**
 * Prints no ignored paths, and the git tree that a commit would contain. Nested repositories are first removed from the
 * index, because for an entry in the index, git would query the nested repository and execute its configuration. Without
 * an entry, git reads only the checked-out commit.
 */
export const WRITE_CLEAN_TREE: string = `inner=$(git ls-files --stage | sed -n 's/^160000 [^\t]*\t//p') || exit
if [ -n "$inner" ]; then printf '%s\\n' "$inner" | git update-index --force-remove --stdin || exit; fi
git add --all -- . && tree=$(git write-tree --missing-ok) && printf '\\000%s\\000\\000' "$tree" || exit
`;
/** Stores the state of an empty plain folder. `$1`: its permissions, in octal. */
export const STORE_EMPTY: string = `printf 'd:%s\\t\\n' "$1" > "$GIT_DIR/state.before" && : > "$GIT_DIR/repositories.before" || exit
shift
`;
/**
 * Compares the workspace with the snapshot, whose git tree is `$1`. Prints the new tree with the paths that it does not
 * contain, the differences between the trees, each followed by an empty entry, and the output of `compare`, followed by a
 * NUL. Writes the diff between the trees to the file `$2`, with the option `$3`, and prints the first `$4` bytes of the
 * diff. The other arguments are paths that the diff excludes. If files that were ignored are in the new tree, no diff is
 * written, because their contents may be secret, and `?` is printed instead.
 */
export const COMPARE: string = `export state=state.after raw=
enter_inner || exit
list_repositories "$GIT_DIR/repositories.after" &
write_tree || exit
print_tree
before=$1 output=$2 option=$3 shown=$4
shift 4
case $tree in
"$before" | *' '*) before= ;;
*) git diff-tree -r -z --name-status --no-renames "$before" "$tree" || exit ;;
esac
printf '\\000'
wait
compare && printf '\\000' || exit
[ -n "$before" ] || exit 0
[ ! -s "$GIT_DIR/lifted" ] || { printf '?'; exit; }
GIT_LITERAL_PATHSPECS=0 ${DIFF} $option --output="$output" "$before" "$tree" -- "$@" || exit
[ -z "$shown" ] || exec head -c "$shown" -- "$output"
`;
/** Writes the diff between the trees `$1` and `$2` to the file `$3`. The other arguments are options and paths. */
export const WRITE_DIFF: string = `before=$1 after=$2 output=$3
shift 3
GIT_LITERAL_PATHSPECS=0 exec ${DIFF} --output="$output" "$before" "$after" "$@"
`;
/** Prints the files of the git tree `$1`, an empty entry, and the ignored paths. */
export const LIST_FILES: string = `git ls-tree -r -z --full-tree --name-only "$1" && printf '\\000' && ${LIST_IGNORED}
`;
