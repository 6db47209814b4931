import type { Program, ProgramForm } from "../program.ts";

const DIFF =
  "-p|-u|--patch -s|--no-patch -U|--unified: --raw --patch-with-raw --minimal --patience --histogram --diff-algorithm: --stat? --compact-summary --numstat --shortstat --dirstat? --summary -z --name-only --name-status --color? --no-color --word-diff? --word-diff-regex: --color-words? --no-renames --check --full-index --binary --abbrev? -B|--break-rewrites? -M|--find-renames? -C|--find-copies? -D|--irreversible-delete -l: --diff-filter: -S: -G: --pickaxe-all --pickaxe-regex -R --relative? -a|--text --ignore-cr-at-eol --ignore-space-at-eol -b|--ignore-space-change -w|--ignore-all-space --ignore-blank-lines -W|--function-context --exit-code --quiet --no-ext-diff --no-textconv --ignore-submodules? --src-prefix: --dst-prefix: --no-prefix";
const REVISIONS =
  "-n|--max-count: -# --skip: --since|--after: --until|--before: --author: --committer: --grep: -i|--regexp-ignore-case -E|--extended-regexp -F|--fixed-strings -P|--perl-regexp --all-match --invert-grep --merges --no-merges --first-parent --not --all --branches? --tags? --remotes? --glob: --exclude: --reverse --topo-order --date-order --author-date-order --graph --oneline --abbrev-commit --no-abbrev-commit --pretty? --format: --date: --decorate? --no-decorate --full-history --simplify-merges --ancestry-path --left-right --cherry-pick --cherry-mark --cherry --boundary --parents --children --follow --source --log-size -L: -m -c --cc --notes? --no-notes --no-walk? --show-signature";
const LOG = `${DIFF} ${REVISIONS.replace(" --show-signature", "")}`;
const QUIET = "-q|--quiet -v|--verbose";

function reads(options: string, more: Partial<ProgramForm> = {}): ProgramForm {
  return { options, ...more };
}

function writes(options: string, more: Partial<ProgramForm> = {}): ProgramForm {
  return { options, effects: ["write"], ...more };
}

function connects(options: string, operands: string, more: Partial<ProgramForm> = {}): ProgramForm {
  return { options, operands, effects: ["connect", "write"], isNamedOnly: true, ...more };
}

/** All subcommands of git 2.39 and those added by later versions. */
const BUILTINS =
  "add add--interactive am annotate apply archive backfill bisect blame branch bugreport bundle cat-file check-attr check-ignore check-mailmap check-ref-format checkout checkout-index cherry cherry-pick citool clean clone column commit commit-graph commit-tree config count-objects credential credential-cache credential-store daemon describe diagnose diff diff-files diff-index diff-pairs diff-tree difftool fast-export fast-import fetch fetch-pack filter-branch fmt-merge-msg for-each-ref for-each-repo format-patch fsck fsck-objects gc get-tar-commit-id grep gui hash-object help history hook http-backend http-fetch http-push imap-send index-pack init init-db instaweb interpret-trailers last-modified log ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file merge-index merge-octopus merge-one-file merge-ours merge-recursive merge-resolve merge-subtree merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes pack-objects pack-redundant pack-refs patch-id prune prune-packed pull push quiltimport range-diff read-tree rebase receive-pack reflog refs remote remote-ext remote-fd remote-ftp remote-ftps remote-http remote-https repack replace replay repo request-pull rerere reset restore rev-list rev-parse revert rm send-email send-pack shell shortlog show show-branch show-index show-ref sparse-checkout stage stash status stripspace submodule subtree survey switch symbolic-ref tag unpack-file unpack-objects update-index update-ref update-server-info upload-archive upload-pack var verify-commit verify-pack verify-tag version web--browse whatchanged worktree write-tree";

const READING: Readonly<Record<string, ProgramForm>> = {
  status: reads(
    `-s|--short -b|--branch --show-stash --porcelain? --long -v|--verbose -u|--untracked-files? --ignored? -z --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames? --ignore-submodules?`,
  ),
  diff: reads(`${DIFF} --cached|--staged --merge-base -1 -2 -3 --base --ours --theirs -0`),
  log: reads(LOG),
  show: reads(LOG),
  whatchanged: reads(LOG),
  shortlog: reads(
    `-n|--numbered -s|--summary -e|--email --no-merges --all --since: --until: --author: --format: -c|--committer`,
  ),
  "rev-list": reads(
    "-n|--max-count: -# --count --all --branches? --tags? --remotes? --since: --until: --author: --no-merges --merges --first-parent --reverse --left-right --objects --parents --topo-order --date-order --not --max-parents: --min-parents: --abbrev-commit",
  ),
  "rev-parse": reads(
    "--verify -q|--quiet --short? --abbrev-ref? --symbolic --symbolic-full-name --show-toplevel --show-prefix --show-cdup --git-dir --git-common-dir --absolute-git-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --all --branches? --tags? --remotes? --show-superproject-working-tree --show-object-format?",
  ),
  describe: reads(
    "--all --tags --contains --abbrev: --always --dirty? --long --match: --exclude: --exact-match --first-parent --candidates:",
  ),
  blame: reads(
    "-L: -l -t -s -e|--show-email -w -M? -C? --porcelain -p --line-porcelain --incremental --date: --since: --abbrev: -f|--show-name -n|--show-number --reverse: --root",
  ),
  "ls-files": reads(
    "-c|--cached -d|--deleted -m|--modified -o|--others -i|--ignored -s|--stage -u|--unmerged -k|--killed -z -x|--exclude: --exclude-standard --directory --no-empty-directory --full-name --error-unmatch -t -v --abbrev? --eol --deduplicate",
  ),
  "ls-tree": reads(
    "-d -r -t -l|--long -z --name-only --name-status --full-name --full-tree --abbrev? --object-only --format:",
  ),
  "cat-file": reads("-t -s -e -p"),
  "merge-base": reads("-a|--all --octopus --independent --is-ancestor --fork-point"),
  "name-rev": reads("--tags --refs: --all --name-only --always"),
  "diff-tree": reads(`${DIFF} -r -t --root -m -c --cc --no-commit-id --stdin`),
  "diff-files": reads(`${DIFF} -0 -1 -2 -3`),
  "diff-index": reads(`${DIFF} --cached -m`),
  "for-each-ref": reads(
    "--count: --sort: --format: --contains? --no-contains? --merged? --no-merged? --points-at: --ignore-case",
  ),
  "show-ref": reads("--head --heads --tags -d|--dereference -s|--hash? --verify --abbrev? -q|--quiet"),
  "show-branch": reads(
    "-r|--remotes -a|--all --current --topo-order --date-order --sparse --more? --list --no-name --sha1-name",
  ),
  "count-objects": reads("-v|--verbose -H|--human-readable"),
  "check-ignore": reads("-q|--quiet -v|--verbose -z -n|--non-matching --no-index"),
  "check-attr": reads("-a|--all --cached -z"),
  grep: reads(
    "--cached --untracked --no-index --no-exclude-standard -a|--text -i|--ignore-case -I -w|--word-regexp -v|--invert-match -h -H --full-name -E|--extended-regexp -G|--basic-regexp -P|--perl-regexp -F|--fixed-strings -n|--line-number --column -l|--files-with-matches|--name-only -L|--files-without-match -z|--null -o|--only-matching -c|--count --color? --no-color --break --heading -p|--show-function -A|--after-context: -B|--before-context: -C|--context: -# -W|--function-context -f: -e: --and --or --not --all-match -q|--quiet --max-depth: -m|--max-count: -r|--recursive",
  ),
  fsck: reads("--no-dangling --connectivity-only --full --strict --no-progress"),
  version: reads("--build-options", { operands: "" }),
  var: { never: "run" },
  reflog: reads("-n|--max-count: -# --date: --all --oneline --format:", { operands: "" }),
  remote: reads("-v|--verbose", { operands: "get-url any" }),
  worktree: reads("--porcelain -v -z", { operands: "list none" }),
  clean: reads("-n|--dry-run -d -x -X -e|--exclude: -q|--quiet", { needs: "-n", operands: "any" }),
  config: reads(
    "-l|--list --get --get-all --get-regexp --get-urlmatch --global --system --local --worktree --show-origin --show-scope -z|--null --name-only --type: --bool --int --path --default:",
    { operands: "key none" },
  ),
};

/** Subcommands that change the repository's data and files of the workspace. */
const WRITING: Readonly<Record<string, ProgramForm>> = {
  add: writes(
    "-n|--dry-run -v|--verbose -f|--force -u|--update -A|--all|--no-ignore-removal --no-all|--ignore-removal -N|--intent-to-add --refresh --ignore-errors --ignore-missing --sparse --renormalize --chmod:",
    { operands: "any" },
  ),
  commit: writes(
    "-m|--message: -F|--file: -a|--all --amend --no-edit --allow-empty --allow-empty-message -q|--quiet -v|--verbose --author: --date: -s|--signoff --no-signoff --no-gpg-sign -n|--no-verify -o|--only -i|--include -C|--reuse-message: --dry-run --short --porcelain --long --reset-author --no-status --trailer: --cleanup: -u|--untracked-files?",
    {
      needs: "-m -F --no-edit -C --dry-run --short --porcelain --long",
    },
  ),
  branch: writes(
    "-a|--all -r|--remotes -l|--list -v|-vv|--verbose --show-current --contains? --no-contains? --merged? --no-merged? --sort: --format: --points-at: --column? --no-column --color? --no-color --abbrev: -m|--move -c|--copy -d|--delete -t|--track? --no-track -u|--set-upstream-to: --unset-upstream -q|--quiet -i|--ignore-case",
  ),
  tag: writes(
    "-l|--list -n? -m|--message: -F|--file: --sort: --format: --contains? --no-contains? --merged? --no-merged? --points-at: --column? --color? -i|--ignore-case --no-sign",
  ),
  switch: writes(
    `${QUIET} -c|--create: -d|--detach --guess --no-guess -m|--merge -t|--track? --no-track --orphan: --progress --no-progress --ignore-other-worktrees`,
  ),
  checkout: writes(
    `${QUIET} -b: -d|--detach --ours --theirs -m|--merge -t|--track? --no-track --orphan: --progress --no-progress --guess --no-guess --overlay --no-overlay`,
    { operands: "writes" },
  ),
  restore: writes(
    `${QUIET} -s|--source: -S|--staged -W|--worktree --ours --theirs -m|--merge --ignore-unmerged --overlay --no-overlay --progress --no-progress`,
    { operands: "writes" },
  ),
  reset: writes("-q|--quiet --mixed --soft -N|--intent-to-add --no-refresh"),
  rm: writes("-f|--force -n|--dry-run -r --cached --ignore-unmatch -q|--quiet --sparse", { operands: "writes" }),
  mv: writes("-f|--force -k -n|--dry-run -v|--verbose --sparse", { operands: "writes" }),
  stash: writes(
    "-q|--quiet -u|--include-untracked -a|--all -k|--keep-index --no-keep-index -S|--staged -m|--message: --index --stat -v",
    { operands: "stash any" },
  ),
  merge: writes(
    `${QUIET} -m: -F|--file: --no-edit --no-commit --commit --ff --no-ff --ff-only --squash --no-squash --abort --quit --stat --no-stat -n --no-verify --allow-unrelated-histories --signoff --no-gpg-sign -X|--strategy-option:`,
  ),
  "cherry-pick": writes(
    "-x -n|--no-commit -s|--signoff -m|--mainline: --ff --allow-empty --keep-redundant-commits --abort --quit --skip --no-gpg-sign -X|--strategy-option:",
  ),
  revert: writes(
    "--no-edit -n|--no-commit -s|--signoff -m|--mainline: --abort --quit --skip --no-gpg-sign -X|--strategy-option:",
    { needs: "--no-edit -n --abort --quit --skip" },
  ),
  init: writes("-q|--quiet -b|--initial-branch:", { operands: "writes" }),
};

/** Row for git in the table of known programs. */
export const GIT_ROW: Program = {
  // biome-ignore lint/plugin: this is a row of a table, no process starts
  names: ["git"],
  source: "git(1), and git-log(1), git-diff(1), git-commit(1) and so on for each subcommand",
  options:
    "--no-pager --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-optional-locks --no-replace-objects --version|-v",
  risks: {
    run: "--config-env: --exec-path? -p|--paginate --ext-diff --textconv --template: --gpg-sign?",
    write: "--output:",
    elsewhere: "-C: --git-dir: --work-tree: --namespace: --super-prefix: --bare",
  },
  wraps: {
    lines:
      "-c: --upload-pack: --receive-pack: --exec: -O|--open-files-in-pager? --extcmd: -x: -u: --env-filter: --tree-filter: --index-filter: --parent-filter: --msg-filter: --commit-filter: --tag-name-filter: --smtp-server: --sendmail-cmd:",
  },
  builtins: BUILTINS,
  commands: {
    ...READING,
    ...WRITING,
    push: connects(
      "-q|--quiet -v|--verbose -u|--set-upstream --all --tags --follow-tags --atomic -n|--dry-run --porcelain --progress --no-progress --no-verify",
      "remote refspec",
      {
        risks: { discard: "--force|-f --force-with-lease? --force-if-includes --delete|-d --mirror --prune" },
        operandOptions: { "+": "--force", ":": "--delete" },
      },
    ),
    fetch: connects(
      "-q|--quiet -v|--verbose --all -p|--prune -t|--tags -n|--no-tags --depth: --deepen: --unshallow --dry-run -j|--jobs: --progress --no-progress",
      "remote fetched",
    ),
    pull: connects(
      "-q|--quiet -v|--verbose --ff-only --ff --no-ff --no-rebase --rebase --no-edit -p|--prune -t|--tags --no-tags --depth: --autostash --no-stat",
      "remote fetched",
    ),
    "ls-remote": connects(
      "-h|--heads -t|--tags --refs -q|--quiet --exit-code --get-url --sort: --symref",
      "remote any",
    ),
    "filter-branch": { never: "run" },
    bisect: { never: "run", lineAfter: "run" },
    submodule: { operands: "status none", lineAfter: "foreach" },
    difftool: { never: "run" },
    mergetool: { never: "run" },
    rebase: { never: "run" },
    hook: { never: "run" },
    clone: { never: "connect" },
    archive: { never: "write" },
    "format-patch": { never: "write" },
    "send-email": { never: "connect" },
    daemon: { never: "connect" },
    apply: { never: "write" },
    am: { never: "write" },
    bundle: { never: "write" },
  },
  aliases: {
    ...{ "send-pack": "push", "http-push": "push", subtree: "push", "send-email": "push" },
    ...{ "fetch-pack": "fetch", "http-fetch": "fetch", "remote-http": "fetch", "remote-https": "fetch" },
    ...{ stage: "add", annotate: "blame", whatchanged: "log", "commit-tree": "commit", "read-tree": "reset" },
    ...{ "checkout-index": "checkout", "update-ref": "branch", "symbolic-ref": "branch", "upload-archive": "archive" },
  },
};
