import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, test } from "vitest";
import { findRepositoryArgv, parseFoundRepository } from "./find-repository.ts";
import { GIT_GUARD_VARIABLES, guardedGit } from "./guarded-git.ts";

const ALONE = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };

function run(argv: readonly string[], cwd: string, variables: Readonly<Record<string, string>> = {}): string {
  const [program = "", ...words] = argv;
  const env = { PATH: process.env["PATH"], ...GIT_GUARD_VARIABLES, ...ALONE, ...variables };
  return execFileSync(program, words, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

const AUTHOR = ["-c", "user.name=A", "-c", "user.email=a@b.example"];

/** A private repository, with a linked working tree, and a folder beside it. */
function makePlace() {
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

type Place = ReturnType<typeof makePlace>;

/** A repository of the folder's own. */
function init({ folder, git }: Place): string {
  git(folder, "init", "--quiet", "--initial-branch=main");
  git(folder, "commit", "--quiet", "--allow-empty", "--message=own");
  return join(folder, ".git");
}

function linkInstead(own: string, theirs: string, path: string): void {
  rmSync(join(own, path), { recursive: true, force: true });
  symlinkSync(join(theirs, ".git", path), join(own, path));
}

interface Row {
  readonly what: string;
  /** Makes it; gives the folder that is asked about, where that is not the usual one. */
  make(place: Place): string | undefined;
  readonly kind?: "bare";
}

const FOREIGN: readonly Row[] = [
  { what: "a file that names it", make: plantFile(".git") },
  { what: "a file that names its linked working tree", make: plantFile(".git/worktrees/linked") },
  {
    what: "a link to it",
    make({ folder, theirs }) {
      symlinkSync(join(theirs, ".git"), join(folder, ".git"));
      return undefined;
    },
  },
  {
    what: "a folder whose common parts are there",
    make(place) {
      writeFileSync(join(init(place), "commondir"), `${place.theirs}/.git\n`);
      return undefined;
    },
  },
  {
    what: "a file that names a folder whose common parts are there",
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
      what: `a link to ${path}`,
      make(place) {
        if (path === "packed-refs") place.git(place.theirs, "pack-refs", "--all");
        linkInstead(init(place), place.theirs, path);
        return undefined;
      },
    }),
  ),
  {
    what: "a link to HEAD",
    make(place) {
      const own = init(place);
      place.git(place.theirs, "checkout", "--quiet", "--detach");
      rmSync(join(own, "HEAD"));
      symlinkSync("refs/../../../theirs/.git/HEAD", join(own, "HEAD"));
      return undefined;
    },
  },
  {
    what: "links below a folder that a file names, and that says whose it is",
    make(place) {
      const own = init(place);
      renameSync(own, join(place.folder, "hidden"));
      writeFileSync(own, "gitdir: hidden\n");
      place.git(place.folder, "config", "core.worktree", place.folder);
      linkInstead(join(place.folder, "hidden"), place.theirs, "refs");
      return undefined;
    },
  },
  {
    what: "settings that name its folder as the one checked out",
    make(place) {
      init(place);
      place.git(place.folder, "config", "core.worktree", place.theirs);
      return undefined;
    },
  },
  {
    what: "one without a working tree whose common parts are there",
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

const OWN: readonly Row[] = [
  { what: "the usual one", make: ({ theirs }) => theirs },
  {
    what: "that of a folder in it",
    make({ theirs }) {
      mkdirSync(join(theirs, "a b"));
      return join(theirs, "a b");
    },
  },
  { what: "that of a linked working tree", make: ({ linked }) => linked },
  {
    what: "that of a linked working tree by another path",
    make({ root, linked }) {
      symlinkSync(linked, join(root, "by-link"));
      return join(root, "by-link");
    },
  },
  {
    what: "that of a submodule",
    make(place) {
      init(place);
      place.git(place.folder, "submodule", "--quiet", "add", place.theirs, "inner");
      return join(place.folder, "inner");
    },
  },
  {
    what: "one whose last commit is named by a link inside of it",
    make(place) {
      const own = init(place);
      rmSync(join(own, "HEAD"));
      symlinkSync("refs/heads/main", join(own, "HEAD"));
      return undefined;
    },
  },
  {
    what: "one that keeps its objects elsewhere",
    make({ root, theirs, git }) {
      git(root, "clone", "--quiet", "--shared", theirs, "shared");
      return join(root, "shared");
    },
  },
  { what: "one that was copied", make: (place) => copy(init(place), join(place.root, "copy")) },
  {
    what: "one without a working tree",
    kind: "bare",
    make({ root, theirs, git }) {
      git(root, "clone", "--quiet", "--bare", theirs, "bare");
      return join(root, "bare");
    },
  },
];

function copy(own: string, folder: string): string {
  cpSync(own, join(folder, ".git"), { recursive: true });
  return folder;
}

function verdictOf({ make, kind }: Row): boolean | undefined {
  const place = makePlace();
  const asked = make(place) ?? place.folder;
  return parseFoundRepository(run(guardedGit(findRepositoryArgv(asked, kind)), place.root))?.isForeign;
}

test.for(FOREIGN)("is foreign: $what", (row, { expect }) => {
  expect(verdictOf(row)).toBe(true);
});

test.for(OWN)("is the folder's own: $what", (row, { expect }) => {
  expect(verdictOf(row)).toBe(false);
});

test("the paths are told; variables that name another repository count for nothing", ({ expect }) => {
  const { root, theirs, folder, git } = makePlace();
  mkdirSync(join(theirs, "inside"));
  const told = { top: theirs, own: join(theirs, ".git"), isForeign: false };
  expect(parseFoundRepository(run(guardedGit(findRepositoryArgv(join(theirs, "inside"))), root))).toEqual(told);
  git(root, "init", "--quiet", folder);
  const elsewhere = run(guardedGit(["--git-dir=folder/.git", ...findRepositoryArgv(theirs)]), root);
  expect(parseFoundRepository(elsewhere)).toEqual(told);
});

test("where there is none the question fails in git's words; an answer of another kind is none", ({ expect }) => {
  const { root, folder } = makePlace();
  expect(() => run(guardedGit(findRepositoryArgv(folder)), root)).toThrow(/not a git repository/);
  for (const output of ["", "one\ntwo", "a\nb\nc\nd\n"]) expect(parseFoundRepository(output)).toBeUndefined();
});
