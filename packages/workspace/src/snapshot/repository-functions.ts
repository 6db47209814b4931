// Shell functions that list the branches of repositories, and compare two states of a workspace.

/**
 * Environment variables that make git use the shadow repository (the repository for snapshots) instead of the user's.
 */
export const UNBOUND: string = "GIT_DIR GIT_WORK_TREE GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_INDEX_FILE";

/** Format in which git prints a branch or tag. A line for `HEAD` precedes the branch that is checked out. */
const REFERENCE = "%(if)%(HEAD)%(then)\u0002HEAD %(refname)%0a%(end)\u0002%(refname) %(objectname)";

/**
 * The shell function `list_repositories FILE` lists branches, tags, the current branch and a checksum of the index, for
 * the repository and those nested in it. Each line contains the repository's folder, \2 and one of these values. `$top`
 * is empty for a plain folder. Nothing is listed for a repository that git refuses to read. The checksum is an object id
 * where the command `cksum` is missing.
 */
export const LIST_REPOSITORIES: string = `repository_state() {
  (unset ${UNBOUND}
  cd -- "$1" 2>/dev/null && [ -e .git ] || exit 0
  exec 2>/dev/null
  refs=$(git for-each-ref --format='${REFERENCE}') || exit 0
  [ -z "$refs" ] || printf '%s\\n' "$refs"
  case $refs in
  *'\u0002HEAD '*) ;;
  *) printf '\\002HEAD %s\\n' "$(git symbolic-ref -q HEAD || git rev-parse -q --verify HEAD)" ;;
  esac
  printf '\\002index %s\\n' "$(git ls-files -s -v | { cksum || git hash-object --stdin; })")
}
list_repositories() {
  { [ -z "$top" ] || repository_state "$GIT_WORK_TREE"
  [ ! -s "$GIT_DIR/inner" ] || while IFS= read -r folder; do
    repository_state "$GIT_WORK_TREE/$folder" | folder=$folder awk '{ print ENVIRON["folder"] $0 }'
  done < "$GIT_DIR/inner"; } > "$1"
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
export const COMPARE: string = `compare() {
  known=
  if [ -s "$GIT_DIR/state.before" ] && [ -s "$GIT_DIR/state.after" ]; then known=yes; fi
  known=$known awk '${PRINT_DIFFERENCES}' > "$GIT_DIR/differences" || return
  [ ! -s "$GIT_DIR/differences" ] || base64 < "$GIT_DIR/differences"
}
`;
