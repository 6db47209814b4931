/**
 * Returns an `sh` script that finds the repository of the current working tree, or exits the shell if there is none. The
 * script sets `$top` to the checked-out folder, `$own` to the repository's folder, and `$foreign` to `yes` if the two
 * folders do not belong together. `facts` contains more options of `git rev-parse`; the script sets `$facts` to their
 * output.
 *
 * An untrusted folder can point to any repository of the user, as a whole (the `.git` file) or in part (the `commondir`
 * file, links among the refs). Content of such a repository must not be shown to those who work in the folder. Linked
 * working trees and submodules are registered in their repository, so they are accepted. With `bare` as `$1`, the shell
 * is in a bare repository. Run it with the guard's variables. See architecture: decision 26.
 */
export function findRepositoryScript(facts: readonly string[] = []): string {
  return `end='
'
# Refs determine which content of a repository is visible. If refs are links, the content comes from another repository.
has_foreign_refs() {
  # Git follows a HEAD link whose target begins with refs/.
  if [ -L "$own/HEAD" ]; then case $(readlink -- "$own/HEAD") in *..*) return 0 ;; esac; fi
  [ -L "$common/packed-refs" ] && return 0
  for refs in "$common/refs" "$common/reftable"; do
    # find fails if it finds a link or cannot read a folder.
    if [ -e "$refs" ] && ! find "$refs" -type l -exec false {} + 2>/dev/null; then return 0; fi
  done
  return 1
}
knows_top() {
  known=$(git worktree list --porcelain | while IFS= read -r line; do
    case $line in 'worktree '*) if [ "\${line#worktree }" -ef "$top" ]; then echo yes; break; fi ;; esac
  done)
  [ -n "$known" ] || (tree=$(git config core.worktree) && cd -- "$own" && [ "$tree" -ef "$top" ])
}
foreign=
if [ "$1" = bare ]; then
  found=$(GIT_DIR=. git rev-parse --absolute-git-dir --git-common-dir) || exit
  top=
else
  found=$(git rev-parse --show-toplevel --absolute-git-dir --git-common-dir ${facts.join(" ")}) || exit
  top=\${found%%"$end"*} found=\${found#*"$end"}
fi
own=\${found%%"$end"*} found=\${found#*"$end"}
common=\${found%%"$end"*} facts=\${found#*"$end"}
if [ -z "$top" ] || [ "$own" = "$top/.git" ]; then
  [ "$common" -ef "$own" ] || foreign=yes
else
  there=$(cd -- "$top" && [ -e .git ] && git rev-parse --absolute-git-dir)
  if [ "$there" != "$own" ] || ! knows_top; then foreign=yes; fi
fi
if has_foreign_refs; then foreign=yes; fi
`;
}

/** Git repository that a folder belongs to. */
export interface FoundRepository {
  /** Absolute path of the checked-out folder; empty for a bare repository. */
  readonly top: string;
  /** Absolute path of the repository's folder. */
  readonly own: string;
  /**
   * True if the folder only points to a repository that belongs to another folder. The repository's content must then
   * not be shown to users and agents of the folder.
   */
  readonly isForeign: boolean;
}

/**
 * Returns the arguments of a git command that finds the repository of a folder, or of a bare repository;
 * `parseFoundRepository` parses its output. The git command runs an `sh` script in the shell that git provides on every
 * platform.
 */
export function findRepositoryArgv(folder: string, kind: "tree" | "bare" = "tree"): string[] {
  const script = `!unset GIT_DIR GIT_WORK_TREE GIT_PREFIX
cd -- "$1" && shift || exit
${findRepositoryScript()}printf '%s\\n' "$top" "$own" "\${foreign:-no}"
:`;
  return ["-c", `alias.own-repository=${script}`, "own-repository", folder, kind];
}

/** Parses the output of the `findRepositoryArgv` command; `undefined` if the output is invalid. */
export function parseFoundRepository(output: string): FoundRepository | undefined {
  const [top, own, foreign, ...rest] = output.split(/\r?\n/);
  if (top === undefined || own === undefined || foreign === undefined || rest.join("") !== "") return undefined;
  return { top, own, isForeign: foreign !== "no" };
}
