// @ts-check

/**
 * Shell functions for generated scripts. They start as few processes as possible, because ten thousand cases start
 * hundreds of thousands. `$TEMPLATES` is the folder that `makeTemplates` fills.
 */
export const SCRIPT_FUNCTIONS = `umask 022
make_parent() {
  case $1 in */*) [ -d "./\${1%/*}" ] || mkdir -p -- "./\${1%/*}" ;; esac
}
remove() {
  if [ -e "$1" ] || [ -L "$1" ]; then rm -f -- "$1"; fi
}
write_file() {
  [ ! -d "$1" ] || return 0
  remove "$1"
  make_parent "$1" && printf "$2" > "./$1" || return
  [ "$3" = 644 ] || chmod "$3" -- "$1"
}
make_repository() {
  cp -R "$TEMPLATES/repository/.git" .git
}
configure() {
  printf '[%s]\\n\\t%s = %s\\n' "\${1%.*}" "\${1##*.}" "$2" >> .git/config
}
make_inner() {
  [ -e "$1/.git" ] && return
  mkdir -p "$1" && cp -R "$TEMPLATES/inner-$2/." "$1"
}
add_submodule() {
  cp -R "$TEMPLATES/submodule-parent/lib" "$TEMPLATES/submodule-parent/.gitmodules" . \\
    && mkdir -p .git/modules && cp -R "$TEMPLATES/submodule-parent/.git/modules/lib" .git/modules/ \\
    && printf '[submodule "lib"]\\n\\turl = %s\\n\\tactive = true\\n' "$TEMPLATES/submodule" >> .git/config \\
    && git add -f lib .gitmodules
}
`;

/** Fills `$TEMPLATES` with parts of workspaces that cases copy, created by git itself. */
export const MAKE_TEMPLATES = `set -e
mkdir repository inner-empty inner-committed submodule submodule-parent
git init -q repository
for folder in inner-empty inner-committed; do echo b > $folder/b; git init -q $folder; done
git -C inner-committed add -A
git -C inner-committed commit -qm in
git init -q submodule
echo s > submodule/s
git -C submodule add -A
git -C submodule commit -qm s
git init -q submodule-parent
git -C submodule-parent submodule --quiet add "$PWD/submodule" lib
`;

/** Git configuration of the home folder: a user with filters and Git LFS, and no hooks in new repositories. */
export const GIT_CONFIG = `[user]
	name = A
	email = a@example.com
[init]
	defaultBranch = main
	templateDir = /dev/null
[protocol "file"]
	allow = always
[gc]
	auto = 0
[maintenance]
	auto = false
[filter "lfs"]
	clean = git-lfs clean -- %f
	smudge = git-lfs smudge -- %f
	process = git-lfs filter-process
	required = true
[filter "up"]
	clean = tr a-z A-Z
	smudge = tr A-Z a-z
`;
