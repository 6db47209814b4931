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
import { collect, type TemporaryWorkspace, task, temporaryWorkspace, typesOf } from "./temporary-session.ts";

function changing(change: () => void) {
  return defineEngine(async (_run, _host, board) => {
    change();
    board.set(SESSION_RESULT, { exit_code: 0, final_message: "" });
  });
}

async function diffOf(
  workspace: TemporaryWorkspace,
  change: () => void,
  root = workspace.root,
): Promise<string | undefined> {
  const environment = { type: "local", root, env: process.env } as const;
  const report = await runSession(
    task(),
    workspace.options({ engine: changing(change), environment, workspaceDiff: true }),
  );
  expect(report.status).toBe("completed");
  expect(report.warnings).toBeUndefined();
  const files = readdirSync(report.runFolder ?? "").filter((name) => !name.startsWith(".") && name !== RUN_FILES.undo);
  expect(files.sort()).toEqual(["events.jsonl", "report.json", "request.json", "run.json"]);
  return report.workspaceDiff;
}

function commitAll(workspace: TemporaryWorkspace): void {
  workspace.git("init", "-q");
  workspace.git("add", "-A");
  workspace.git("commit", "-qm", "start");
}

test("a file that was edited in the second in which it was committed is as it was edited, not as it was committed", async () => {
  using workspace = temporaryWorkspace();
  workspace.git("init", "-q");
  const [file, index] = [join(workspace.root, "a.txt"), join(workspace.root, ".git/index")];
  const past = new Date("2026-01-01T00:00:00.000Z");
  const write = (text: string): number => {
    workspace.write("a.txt", text);
    utimesSync(file, past, past);
    return Math.floor(statSync(file).ctimeMs / 1_000);
  };
  // Hides the edit from git: the size stays the same, and so do the times, at a resolution of one second.
  for (let [before, after] = [0, 1]; before !== after; ) {
    before = write("one\n");
    workspace.git("add", "-A");
    after = write("uno\n");
  }
  utimesSync(index, past, past);
  expect(workspace.git("diff", "--name-only")).toContain("a.txt");
  const diff = await diffOf(workspace, () => workspace.write("a.txt", "uno\ntwo\n"));
  expect(diff).toContain(" uno\n+two\n");
});

test("the diff contains the run's changed, created, moved and removed files, and no earlier changes", async () => {
  using workspace = temporaryWorkspace();
  workspace.write("kept.txt", "kept\n");
  workspace.write("changed.txt", "one\ntwo\n");
  workspace.write("removed.txt", "removed\n");
  workspace.write(".gitignore", "*.log\n");
  commitAll(workspace);
  workspace.write("changed.txt", "one\ntwo\nbefore the run\n");
  workspace.write("untracked.txt", "untracked before\n");
  const diff = await diffOf(workspace, () => {
    workspace.write("changed.txt", "one\n2\nbefore the run\n");
    workspace.write("made/ü new.txt", "new\n");
    workspace.write("noise.log", "ignored\n");
    rmSync(join(workspace.root, "removed.txt"));
  });
  expect(diff).toContain("-two\n+2\n before the run\n");
  expect(diff).toContain("+++ b/made/ü new.txt");
  expect(diff).toContain("deleted file mode 100644");
  for (const foreign of ["+before the run", "untracked.txt", "noise.log", "kept"]) expect(diff).not.toContain(foreign);
});

test("an index that git stores in parts is read like any other, and does not change", async () => {
  using workspace = temporaryWorkspace();
  workspace.write("a.txt", "one\n");
  commitAll(workspace);
  workspace.git("update-index", "--split-index");
  workspace.write("b.txt", "b\n");
  workspace.git("add", "b.txt");
  const diff = await diffOf(workspace, () => workspace.write("a.txt", "two\n"));
  expect(diff).toContain("-one\n+two\n");
  expect(diff).not.toContain("b.txt");
  expect(workspace.git("status", "--porcelain")).toBe(" M a.txt\nA  b.txt\n");
});

test("an untracked file of more than 100 MiB is named in a warning and not copied, wherever it is", async () => {
  using workspace = temporaryWorkspace();
  workspace.write("sub/a.txt", "a\n");
  commitAll(workspace);
  const root = join(workspace.root, "sub");
  const grow = (name: string): void => {
    workspace.write(`sub/${name}`, "");
    truncateSync(join(root, name), 101 * 1024 * 1024);
  };
  grow("before.bin");
  const engine = changing(() => {
    for (const name of ["-made [1].bin", "inner/two\nlines.bin"]) grow(name);
    workspace.write("sub/a.txt", "b\n");
  });
  const environment = { type: "local", root, env: process.env } as const;
  const report = await runSession(task(), workspace.options({ engine, environment, workspaceDiff: true }));
  expect(report.warnings).toEqual([expect.stringMatching(/-made \[1\]\.bin.*inner\/two/s)]);
  expect(report.warnings?.join()).not.toContain("before.bin");
  expect(report.workspaceDiff).toContain("-a\n+b\n");
  expect(report.workspaceDiff).not.toContain(".bin");
});

test("a folder elsewhere that a repository names is not inspected; the workspace is", async () => {
  using workspace = temporaryWorkspace();
  using elsewhere = temporaryWorkspace();
  workspace.write("a.txt", "a\n");
  commitAll(workspace);
  workspace.git("config", "core.worktree", elsewhere.root);
  const diff = await diffOf(workspace, () => {
    workspace.write("a.txt", "b\n");
    elsewhere.write("private.txt", "x\n");
  });
  expect(diff).toContain("-a\n+b\n");
  expect(diff).not.toContain("private");
});

test("a repository that the workspace names and that does not list it is not inspected; the workspace is", async () => {
  using other = temporaryWorkspace();
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
    using workspace = temporaryWorkspace();
    for (const [path, content] of Object.entries(named)) workspace.write(path, content);
    workspace.write("a.txt", "a\n");
    const diff = await diffOf(workspace, () => {
      workspace.write("a.txt", "b\n");
      workspace.write("new.txt", "new\n");
    });
    expect(diff).toContain("-a\n+b\n");
    expect(diff).toContain("+new\n");
    expect(diff).not.toContain("private");
  }
});

test("the diff in a submodule is that of the submodule", async () => {
  using other = temporaryWorkspace();
  other.write("a.txt", "a\n");
  commitAll(other);
  using workspace = temporaryWorkspace();
  workspace.git("init", "-q");
  workspace.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.root, "inner");
  const inner = join(workspace.root, "inner");
  writeFileSync(join(inner, "untracked.txt"), "before\n");
  const diff = await diffOf(workspace, () => writeFileSync(join(inner, "a.txt"), "b\n"), inner);
  expect(diff).toContain("-a\n+b\n");
  expect(diff).not.toContain("untracked");
});

test("the diff of a worktree is that of the worktree", async () => {
  using workspace = temporaryWorkspace();
  workspace.write("a.txt", "a\n");
  commitAll(workspace);
  workspace.git("worktree", "add", "-q", "../linked");
  const linked = join(workspace.root, "../linked");
  writeFileSync(join(linked, "untracked.txt"), "before\n");
  const diff = await diffOf(workspace, () => writeFileSync(join(linked, "a.txt"), "b\n"), linked);
  expect(diff).toContain("-a\n+b\n");
  expect(diff).not.toContain("untracked");
});

test("the diff applies to the workspace as it was before", async () => {
  using workspace = temporaryWorkspace();
  workspace.write("a.txt", "a\nb\nc\n");
  workspace.write("sub/b.txt", "x\n");
  commitAll(workspace);
  const diff = await diffOf(workspace, () => {
    workspace.write("a.txt", "a\nB\nc\n");
    workspace.write("sub/c.txt", "made\n");
    rmSync(join(workspace.root, "sub/b.txt"));
  });
  workspace.git("checkout", "-q", ".");
  workspace.git("clean", "-fdq");
  writeFileSync(join(workspace.root, "../run.patch"), diff ?? "");
  workspace.git("apply", "../run.patch");
  expect(readFileSync(join(workspace.root, "a.txt"), "utf8")).toBe("a\nB\nc\n");
  expect(readFileSync(join(workspace.root, "sub/c.txt"), "utf8")).toBe("made\n");
  expect(existsSync(join(workspace.root, "sub/b.txt"))).toBe(false);
});

test("a repository of another user has a diff only if the user declares it safe", async () => {
  using workspace = temporaryWorkspace();
  workspace.write("a.txt", "a\n");
  commitAll(workspace);
  const [bin, home] = [join(workspace.root, "../bin"), join(workspace.root, "../home")];
  mkdirSync(bin);
  mkdirSync(home);
  const git = workspace.git("--exec-path").trim();
  // Git's own test switch for a foreign owner.
  const script = `#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec '${git}/git' "$@"\n`;
  writeFileSync(join(bin, "git"), script, { mode: 0o755 });
  const env = { ...process.env, PATH: `${bin}:${process.env["PATH"]}`, HOME: home };
  const report = () =>
    runSession(
      task(),
      workspace.options({
        engine: changing(() => workspace.write("a.txt", `${Math.random()}\n`)),
        environment: { type: "local", root: workspace.root, env },
        workspaceDiff: true,
      }),
    );
  expect(await report()).toMatchObject({ warnings: [expect.stringContaining("dubious ownership")] });
  writeFileSync(join(home, ".gitconfig"), `[safe]\n\tdirectory = ${workspace.root}\n`);
  const safe = await report();
  expect(safe.warnings).toBeUndefined();
  expect(safe.workspaceDiff).toContain("--- a/a.txt");
});

test("index, objects and references of the repository stay as they are", async () => {
  using workspace = temporaryWorkspace();
  workspace.write("a.txt", "a\n");
  commitAll(workspace);
  workspace.write("staged.txt", "staged\n");
  workspace.git("add", "staged.txt");
  const index = readFileSync(join(workspace.root, ".git/index"));
  const before = workspace.git("count-objects", "-v") + workspace.git("for-each-ref");
  expect(await diffOf(workspace, () => workspace.write("a.txt", "b\n"))).toContain("+b");
  expect(readFileSync(join(workspace.root, ".git/index"))).toEqual(index);
  expect(workspace.git("count-objects", "-v") + workspace.git("for-each-ref")).toBe(before);
});

test("no program that a repository configures is executed, at the start or at the end", async () => {
  using workspace = temporaryWorkspace();
  const proof = join(workspace.root, "../proof");
  mkdirSync(proof);
  const trap = (name: string): string => `touch ${join(proof, name)}; cat`;
  workspace.write("a.txt", "a\n");
  workspace.write("inner/f.txt", "f\n");
  commitAll(workspace);
  workspace.git("-C", "inner", "init", "-q");
  workspace.git("-C", "inner", "add", "-A");
  workspace.git("-C", "inner", "commit", "-qm", "inner");
  workspace.git("rm", "-rq", "--cached", "inner");
  workspace.git("-c", "advice.addEmbeddedRepo=false", "add", "inner");
  for (const folder of [".", "inner"]) {
    workspace.write(join(folder, ".gitattributes"), "* filter=trap diff=trap merge=trap\n");
    for (const key of [
      "filter.trap.clean",
      "filter.trap.smudge",
      "filter.trap.process",
      "diff.trap.textconv",
      "diff.trap.command",
    ]) {
      workspace.git("-C", folder, "config", key, trap(`${folder === "." ? "outer" : "inner"}-${key}`));
    }
    workspace.git("-C", folder, "config", "core.fsmonitor", trap("fsmonitor"));
    workspace.git("-C", folder, "config", "diff.external", trap("external"));
    workspace.git("-C", folder, "config", "core.pager", trap("pager"));
    const hooks = join(workspace.root, folder, ".git/hooks");
    mkdirSync(hooks, { recursive: true });
    for (const hook of ["pre-commit", "post-index-change", "fsmonitor-watchman"]) {
      writeFileSync(join(hooks, hook), `#!/bin/sh\ntouch ${join(proof, hook)}\n`);
      chmodSync(join(hooks, hook), 0o755);
    }
  }
  const diff = await diffOf(workspace, () => {
    workspace.write("a.txt", "b\n");
    workspace.write("inner/f.txt", "changed\n");
  });
  expect(diff).toContain("+b");
  expect(readdirSync(proof)).toEqual([]);
  // Confirms that the traps work: plain git executes them.
  workspace.git("status", "--short");
  expect(readdirSync(proof)).not.toEqual([]);
});

test("a workspace inside of a repository has the changes below it only, relative to the repository", async () => {
  using workspace = temporaryWorkspace();
  workspace.write("packages/one/a.txt", "a\n");
  workspace.write("packages/two/b.txt", "b\n");
  commitAll(workspace);
  const diff = await diffOf(
    workspace,
    () => {
      workspace.write("packages/one/a.txt", "A\n");
      workspace.write("packages/two/b.txt", "B\n");
    },
    join(workspace.root, "packages/one"),
  );
  expect(diff).toContain("+++ b/packages/one/a.txt");
  expect(diff).not.toContain("two");
});

test("a run that changes nothing has an empty diff; before the first commit everything created is shown", async () => {
  using workspace = temporaryWorkspace();
  workspace.git("init", "-q");
  workspace.write("there.txt", "there\n");
  expect(await diffOf(workspace, () => undefined)).toBe("");
  expect(await diffOf(workspace, () => workspace.write("made.txt", "made\n"))).toContain("+made");
});

test("a worktree and a repository with SHA-256 have diffs as well", async () => {
  using workspace = temporaryWorkspace();
  workspace.git("init", "-q", "--object-format=sha256");
  workspace.write("a.txt", "a\n");
  workspace.git("add", "-A");
  workspace.git("commit", "-qm", "start");
  expect(await diffOf(workspace, () => workspace.write("a.txt", "b\n"))).toContain("+b");
  const tree = join(workspace.root, "../tree");
  workspace.git("worktree", "add", "-q", tree);
  expect(await diffOf(workspace, () => writeFileSync(join(tree, "a.txt"), "in the tree\n"), tree)).toContain(
    "+in the tree",
  );
});

test("a state folder in the workspace is not a change of the run", async () => {
  using workspace = temporaryWorkspace();
  commitAllEmpty(workspace);
  const stateDirectory = join(workspace.root, "my state");
  const options = workspace.options({
    engine: changing(() => workspace.write("a.txt", "a\n")),
    stateDirectory,
    workspaceDiff: true,
  });
  const report = await runSession(task(), options);
  expect(report.workspaceDiff).toContain("b/a.txt");
  expect(report.workspaceDiff).not.toContain("run.json");
});

test("a repository that git cannot read is a warning, never a failure", async () => {
  using workspace = temporaryWorkspace();
  workspace.write("a.txt", "a\n");
  commitAll(workspace);
  writeFileSync(join(workspace.root, ".git/index"), "no index at all");
  const engine = changing(() => undefined);
  const handle = await startSession(task(), workspace.options({ engine, workspaceDiff: true }));
  const events = await collect(handle.events());
  const report = await handle.result;
  expect(report.status).toBe("completed");
  expect(report.workspaceDiff).toBeUndefined();
  expect(report.warnings?.[0]).toContain("git");
  expect(typesOf(events)).toEqual(["run_start", "warning", "run_status_changed", "run_end"]);
});

function commitAllEmpty(workspace: TemporaryWorkspace): void {
  workspace.git("init", "-q");
  workspace.git("commit", "-qm", "start", "--allow-empty");
}
