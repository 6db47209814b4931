import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, test } from "vitest";
import { findRepositoryArgv, parseFoundRepository } from "./find-repository.ts";
import { GIT_GUARD_VARIABLES, guardedGit } from "./guarded-git.ts";

const ALONE = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };

function run(argv: readonly string[], cwd: string, variables: Readonly<Record<string, string>> = {}): string {
  const [program = "", ...args] = argv;
  const env = { PATH: process.env["PATH"], ...GIT_GUARD_VARIABLES, ...ALONE, ...variables };
  return execFileSync(program, args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

const AUTHOR = ["-c", "user.name=A", "-c", "user.email=a@b.example"];

/** A private repository with a linked working tree, and a folder next to it. */
function makeFolders() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "own-repository-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [theirs, folder] = [join(root, "theirs"), join(root, "folder")];
  const git = (cwd: string, ...argv: string[]) => run(["git", ...AUTHOR, ...argv], cwd, { GIT_ALLOW_PROTOCOL: "file" });
  mkdirSync(folder);
  git(root, "init", "--quiet", "--initial-branch=main", theirs);
  git(theirs, "commit", "--quiet", "--allow-empty", "--message=private");
  git(theirs, "worktree", "add", "--quiet", "../linked");
  return { root, folder, theirs, linked: join(root, "linked"), git };
}

type Folders = ReturnType<typeof makeFolders>;

/** A repository of the folder's own. */
function init({ folder, git }: Folders): string {
  git(folder, "init", "--quiet", "--initial-branch=main");
  git(folder, "commit", "--quiet", "--allow-empty", "--message=own");
  return join(folder, ".git");
}

function linkInstead(ownRepository: string, theirs: string, path: string): void {
  rmSync(join(ownRepository, path), { recursive: true, force: true });
  symlinkSync(join(theirs, ".git", path), join(ownRepository, path));
}

interface Row {
  readonly label: string;
  /** Makes it; gives the folder that is asked about, where that is not the usual one. */
  make(folders: Folders): string | undefined;
  readonly kind?: "bare";
}

const FOREIGN: readonly Row[] = [
  { label: "a file that names it", make: plantFile(".git") },
  { label: "a file that names its linked working tree", make: plantFile(".git/worktrees/linked") },
  {
    label: "a link to it",
    make({ folder, theirs }) {
      symlinkSync(join(theirs, ".git"), join(folder, ".git"));
      return undefined;
    },
  },
  {
    label: "a folder whose common parts are there",
    make(folders) {
      writeFileSync(join(init(folders), "commondir"), `${folders.theirs}/.git\n`);
      return undefined;
    },
  },
  {
    label: "a file that names a folder whose common parts are there",
    make({ folder, theirs }) {
      mkdirSync(join(folder, "hidden"));
      writeFileSync(join(folder, "hidden/HEAD"), "ref: refs/heads/main\n");
      writeFileSync(join(folder, "hidden/commondir"), `${theirs}/.git\n`);
      writeFileSync(join(folder, ".git"), "gitdir: hidden\n");
      return undefined;
    },
  },
  ...["refs", "refs/heads/main", "packed-refs"].map(
    (path): Row => ({
      label: `a link to ${path}`,
      make(folders) {
        if (path === "packed-refs") folders.git(folders.theirs, "pack-refs", "--all");
        linkInstead(init(folders), folders.theirs, path);
        return undefined;
      },
    }),
  ),
  {
    label: "a link to HEAD",
    make(folders) {
      const ownRepository = init(folders);
      folders.git(folders.theirs, "checkout", "--quiet", "--detach");
      rmSync(join(ownRepository, "HEAD"));
      symlinkSync("refs/../../../theirs/.git/HEAD", join(ownRepository, "HEAD"));
      return undefined;
    },
  },
  {
    label: "links below a folder that a file names, and that says whose it is",
    make(folders) {
      const ownRepository = init(folders);
      renameSync(ownRepository, join(folders.folder, "hidden"));
      writeFileSync(ownRepository, "gitdir: hidden\n");
      folders.git(folders.folder, "config", "core.worktree", folders.folder);
      linkInstead(join(folders.folder, "hidden"), folders.theirs, "refs");
      return undefined;
    },
  },
  {
    label: "settings that name its folder as the one checked out",
    make(folders) {
      init(folders);
      folders.git(folders.folder, "config", "core.worktree", folders.theirs);
      return undefined;
    },
  },
  {
    label: "one without a working tree whose common parts are there",
    kind: "bare",
    make({ folder, theirs, git }) {
      git(folder, "init", "--quiet", "--bare");
      writeFileSync(join(folder, "commondir"), `${theirs}/.git\n`);
      return undefined;
    },
  },
];

function plantFile(named: string): Row["make"] {
  return ({ folder, theirs }) => {
    writeFileSync(join(folder, ".git"), `gitdir: ${join(theirs, named)}\n`);
    return undefined;
  };
}

const OWN_ROWS: readonly Row[] = [
  { label: "the usual one", make: ({ theirs }) => theirs },
  {
    label: "that of a folder in it",
    make({ theirs }) {
      mkdirSync(join(theirs, "a b"));
      return join(theirs, "a b");
    },
  },
  { label: "that of a linked working tree", make: ({ linked }) => linked },
  {
    label: "that of a linked working tree by another path",
    make({ root, linked }) {
      symlinkSync(linked, join(root, "by-link"));
      return join(root, "by-link");
    },
  },
  {
    label: "that of a submodule",
    make(folders) {
      init(folders);
      folders.git(folders.folder, "submodule", "--quiet", "add", folders.theirs, "inner");
      return join(folders.folder, "inner");
    },
  },
  {
    label: "one whose last commit is named by a link inside of it",
    make(folders) {
      const ownRepository = init(folders);
      rmSync(join(ownRepository, "HEAD"));
      symlinkSync("refs/heads/main", join(ownRepository, "HEAD"));
      return undefined;
    },
  },
  {
    label: "one that keeps its objects elsewhere",
    make({ root, theirs, git }) {
      git(root, "clone", "--quiet", "--shared", theirs, "shared");
      return join(root, "shared");
    },
  },
  { label: "one that was copied", make: (folders) => copy(init(folders), join(folders.root, "copy")) },
  {
    label: "one without a working tree",
    kind: "bare",
    make({ root, theirs, git }) {
      git(root, "clone", "--quiet", "--bare", theirs, "bare");
      return join(root, "bare");
    },
  },
];

function copy(ownRepository: string, folder: string): string {
  cpSync(ownRepository, join(folder, ".git"), { recursive: true });
  return folder;
}

function verdictOf({ make, kind }: Row): boolean | undefined {
  const folders = makeFolders();
  const folder = make(folders) ?? folders.folder;
  return parseFoundRepository(run(guardedGit(findRepositoryArgv(folder, kind)), folders.root))?.isForeign;
}

test.for(FOREIGN)("is foreign: $what", (row, { expect }) => {
  expect(verdictOf(row)).toBe(true);
});

test.for(OWN_ROWS)("is the folder's own: $what", (row, { expect }) => {
  expect(verdictOf(row)).toBe(false);
});

test("the paths are returned; variables that name another repository are ignored", ({ expect }) => {
  const { root, theirs, folder, git } = makeFolders();
  mkdirSync(join(theirs, "inside"));
  const expected = { top: theirs, own: join(theirs, ".git"), isForeign: false };
  expect(parseFoundRepository(run(guardedGit(findRepositoryArgv(join(theirs, "inside"))), root))).toEqual(expected);
  git(root, "init", "--quiet", folder);
  const elsewhere = run(guardedGit(["--git-dir=folder/.git", ...findRepositoryArgv(theirs)]), root);
  expect(parseFoundRepository(elsewhere)).toEqual(expected);
});

test("without a repository git's message is returned; unexpected output is ignored", ({ expect }) => {
  const { root, folder } = makeFolders();
  expect(() => run(guardedGit(findRepositoryArgv(folder)), root)).toThrow(/not a git repository/);
  for (const output of ["", "one\ntwo", "a\nb\nc\nd\n"]) expect(parseFoundRepository(output)).toBeUndefined();
});
