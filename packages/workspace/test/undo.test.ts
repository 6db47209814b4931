import { describe, expect, test } from "vitest";
import { makeWorkspace, runAgent, stateOf, type TestWorkspace } from "./run-and-undo.ts";

const STORED_BY_LFS =
  "git init -q; git lfs install --local >/dev/null; printf '*.bin filter=lfs diff=lfs merge=lfs -text\\n' > .gitattributes; seq 1 400 > big.bin; git add -A; git commit -qm one";
const NOT_STORED_BY_LFS =
  "git init -q; printf '*.bin filter=lfs -text\\n' > .gitattributes; seq 1 400 > big.bin; git add -A; git commit -qm one";

/** Repositories with scripts of a simulated agent. After an undo, every byte must be as before. */
const CASES: readonly (readonly [title: string, setUp: string, agent: string, shown: string])[] = [
  ["a file stored by Git LFS", STORED_BY_LFS, "echo more >> big.bin", "+more"],
  ["a file with an LFS attribute and no filter", NOT_STORED_BY_LFS, "echo more >> big.bin", "+more"],
  [
    "a filter that keeps the size of files",
    "git init -q; git config --global filter.up.clean 'tr a-z A-Z'; git config --global filter.up.smudge 'tr A-Z a-z'; printf '*.txt filter=up\\n' > .gitattributes; echo abc > a.txt; git add -A; git commit -qm one",
    "echo abd > a.txt",
    "-abc\n+abd",
  ],
  [
    "line ends that git converts",
    "git init -q; printf '* text eol=crlf\\n' > .gitattributes; printf 'a\\r\\nb\\r\\n' > a.txt; git add -A; git commit -qm one",
    "printf 'a\\r\\nc\\n' > a.txt",
    "-b\r\n+c\n",
  ],
  [
    "line ends that a setting converts",
    "git init -q; git config core.autocrlf true; printf 'a\\r\\nb\\r\\n' > a.txt; git add -A; git commit -qm one",
    "printf 'b\\r\\n' > a.txt",
    "-a\r\n",
  ],
  [
    "an identifier that git expands",
    "git init -q; printf '*.c ident\\n' > .gitattributes; printf '/* $Id$ */\\n' > a.c; git add -A; git commit -qm one; rm a.c; git checkout -q a.c",
    "echo x >> a.c",
    "+x",
  ],
  [
    "a file in another encoding",
    "git init -q; printf '*.t working-tree-encoding=UTF-16LE\\n' > .gitattributes; printf 'h\\000i\\000\\n\\000' > a.t; git add -A; git commit -qm one",
    "printf 'h\\000o\\000\\n\\000' > a.t",
    "a.t",
  ],
  [
    "a file whose attributes call it binary",
    "git init -q; printf '*.txt binary\\n' > .gitattributes; echo one > a.txt; git add -A; git commit -qm one",
    "echo two >> a.txt",
    "+two",
  ],
  [
    "an inner repository",
    "git init -q; echo a > a; git add -A; git commit -qm one; git init -q in; cd in; echo b > b; git add -A; git commit -qm in",
    "echo c >> in/b; echo n > in/new; mkdir in/d; echo d > in/d/d",
    "in/new",
  ],
  [
    "an inner repository without commits, and one in it",
    "git init -q; git init -q in; echo b > in/b; git init -q in/deep; echo z > in/deep/z",
    "echo c >> in/b; rm in/deep/z",
    "in/deep/z",
  ],
  [
    "a submodule",
    "git init -q ../sub; (cd ../sub; echo s > s; git add -A; git commit -qm s); git init -q; git submodule --quiet add ../sub lib; git commit -qm one",
    "echo t >> lib/s; git -C lib commit -qam two",
    "+t",
  ],
  [
    "repositories in a plain folder",
    "git init -q one; echo a > one/a; git -C one add -A; git -C one commit -qm one; git init -q two; echo b > two/b",
    "echo c >> one/a; rm two/b; echo d > two/d",
    "two/b",
  ],
  [
    "files that git was told not to look at",
    "git init -q; echo a > a; echo b > b; git add -A; git commit -qm one; git update-index --assume-unchanged a; git update-index --skip-worktree b",
    "echo c >> a; echo d >> b",
    "+d",
  ],
  [
    "a sparse checkout",
    "git init -q; mkdir x y; echo x > x/x; echo y > y/y; git add -A; git commit -qm one; git sparse-checkout set --cone --sparse-index x",
    "echo z >> x/x; mkdir -p y; echo n > y/n",
    "y/n",
  ],
  [
    "permissions that git does not store",
    "git init -q; echo a > a; chmod 600 a; echo b > b; chmod 640 b; echo c > c; chmod 750 c; git add -A; git commit -qm one",
    "echo x >> a; rm b; chmod 777 c",
    "a",
  ],
  [
    "permissions where git ignores them",
    "git init -q; git config core.fileMode false; echo a > a; chmod 755 a; git add -A; git commit -qm one",
    "chmod 644 a; echo b >> a",
    "+b",
  ],
  [
    "links, files and folders in each other's place",
    "git init -q; ln -s nowhere l; mkdir d; echo f > d/f; echo a > a; ln -s d ld; git add -A; git commit -qm one",
    "rm l; echo l > l; rm -r d; ln -s a d; rm a; mkdir a; echo z > a/z; rm ld; mkdir ld; echo q > ld/q",
    "a/z",
  ],
  [
    "names that are no text, or look like something else",
    "git init -q; printf x > \"$(printf 'gr\\374n')\"; chmod 600 gr*; printf o > \"$(printf 'o\\374')\"; chmod 640 o*; echo a > ':(top)a'; echo b > -b; printf c > \"$(printf 'c\\nd')\"; echo q > 'q\"q'; git add -A; git commit -qm one",
    "printf y > \"$(printf 'gr\\374n')\"; echo z >> ':(top)a'; rm ./-b; printf d > \"$(printf 'c\\nd')\"; rm 'q\"q'; printf n > \"$(printf 'n\\377')\"",
    "(top)a",
  ],
  [
    "names that are no text in a plain folder",
    "printf x > \"$(printf 'gr\\374n')\"; chmod 600 gr*; printf o > \"$(printf 'o\\374')\"; chmod 640 o*; echo a > a",
    "rm gr*; chmod 644 o*; echo b > a",
    "+b",
  ],
  [
    "names that differ in case only",
    "git init -q; echo a > README; echo b > readme; git add -A; git commit -qm one",
    "echo c > README; rm readme",
    "readme",
  ],
  [
    "names that git rejects elsewhere",
    "git init -q; mkdir x; echo a > x/.GIT; echo b > 'git~1'; echo c > c; git add c; git commit -qm one",
    "echo d > 'git~1'; echo d > c",
    "git~1",
  ],
  [
    "a pipe in place of a file",
    "git init -q; echo a > a; echo b > b; git add -A; git commit -qm one",
    "rm a; mkfifo a; echo c > b",
    "+c",
  ],
  ["a pipe in place of a file in a plain folder", "echo a > a; echo b > b", "rm a; mkfifo a; echo c > b", "+c"],
  [
    "empty folders",
    "git init -q; mkdir -p keep/in gone; chmod 700 gone; echo a > a",
    "rmdir gone; mkdir new; echo b > a",
    "+b",
  ],
  [
    "hard links",
    "git init -q; mkdir d; echo a > a; ln a b; ln a d/c; echo o > o; git add -A; git commit -qm one",
    "echo x >> a; rm o; ln a o",
    "+x",
  ],
  ["hard links in a plain folder", "echo a > a; chmod 640 a; ln a b", "echo x >> b; chmod 755 a; rm a", "+x"],
  ["a file that git is to add later", "git init -q; echo a > a; git add -N a", "echo b >> a", "+b"],
];

/** Skips a test whose script needs Git LFS, if it is not installed. */
async function skipWithoutLfs(
  { sh }: TestWorkspace,
  setUp: string,
  skip: (condition: boolean, note: string) => void,
): Promise<void> {
  if (!setUp.includes("git lfs")) return;
  const isMissing = await sh("git lfs version").then(
    () => false,
    () => true,
  );
  skip(isMissing, "Git LFS is not installed");
}

describe("undo restores every byte", () => {
  test.for(CASES)("of %s", async ([, setUp, agent, shown], { skip }) => {
    const workspace = await makeWorkspace();
    await skipWithoutLfs(workspace, setUp, skip);
    await workspace.sh(setUp);
    const before = await stateOf(workspace.root);
    const run = await runAgent(workspace, agent);
    expect(run.changes.diff).toContain(shown);
    expect(await stateOf(workspace.root)).not.toEqual(before);
    await run.undo();
    expect(await stateOf(workspace.root)).toEqual(before);
  });
});

test("permissions that the user changes after the run stay", async () => {
  const workspace = await makeWorkspace();
  await workspace.sh("git init -q; echo a > a; git add -A; git commit -qm one");
  const run = await runAgent(workspace, "echo b >> a");
  await workspace.sh("chmod 755 a");
  await run.undo();
  expect(await stateOf(workspace.root)).toEqual({ a: `file 755 ${Buffer.from("a\n").toString("base64")}` });
});

test("the diff of an LFS file shows its changed lines, not its pointer", async ({ skip }) => {
  const workspace = await makeWorkspace();
  await skipWithoutLfs(workspace, STORED_BY_LFS, skip);
  await workspace.sh(STORED_BY_LFS);
  const { changes } = await runAgent(workspace, "echo more >> big.bin");
  expect(changes.diff.split("\n").filter((line) => /^[+-](?![+-])/.test(line))).toEqual(["+more"]);
});

test("changes that the diff omits are listed with the reason", async () => {
  const workspace = await makeWorkspace();
  await workspace.sh(
    "git init -q; printf '.env\\ncache/\\n' > .gitignore; echo secret > .env; mkdir cache; echo c > cache/c; git add -A; git commit -qm one",
  );
  const { record, changes } = await runAgent(
    workspace,
    "echo new > .env; rm cache/c; echo d > cache/d; mkfifo pipe; git init -q made; echo m > made/m",
  );
  expect(changes.diff).toContain("made/m");
  expect(changes.diff).not.toContain(".env");
  expect([...record.leftOut].sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { path: ".env", reason: "ignored" },
    { path: "cache/", reason: "ignored" },
    { path: "made/.git", reason: "repository" },
    { path: "pipe", reason: "special" },
  ]);
});

test("a large file of a plain folder is omitted and listed, although its name is not UTF-8", async () => {
  const workspace = await makeWorkspace();
  const names = ["gr\\374n", "[1]*?! #", "n\\nl", "back\\134slash"];
  const each = (command: string): string =>
    names.map((name) => `f=$(printf '${name}x'); f=\${f%x}; ${command}`).join("\n");
  await workspace.sh(`echo a > a; mkdir d; ${each('truncate -s 11000000 "d/$f"; echo s > "s$f"')}`);
  const before = await stateOf(`${workspace.root}/d`);
  const run = await runAgent(workspace, `echo b > a; ${each('echo more >> "d/$f"; echo more >> "s$f"')}`);
  expect(run.record.leftOut.map(({ path, reason }) => `${reason} ${path}`).sort()).toEqual(
    ["back\\slash", "gr\ufffdn", "[1]*?! #", "n\nl"].map((name) => `too_large d/${name}`).sort(),
  );
  expect(run.changes.diff).not.toContain("/d/");
  expect(run.changes.diff.match(/^[+]more$/gm)).toHaveLength(names.length);
  await run.undo();
  expect(await workspace.sh("cat a")).toBe("a\n");
  expect(Object.keys(await stateOf(`${workspace.root}/d`))).toEqual(Object.keys(before));
});

test("a plain folder with more than 256 MiB is rejected, although no name in it is UTF-8", async () => {
  const workspace = await makeWorkspace();
  await workspace.sh("for i in $(seq 30); do truncate -s 9500000 \"$(printf 'gr\\374n')$i\"; done");
  await expect(runAgent(workspace, "true")).rejects.toThrow("there are more than 256 MiB of files");
});

test.for([
  ["with Git LFS", STORED_BY_LFS],
  ["without Git LFS", NOT_STORED_BY_LFS],
] as const)("a read-only run %s has nothing to undo and nothing to list", async ([, setUp], { skip }) => {
  const workspace = await makeWorkspace();
  await skipWithoutLfs(workspace, setUp, skip);
  await workspace.sh(
    `${setUp}; mkdir e; git init -q empty; git init -q in; echo a > in/a; printf 'o\\n' > .gitignore; echo o > o`,
  );
  const { record, changes } = await runAgent(
    workspace,
    "cat big.bin >/dev/null; git status >/dev/null; touch big.bin in/a",
  );
  expect(changes.diff).toBe("");
  expect(record).toMatchObject({ folders: [], made: [], repositories: [], leftOut: [] });
});

const COMMITS =
  "git init -q; echo a > a; git add a; git commit -qm one; git tag old; git branch side; echo s > s; git add s";

test("commits, branches, tags and staged changes of a run are listed, and restored on request", async () => {
  const workspace = await makeWorkspace();
  const references = "git for-each-ref; git symbolic-ref HEAD; git ls-files -s; git status --porcelain";
  await workspace.sh(COMMITS);
  const [before, said] = [await stateOf(workspace.root), await workspace.sh(references)];
  const { record, undo } = await runAgent(
    workspace,
    "echo b >> a; git commit -qam two; git checkout -qb feature; git tag new; git tag -d old >/dev/null; git branch -f side; echo w >> a; git stash -q",
  );
  expect(record.repositories.map(({ name }) => name).sort()).toEqual([
    ...["HEAD", "index", "refs/heads/feature", "refs/heads/main", "refs/heads/side", "refs/stash"],
    ...["refs/tags/new", "refs/tags/old"],
  ]);
  await undo({ commits: true });
  expect(await stateOf(workspace.root)).toEqual(before);
  expect(await workspace.sh(references)).toBe(said);
});

test("the current branch is restored although another branch name stands for it", async () => {
  const workspace = await makeWorkspace();
  await workspace.sh(
    "git init -q; echo a > a; git add a; git commit -qm one; git symbolic-ref refs/heads/master refs/heads/main; git symbolic-ref HEAD refs/heads/master",
  );
  const run = await runAgent(workspace, "git checkout -qb feature; echo b > a");
  expect(run.record.repositories.map(({ name, before }) => [name, before])).toContainEqual(["HEAD", "refs/heads/main"]);
  await run.undo({ commits: true });
  expect(await workspace.sh("git symbolic-ref HEAD; cat a")).toBe("refs/heads/main\na\n");
});

test("of a repository that git refuses to read, nothing is recorded", async () => {
  const workspace = await makeWorkspace();
  await workspace.sh(
    "git init -q in; echo a > in/a; git -C in add a; git -C in commit -qm one; echo [ >> in/.git/config",
  );
  const { record, changes } = await runAgent(workspace, "echo ref: refs/heads/other > in/.git/HEAD; echo b > in/a");
  expect(changes.diff).toContain("+b");
  expect(record.repositories).toEqual([]);
});

test("a very long HEAD file does not delay a run", async () => {
  const workspace = await makeWorkspace();
  await workspace.sh(
    "git init -q in; echo a > in/a; git -C in add a; git -C in commit -qm one; (printf 'ref: refs/heads/'; head -c 20000000 /dev/zero | tr '\\000' a) > in/.git/HEAD",
  );
  const { changes } = await runAgent(workspace, "echo b > in/a");
  expect(changes.diff).toContain("+b");
});

test("without the option commits stay; with it, a branch that moved since prevents the undo", async () => {
  const workspace = await makeWorkspace();
  await workspace.sh(COMMITS);
  const run = await runAgent(workspace, "echo b >> a; git commit -qam two");
  await workspace.sh("git commit -q --allow-empty -m three");
  const [after, log] = [await stateOf(workspace.root), await workspace.sh("git log --format=%s")];
  await expect(run.undo({ commits: true })).rejects.toThrow("refs/heads/main has moved since the run");
  expect(await stateOf(workspace.root)).toEqual(after);
  await run.undo();
  expect(await workspace.sh("cat a; git log --format=%s")).toBe(`a\n${log}`);
});

test("undo does not write through a folder that became a link", async () => {
  const workspace = await makeWorkspace();
  await workspace.sh("git init -q; mkdir d; echo a > d/a; echo b > b; mkdir ../out; echo o > ../out/o");
  const run = await runAgent(workspace, "rm d/a; echo c > b");
  await workspace.sh("rmdir d; ln -s ../out d");
  const before = await stateOf(workspace.root);
  await expect(run.undo()).rejects.toThrow("d is no longer a folder");
  expect(await stateOf(workspace.root)).toEqual(before);
  expect(await workspace.sh("ls ../out")).toBe("o\n");
});

test("a workspace below the root of its repository is restored, and nothing else", async () => {
  const workspace = await makeWorkspace();
  await workspace.sh(
    "git init -q; mkdir -p w/d; echo a > w/a; chmod 600 w/a; echo t > t; git add -A; git commit -qm one",
  );
  const before = await stateOf(workspace.root);
  const run = await runAgent(workspace, "echo b > w/a; rmdir w/d; mkdir w/n", `${workspace.root}/w`);
  await run.undo();
  expect(await stateOf(workspace.root)).toEqual(before);
});

test("a workspace whose permissions the run changed, or that it removed, is restored with its content", async () => {
  const files = "mkdir -p w/d w/e; echo a > w/a; chmod 600 w/a; echo b > w/d/b; chmod 750 w";
  for (const isRepository of [true, false]) {
    const workspace = await makeWorkspace();
    await workspace.sh(`${files}; ${isRepository ? "git init -q; git add -A; git commit -qm one" : "true"}`);
    const folder = `${workspace.root}/w`;
    const before = await stateOf(workspace.root);
    for (const agent of ["chmod 700 w", "rm -rf w"]) {
      const run = await runAgent(isRepository ? workspace : { ...workspace, root: folder }, agent, folder);
      await run.undo();
      expect(await stateOf(workspace.root), agent).toEqual(before);
    }
  }
});
