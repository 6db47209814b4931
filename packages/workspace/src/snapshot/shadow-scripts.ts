// Shell functions that look at a workspace. They run where the workspace is, with `GIT_DIR` set to the shadow repository, and
// use only POSIX tools, `find -print0`, `xargs -0` and `stat`. In lists, a name's line ends are written as \1.

/** Names of folders that hold installed or compiled files: their contents are never part of a snapshot. */
export const NOT_WRITTEN = ["node_modules", ".venv", "__pycache__"] as const;

const PRUNED = NOT_WRITTEN.map((name) => `-name ${name}`).join(" -o ");

/** What GNU `find` prints of a folder, and of everything else. */
const PRINTED = "\\( -type d -printf '%y:%m\\t%P\\0' -o -printf '%y:%m %s %i %C@\\t%P\\0' \\)";

/** Variables that bind git to the shadow repository, or hide the user's settings. */
const UNBOUND = "GIT_DIR GIT_WORK_TREE GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_INDEX_FILE";

/**
 * `list_state FILE` writes one line for everything in the workspace: kind and mode, size, inode and change time, a tab, the
 * name. Folders have their mode only. Where `find` cannot print that itself, `stat` does, with kind and mode as one hexadecimal
 * number, and no file is written if something appears or disappears meanwhile. `$outside` is the path of a folder that is skipped.
 */
const LIST_STATE = `list_state() {
  rm -f "$1"
  if find . -maxdepth 0 -printf '' 2>/dev/null; then
    find . -path "$outside" -prune -o \\( -name .git -o -type d \\( ${PRUNED} \\) \\) -prune ${PRINTED} -o ${PRINTED} \\
      2>/dev/null | tr '\\n\\000' '\\001\\n' | sort > "$1"
    return 0
  fi
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
 * `enter_inner` makes the shadow index descend into repositories inside of the workspace, submodules included: git records only
 * a commit of them. An entry in the index below their folder, for a file that does not exist, makes git look inside.
 */
const ENTER_INNER = `enter_inner() {
  for round in 1 2 3 4 5 6 7 8 9 10; do
    : > "$GIT_DIR/links"
    if git ls-files -s | grep -q '^160000'; then
      git ls-files --full-name -s -z | tr '\\n\\000' '\\001\\n' | sed -n 's/^160000 [^\t]*\t//p' > "$GIT_DIR/links"
    fi
    git ls-files --full-name -z --others --exclude-standard > "$GIT_DIR/others" || return
    tr '\\n\\000' '\\001\\n' < "$GIT_DIR/others" | sed -n 's/\\/$//p' | cat - "$GIT_DIR/links" > "$GIT_DIR/roots"
    [ -s "$GIT_DIR/roots" ] || return 0
    cat -- "$GIT_DIR/roots" >> "$GIT_DIR/inner"
    empty=$(git hash-object -w --stdin < /dev/null) || return
    none=$(printf %s "$empty" | tr '0-9a-f' 0)
    { sed "s/^/0 $none\t/" "$GIT_DIR/links"; sed "s/^/100644 $empty\t/; s/$/\\/.switchyard-snapshot/" "$GIT_DIR/roots"; } \\
      | tr '\\n\\001' '\\000\\n' | git update-index -z --index-info || return
  done
}
`;

/**
 * `list_repositories FILE` writes the references, the current branch and a checksum of the index of the repository and of
 * those inside of it: one line each, after the folder and \2. `$top` is empty for a plain folder.
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
 * `read_raw` makes the shadow index hold the bytes of all files. It is a copy of the user's, by which unchanged files are not
 * read again; but its entries are what git stores of them after filters and conversions. Entries that are not the bytes have
 * another size, or a filter or an encoding among their attributes. Files beyond the bounds are removed and printed.
 */
const READ_RAW = `read_raw() {
  : > "$GIT_DIR/beyond"
  [ -f "$GIT_DIR/index" ] && [ -f "$GIT_DIR/state.before" ] || return 0
  if git ls-files -v -- . | grep -q '^[a-zS]'; then
    git ls-files -z > "$GIT_DIR/all" && git update-index -z --no-assume-unchanged --stdin < "$GIT_DIR/all" \\
      && git update-index -z --no-skip-worktree --stdin < "$GIT_DIR/all" || return
  fi
  git ls-files -s -z -- . | tr '\\n\\000' '\\001\\n' > "$GIT_DIR/listed"
  cut -d ' ' -f 2 "$GIT_DIR/listed" | git cat-file --buffer --batch-check='%(objectsize)' > "$GIT_DIR/sizes" || return
  cut -f 2- "$GIT_DIR/listed" | paste "$GIT_DIR/sizes" - | sort > "$GIT_DIR/stored"
  awk '/^[^4d]/ { end = index($0, "\t"); split(substr($0, 1, end - 1), words, " "); print words[2] substr($0, end) }' \\
    "$GIT_DIR/state.before" | sort > "$GIT_DIR/found"
  { comm -23 "$GIT_DIR/stored" "$GIT_DIR/found" | cut -f 2-
  (unset ${UNBOUND} GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM GIT_ATTR_NOSYSTEM GIT_LITERAL_PATHSPECS
  git ls-files -z -- . ':(exclude,attr:!filter !working-tree-encoding)' 2>/dev/null || GIT_DIR=$shadow git ls-files -z -- .) \\
    | tr '\\n\\000' '\\001\\n'; } > "$GIT_DIR/stale"
  [ -s "$GIT_DIR/stale" ] || return 0
  awk -F '\t' 'NR == FNR { stale[$0] = 1; next } { name = $0; sub(/^[^\t]*\t/, "", name) } name in stale' \\
    "$GIT_DIR/stale" "$GIT_DIR/found" | sort -n \\
    | awk -F '\t' '{ sum += $1; print (sum > 268435456 || $1 > 104857600 ? "b" : "r") "\t" $0 }' > "$GIT_DIR/raw"
  cut -f 3- "$GIT_DIR/raw" | tr '\\n\\001' '\\000\\n' | git update-index -z --force-remove --stdin || return
  sed -n 's/^r\t[0-9]*\t//p' "$GIT_DIR/raw" | tr '\\n\\001' '\\000\\n' | git update-index -z --add --stdin || return
  sed -n 's/^b\t[0-9]*\t//p' "$GIT_DIR/raw" | tr '\\n\\001' '\\000\\n' > "$GIT_DIR/beyond"
}
`;

/** A pipeline hides the failure of a tool that is missing: what it finds would be silently incomplete. */
const TOOLS = `for tool in awk comm cut paste sort; do
  command -v "$tool" > /dev/null || { echo "the command $tool is missing where the workspace is" >&2; exit 1; }
done
`;

/** All of them. `$shadow` is the shadow repository, also where `GIT_DIR` is unset. */
export const SHADOW_FUNCTIONS: string = `shadow=$GIT_DIR
${TOOLS}${LIST_STATE}${ENTER_INNER}${LIST_REPOSITORIES}${READ_RAW}`;

/** After `list_state "$GIT_DIR/state.after"`: prints what differs from the snapshot, lines of `list_state` in base64, as names need not be UTF-8, a NUL, lines of `list_repositories`; later ones after a tab. */
export const COMPARE: string = `list_repositories "$GIT_DIR/repositories.after"
if [ -f "$GIT_DIR/state.before" ] && [ -f "$GIT_DIR/state.after" ]; then
  comm -3 "$GIT_DIR/state.before" "$GIT_DIR/state.after" | base64 | tr -d '\\n'
else printf '?'; fi
printf '\\000'
[ ! -f "$GIT_DIR/repositories.before" ] || comm -3 "$GIT_DIR/repositories.before" "$GIT_DIR/repositories.after"
`;
