/**
 * Lines of `sh` that find the repository of the working tree that the shell is in, and end the shell where there is none:
 * `$top` is the folder that is checked out, `$own` that of the repository, and `$foreign` says `yes` where the two do not
 * belong together. A folder from anywhere can name any repository of the user's, as a whole (the file `.git`) or in parts
 * (the file `commondir`, links among the refs), and what is in there is not for those who work in the folder. A linked
 * working tree and that of a submodule are known to their repository. With `bare` as `$1` the shell is in a repository
 * without a working tree. They go with the variables of the guard. architecture: decision 26.
 */
export const OWN_REPOSITORY: string = `end='
'
# What a repository holds is known by its refs: whoever has those from elsewhere has the repository from there.
has_foreign_refs() {
  # Git follows a link there that begins with refs/.
  if [ -L "$own/HEAD" ]; then case $(readlink -- "$own/HEAD") in *..*) return 0 ;; esac; fi
  [ -L "$common/packed-refs" ] && return 0
  for refs in "$common/refs" "$common/reftable"; do
    # It fails where a link is found, and where it cannot look.
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
  found=$(git rev-parse --show-toplevel --absolute-git-dir --git-common-dir) || exit
  top=\${found%%"$end"*} found=\${found#*"$end"}
fi
own=\${found%%"$end"*} common=\${found#*"$end"}
if [ -z "$top" ] || [ "$own" = "$top/.git" ]; then
  [ "$common" -ef "$own" ] || foreign=yes
else
  there=$(cd -- "$top" && [ -e .git ] && git rev-parse --absolute-git-dir)
  if [ "$there" != "$own" ] || ! knows_top; then foreign=yes; fi
fi
if has_foreign_refs; then foreign=yes; fi
`;

/** The repository of a folder. */
export interface FoundRepository {
  /** Absolute path of the folder that is checked out; empty where there is none. */
  readonly top: string;
  /** Absolute path of the repository's own folder. */
  readonly own: string;
  /** Whether it is one that the folder merely names: nothing of it is for those who work there. */
  readonly isForeign: boolean;
}

/**
 * Words of git that ask for the repository of a folder, or that is one without a working tree; `readRepository` reads the
 * answer. Git brings the shell for it along, on every platform.
 */
export function askForRepository(folder: string, kind: "tree" | "bare" = "tree"): string[] {
  const script = `!unset GIT_DIR GIT_WORK_TREE GIT_PREFIX
cd -- "$1" && shift || exit
${OWN_REPOSITORY}printf '%s\\n' "$top" "$own" "\${foreign:-no}"
:`;
  return ["-c", `alias.own-repository=${script}`, "own-repository", folder, kind];
}

/** The answer to `askForRepository`; nothing where it is none. */
export function readRepository(output: string): FoundRepository | undefined {
  const [top, own, foreign, ...rest] = output.split(/\r?\n/);
  if (top === undefined || own === undefined || foreign === undefined || rest.join("") !== "") return undefined;
  return { top, own, isForeign: foreign !== "no" };
}
