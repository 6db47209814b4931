// Shell functions that list the branches of repositories, and compare two states of a workspace.

/**
 * Environment variables that make git use the shadow repository (the repository for snapshots) instead of the user's.
 */
export const UNBOUND: string = "GIT_DIR GIT_WORK_TREE GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_INDEX_FILE";

/**
 * The shell function `list_repositories FILE` lists branches, tags, the current branch and a checksum of the index, for
 * the repository and those nested in it. Each line contains the repository's folder, \2 and one of these values. `$top`
 * is empty for a plain folder. An ordinary `HEAD` file is read without git.
 */
export const LIST_REPOSITORIES: string = `repository_state() {
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
