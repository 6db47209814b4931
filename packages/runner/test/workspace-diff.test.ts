import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { SESSION_RESULT } from "@switchyard/contracts";
import { defineEngine } from "@switchyard/engine";
import { expect, test } from "vitest";
import { RUN_FILES, runSession, startSession } from "../src/index.ts";
import { collect, type TemporaryPlace, task, temporaryPlace, typesOf } from "./temporary-session.ts";

function changing(change: () => void) {
  return defineEngine(async (_run, _host, board) => {
    change();
    board.set(SESSION_RESULT, { exit_code: 0, final_message: "" });
  });
}

async function diffOf(place: TemporaryPlace, change: () => void, root = place.root): Promise<string | undefined> {
  const environment = { type: "local", root, env: process.env } as const;
  const report = await runSession(
    task(),
    place.options({ engine: changing(change), environment, workspaceDiff: true }),
  );
  expect(report.status).toBe("completed");
  expect(report.warnings).toBeUndefined();
  const files = readdirSync(report.runFolder ?? "").filter((name) => !name.startsWith(".") && name !== RUN_FILES.undo);
  expect(files.sort()).toEqual(["events.jsonl", "report.json", "request.json", "run.json"]);
  return report.workspaceDiff;
}

function commitAll(place: TemporaryPlace): void {
  place.git("init", "-q");
  place.git("add", "-A");
  place.git("commit", "-qm", "start");
}

test("a file that was edited in the second in which it was committed is as it was edited, not as it was committed", async () => {
  using place = temporaryPlace();
  place.git("init", "-q");
  const [file, index] = [join(place.root, "a.txt"), join(place.root, ".git/index")];
  const past = new Date("2026-01-01T00:00:00.000Z");
  const write = (text: string): number => {
    place.write("a.txt", text);
    utimesSync(file, past, past);
    return Math.floor(statSync(file).ctimeMs / 1_000);
  };
  // Makes the edit invisible to git: the size stays the same, and so do the times, at a resolution of one second.
  for (let [before, after] = [0, 1]; before !== after; ) {
    before = write("one\n");
    place.git("add", "-A");
    after = write("uno\n");
  }
  utimesSync(index, past, past);
  expect(place.git("diff", "--name-only")).toContain("a.txt");
  const diff = await diffOf(place, () => place.write("a.txt", "uno\ntwo\n"));
  expect(diff).toContain(" uno\n+two\n");
});

test("the diff holds what the run changed, made, moved and removed, and nothing of before", async () => {
  using place = temporaryPlace();
  place.write("kept.txt", "kept\n");
  place.write("changed.txt", "one\ntwo\n");
  place.write("removed.txt", "removed\n");
  place.write(".gitignore", "*.log\n");
  commitAll(place);
  place.write("changed.txt", "one\ntwo\nbefore the run\n");
  place.write("untracked.txt", "untracked before\n");
  const diff = await diffOf(place, () => {
    place.write("changed.txt", "one\n2\nbefore the run\n");
    place.write("made/ü new.txt", "new\n");
    place.write("noise.log", "ignored\n");
    rmSync(join(place.root, "removed.txt"));
  });
  expect(diff).toContain("-two\n+2\n before the run\n");
  expect(diff).toContain("+++ b/made/ü new.txt");
  expect(diff).toContain("deleted file mode 100644");
  for (const foreign of ["+before the run", "untracked.txt", "noise.log", "kept"]) expect(diff).not.toContain(foreign);
});

test("an index that git keeps in parts is read like any other, and stays as it is", async () => {
  using place = temporaryPlace();
  place.write("a.txt", "one\n");
  commitAll(place);
  place.git("update-index", "--split-index");
  place.write("b.txt", "b\n");
  place.git("add", "b.txt");
  const diff = await diffOf(place, () => place.write("a.txt", "two\n"));
  expect(diff).toContain("-one\n+two\n");
  expect(diff).not.toContain("b.txt");
  expect(place.git("status", "--porcelain")).toBe(" M a.txt\nA  b.txt\n");
});

test("a file of more than 100 MiB that git does not know is named in a warning and not copied, wherever it lies", async () => {
  using place = temporaryPlace();
  place.write("sub/a.txt", "a\n");
  commitAll(place);
  const root = join(place.root, "sub");
  const grow = (name: string): void => {
    place.write(`sub/${name}`, "");
    truncateSync(join(root, name), 101 * 1024 * 1024);
  };
  grow("before.bin");
  const engine = changing(() => {
    for (const name of ["-made [1].bin", "inner/two\nlines.bin"]) grow(name);
    place.write("sub/a.txt", "b\n");
  });
  const environment = { type: "local", root, env: process.env } as const;
  const report = await runSession(task(), place.options({ engine, environment, workspaceDiff: true }));
  expect(report.warnings).toEqual([expect.stringMatching(/-made \[1\]\.bin.*inner\/two/s)]);
  expect(report.warnings?.join()).not.toContain("before.bin");
  expect(report.workspaceDiff).toContain("-a\n+b\n");
  expect(report.workspaceDiff).not.toContain(".bin");
});

test("what a repository names as its folder elsewhere is not looked at; the workspace is", async () => {
  using place = temporaryPlace();
  using elsewhere = temporaryPlace();
  place.write("a.txt", "a\n");
  commitAll(place);
  place.git("config", "core.worktree", elsewhere.root);
  const diff = await diffOf(place, () => {
    place.write("a.txt", "b\n");
    elsewhere.write("private.txt", "x\n");
  });
  expect(diff).toContain("-a\n+b\n");
  expect(diff).not.toContain("private");
});

test("of a repository that the workspace names and that does not know it nothing is looked at; the workspace is", async () => {
  using other = temporaryPlace();
  other.write("a.txt", "private\n");
  commitAll(other);
  other.git("worktree", "add", "-q", "../linked");
  // The exclude file of the other repository has no effect in the workspace.
  other.write(".git/info/exclude", "new.txt\n");
  const HEAD = readFileSync(join(other.root, ".git/HEAD"), "utf8");
  for (const named of [
    { ".git": `gitdir: ${join(other.root, ".git")}\n` },
    { ".git": `gitdir: ${join(other.root, ".git/worktrees/linked")}\n` },
    { ".git/HEAD": HEAD, ".git/commondir": `${join(other.root, ".git")}\n` },
  ]) {
    using place = temporaryPlace();
    for (const [path, content] of Object.entries(named)) place.write(path, content);
    place.write("a.txt", "a\n");
    const diff = await diffOf(place, () => {
      place.write("a.txt", "b\n");
      place.write("new.txt", "new\n");
    });
    expect(diff).toContain("-a\n+b\n");
    expect(diff).toContain("+new\n");
    expect(diff).not.toContain("private");
  }
});

test("the diff in a submodule is told of the submodule", async () => {
  using other = temporaryPlace();
  other.write("a.txt", "a\n");
  commitAll(other);
  using place = temporaryPlace();
  place.git("init", "-q");
  place.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.root, "inner");
  const inner = join(place.root, "inner");
  writeFileSync(join(inner, "untracked.txt"), "before\n");
  const diff = await diffOf(place, () => writeFileSync(join(inner, "a.txt"), "b\n"), inner);
  expect(diff).toContain("-a\n+b\n");
  expect(diff).not.toContain("untracked");
});

test("the diff of a worktree is told of the worktree", async () => {
  using place = temporaryPlace();
  place.write("a.txt", "a\n");
  commitAll(place);
  place.git("worktree", "add", "-q", "../linked");
  const linked = join(place.root, "../linked");
  writeFileSync(join(linked, "untracked.txt"), "before\n");
  const diff = await diffOf(place, () => writeFileSync(join(linked, "a.txt"), "b\n"), linked);
  expect(diff).toContain("-a\n+b\n");
  expect(diff).not.toContain("untracked");
});

test("the diff applies to the workspace as it was before", async () => {
  using place = temporaryPlace();
  place.write("a.txt", "a\nb\nc\n");
  place.write("sub/b.txt", "x\n");
  commitAll(place);
  const diff = await diffOf(place, () => {
    place.write("a.txt", "a\nB\nc\n");
    place.write("sub/c.txt", "made\n");
    rmSync(join(place.root, "sub/b.txt"));
  });
  place.git("checkout", "-q", ".");
  place.git("clean", "-fdq");
  writeFileSync(join(place.root, "../run.patch"), diff ?? "");
  place.git("apply", "../run.patch");
  expect(readFileSync(join(place.root, "a.txt"), "utf8")).toBe("a\nB\nc\n");
  expect(readFileSync(join(place.root, "sub/c.txt"), "utf8")).toBe("made\n");
  expect(existsSync(join(place.root, "sub/b.txt"))).toBe(false);
});

test("a repository that belongs to somebody else has a diff where the user says that it is safe, and only there", async () => {
  using place = temporaryPlace();
  place.write("a.txt", "a\n");
  commitAll(place);
  const [bin, home] = [join(place.root, "../bin"), join(place.root, "../home")];
  mkdirSync(bin);
  mkdirSync(home);
  const git = place.git("--exec-path").trim();
  // Git's own test switch for a foreign owner.
  const script = `#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec '${git}/git' "$@"\n`;
  writeFileSync(join(bin, "git"), script, { mode: 0o755 });
  const env = { ...process.env, PATH: `${bin}:${process.env["PATH"]}`, HOME: home };
  const report = () =>
    runSession(
      task(),
      place.options({
        engine: changing(() => place.write("a.txt", `${Math.random()}\n`)),
        environment: { type: "local", root: place.root, env },
        workspaceDiff: true,
      }),
    );
  expect(await report()).toMatchObject({ warnings: [expect.stringContaining("dubious ownership")] });
  writeFileSync(join(home, ".gitconfig"), `[safe]\n\tdirectory = ${place.root}\n`);
  const safe = await report();
  expect(safe.warnings).toBeUndefined();
  expect(safe.workspaceDiff).toContain("--- a/a.txt");
});

test("index, objects and references of the repository stay as they are", async () => {
  using place = temporaryPlace();
  place.write("a.txt", "a\n");
  commitAll(place);
  place.write("staged.txt", "staged\n");
  place.git("add", "staged.txt");
  const index = readFileSync(join(place.root, ".git/index"));
  const before = place.git("count-objects", "-v") + place.git("for-each-ref");
  expect(await diffOf(place, () => place.write("a.txt", "b\n"))).toContain("+b");
  expect(readFileSync(join(place.root, ".git/index"))).toEqual(index);
  expect(place.git("count-objects", "-v") + place.git("for-each-ref")).toBe(before);
});

test("nothing that a repository configures is run, at the start or at the end", async () => {
  using place = temporaryPlace();
  const proof = join(place.root, "../proof");
  mkdirSync(proof);
  const trap = (name: string): string => `touch ${join(proof, name)}; cat`;
  place.write("a.txt", "a\n");
  place.write("inner/f.txt", "f\n");
  commitAll(place);
  place.git("-C", "inner", "init", "-q");
  place.git("-C", "inner", "add", "-A");
  place.git("-C", "inner", "commit", "-qm", "inner");
  place.git("rm", "-rq", "--cached", "inner");
  place.git("-c", "advice.addEmbeddedRepo=false", "add", "inner");
  for (const folder of [".", "inner"]) {
    place.write(join(folder, ".gitattributes"), "* filter=trap diff=trap merge=trap\n");
    for (const key of [
      "filter.trap.clean",
      "filter.trap.smudge",
      "filter.trap.process",
      "diff.trap.textconv",
      "diff.trap.command",
    ]) {
      place.git("-C", folder, "config", key, trap(`${folder === "." ? "outer" : "inner"}-${key}`));
    }
    place.git("-C", folder, "config", "core.fsmonitor", trap("fsmonitor"));
    place.git("-C", folder, "config", "diff.external", trap("external"));
    place.git("-C", folder, "config", "core.pager", trap("pager"));
    const hooks = join(place.root, folder, ".git/hooks");
    mkdirSync(hooks, { recursive: true });
    for (const hook of ["pre-commit", "post-index-change", "fsmonitor-watchman"]) {
      writeFileSync(join(hooks, hook), `#!/bin/sh\ntouch ${join(proof, hook)}\n`);
      chmodSync(join(hooks, hook), 0o755);
    }
  }
  const diff = await diffOf(place, () => {
    place.write("a.txt", "b\n");
    place.write("inner/f.txt", "changed\n");
  });
  expect(diff).toContain("+b");
  expect(readdirSync(proof)).toEqual([]);
  // Confirms that the traps work: plain git executes them.
  place.git("status", "--short");
  expect(readdirSync(proof)).not.toEqual([]);
});

test("a workspace inside of a repository has the changes below it only, relative to the repository", async () => {
  using place = temporaryPlace();
  place.write("packages/one/a.txt", "a\n");
  place.write("packages/two/b.txt", "b\n");
  commitAll(place);
  const diff = await diffOf(
    place,
    () => {
      place.write("packages/one/a.txt", "A\n");
      place.write("packages/two/b.txt", "B\n");
    },
    join(place.root, "packages/one"),
  );
  expect(diff).toContain("+++ b/packages/one/a.txt");
  expect(diff).not.toContain("two");
});

test("a run that changes nothing has an empty diff; before the first commit all that is made shows", async () => {
  using place = temporaryPlace();
  place.git("init", "-q");
  place.write("there.txt", "there\n");
  expect(await diffOf(place, () => undefined)).toBe("");
  expect(await diffOf(place, () => place.write("made.txt", "made\n"))).toContain("+made");
});

test("a worktree and a repository with SHA-256 have diffs as well", async () => {
  using place = temporaryPlace();
  place.git("init", "-q", "--object-format=sha256");
  place.write("a.txt", "a\n");
  place.git("add", "-A");
  place.git("commit", "-qm", "start");
  expect(await diffOf(place, () => place.write("a.txt", "b\n"))).toContain("+b");
  const tree = join(place.root, "../tree");
  place.git("worktree", "add", "-q", tree);
  expect(await diffOf(place, () => writeFileSync(join(tree, "a.txt"), "in the tree\n"), tree)).toContain(
    "+in the tree",
  );
});

test("a state folder in the workspace is no change of the run", async () => {
  using place = temporaryPlace();
  commitAllEmpty(place);
  const stateDirectory = join(place.root, "my state");
  const options = place.options({
    engine: changing(() => place.write("a.txt", "a\n")),
    stateDirectory,
    workspaceDiff: true,
  });
  const report = await runSession(task(), options);
  expect(report.workspaceDiff).toContain("b/a.txt");
  expect(report.workspaceDiff).not.toContain("run.json");
});

test("a repository that git cannot read is a warning, never a failure", async () => {
  using place = temporaryPlace();
  place.write("a.txt", "a\n");
  commitAll(place);
  writeFileSync(join(place.root, ".git/index"), "no index at all");
  const engine = changing(() => undefined);
  const handle = await startSession(task(), place.options({ engine, workspaceDiff: true }));
  const events = await collect(handle.events());
  const report = await handle.result;
  expect(report.status).toBe("completed");
  expect(report.workspaceDiff).toBeUndefined();
  expect(report.warnings?.[0]).toContain("git");
  expect(typesOf(events)).toEqual(["run_start", "warning", "run_status_changed", "run_end"]);
});

function commitAllEmpty(place: TemporaryPlace): void {
  place.git("init", "-q");
  place.git("commit", "-qm", "start", "--allow-empty");
}
