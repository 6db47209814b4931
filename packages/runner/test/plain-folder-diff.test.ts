import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { SESSION_RESULT, type SessionReport } from "@switchyard/contracts";
import { defineEngine } from "@switchyard/engine";
import { expect, test } from "vitest";
import { RUN_FILES, runSession } from "../src/index.ts";
import { type TemporaryWorkspace, task, temporaryWorkspace } from "./temporary-session.ts";

async function run(
  workspace: TemporaryWorkspace,
  change: () => void,
  {
    root = workspace.root,
    secrets = [],
    env = process.env,
  }: { root?: string; secrets?: readonly string[]; env?: NodeJS.ProcessEnv } = {},
): Promise<SessionReport> {
  const engine = defineEngine(async (_run, _host, board) => {
    change();
    board.set(SESSION_RESULT, { exit_code: 0, final_message: "" });
  });
  const environment = { type: "local", root, env } as const;
  const report = await runSession(task(), workspace.options({ engine, environment, secrets, workspaceDiff: true }));
  expect(report.status).toBe("completed");
  return report;
}

function filesOf(report: SessionReport): string[] {
  return readdirSync(report.runFolder ?? "").filter((name) => !name.startsWith(".") && name !== RUN_FILES.undo);
}

test("a folder that is not in a repository has a diff, without files excluded by its rules and programs", async () => {
  using workspace = temporaryWorkspace();
  workspace.write("a.txt", "a\n");
  workspace.write("removed.txt", "removed\n");
  workspace.write(".gitignore", "*.log\n");
  workspace.write("node_modules/x/index.js", "1\n");
  const report = await run(workspace, () => {
    workspace.write("a.txt", "b\n");
    workspace.write("made.txt", "made\n");
    workspace.write("noise.log", "noise\n");
    workspace.write("node_modules/x/index.js", "2\n");
    rmSync(join(workspace.root, "removed.txt"));
  });
  expect(report.warnings).toBeUndefined();
  expect(report.workspaceDiff).toMatch(/-a\n\+b\n[\s\S]*\+made\n[\s\S]*-removed\n/);
  for (const foreign of ["noise", "node_modules"]) expect(report.workspaceDiff).not.toContain(foreign);
  expect(filesOf(report).sort()).toEqual(["events.jsonl", "report.json", "request.json", "run.json"]);
  expect(readdirSync(workspace.root)).not.toContain(".git");
  expect((await run(workspace, () => undefined)).workspaceDiff).toBe("");
});

test("a folder that its repository ignores is treated as a plain folder", async () => {
  using workspace = temporaryWorkspace();
  workspace.write(".gitignore", "build/\n");
  workspace.write("build/w/a.txt", "a\n");
  workspace.git("init", "-q");
  const report = await run(workspace, () => workspace.write("build/w/a.txt", "b\n"), {
    root: join(workspace.root, "build/w"),
  });
  expect(report.workspaceDiff).toContain("+++ b/a.txt");
});

test("the exact changes restore binary content, moves, links, modes and unusual names", async () => {
  using workspace = temporaryWorkspace();
  const at = (name: string): string => join(workspace.root, name);
  const strange = Buffer.concat([Buffer.from(workspace.root), Buffer.from("/n\xe4me\n", "latin1")]);
  writeFileSync(at("image.bin"), Buffer.from([0, 1, 2, 255]));
  writeFileSync(at("latin.txt"), Buffer.from("gr\xfc\xdfe\r\n", "latin1"));
  writeFileSync(at("run.sh"), "true\n");
  writeFileSync(strange, "strange\n");
  symlinkSync("run.sh", at("link"));
  const moved = Array.from({ length: 30 }, (_, line) => `line ${line}`).join("\n");
  workspace.write("old/name.txt", moved);
  const seen = (): string =>
    execFileSync(
      "sh",
      ["-c", "find . -type f -exec ls -l --time-style=+ {} + -exec cksum {} + | sort; readlink link"],
      {
        cwd: workspace.root,
        encoding: "latin1",
      },
    );
  const before = seen();
  const report = await run(workspace, () => {
    writeFileSync(at("image.bin"), Buffer.from([0, 9, 9, 255]));
    writeFileSync(at("latin.txt"), Buffer.from("gr\xfc\xdf Gott\r\n", "latin1"));
    chmodSync(at("run.sh"), 0o755);
    rmSync(strange);
    rmSync(at("link"));
    symlinkSync("elsewhere", at("link"));
    mkdirSync(at("new"));
    renameSync(at("old/name.txt"), at("new/name.txt"));
  });
  expect(report.workspaceDiff).toContain("rename from old/name.txt");
  expect(report.workspaceDiff).toContain("Binary files a/image.bin and b/image.bin differ");
  const patch = join(report.runFolder ?? "", RUN_FILES.exactChanges);
  execFileSync("git", ["apply", "--reverse", patch], { cwd: workspace.root });
  rmSync(at("new"), { recursive: true, force: true });
  expect(seen()).toBe(before);
});

test("a file excluded by a rule before the run is not attributed to the run", async () => {
  using workspace = temporaryWorkspace();
  workspace.write(".gitignore", "secret/\n*.key\n");
  workspace.write("secret/a", "mine\n");
  workspace.write("b.key", "mine\n");
  const report = await run(workspace, () => rmSync(join(workspace.root, ".gitignore")));
  expect(report.workspaceDiff).toContain("deleted file");
  expect(report.workspaceDiff).not.toContain("mine");
});

test("a changed file that is too large is named in a warning; one that did not change is not", async () => {
  using workspace = temporaryWorkspace();
  for (const name of ["kept.bin", "grown.bin"]) {
    workspace.write(name, "");
    truncateSync(join(workspace.root, name), 11 * 1024 * 1024);
  }
  const report = await run(workspace, () => {
    writeFileSync(join(workspace.root, "grown.bin"), Buffer.alloc(12 * 1024 * 1024, 1));
    writeFileSync(join(workspace.root, "made.bin"), Buffer.alloc(12 * 1024 * 1024, 1));
    workspace.write("a.txt", "a\n");
  });
  expect(report.warnings).toEqual([expect.stringContaining("grown.bin, made.bin")]);
  expect(report.workspaceDiff).toContain("b/a.txt");
  expect(report.workspaceDiff).not.toContain(".bin");
});

test("a folder with too much content is a warning, never a failure", async () => {
  using workspace = temporaryWorkspace();
  for (let index = 0; index < 27; index += 1) {
    workspace.write(`f${index}`, "");
    truncateSync(join(workspace.root, `f${index}`), 10 * 1024 * 1024);
  }
  const report = await run(workspace, () => workspace.write("a.txt", "a\n"));
  expect(report.workspaceDiff).toBeUndefined();
  expect(report.warnings).toEqual([expect.stringContaining("more than 256 MiB")]);
});

test("a long diff is cut in the report, and whole beside it", async () => {
  using workspace = temporaryWorkspace();
  const long = `${"x".repeat(99)}\n`.repeat(90_000);
  const report = await run(workspace, () => workspace.write("long.txt", long));
  expect(report.workspaceDiff?.length).toBeLessThan(8 * 1024 * 1024 + 1);
  expect(report.workspaceDiff?.endsWith("x\n")).toBe(true);
  expect(report.warnings).toEqual([expect.stringContaining("are cut")]);
  execFileSync("git", ["apply", "-R", join(report.runFolder ?? "", RUN_FILES.exactChanges)], { cwd: workspace.root });
  expect(readdirSync(workspace.root)).toEqual([]);
});

test("changes that contain a secret are stored in masked form only", async () => {
  using workspace = temporaryWorkspace();
  const key = "a-key-that-is-not-real";
  const report = await run(workspace, () => workspace.write("config", `token=${key}\n`), { secrets: [key] });
  expect(report.workspaceDiff).toContain("+token=");
  expect(report.workspaceDiff).not.toContain(key);
  expect(filesOf(report)).not.toContain(RUN_FILES.exactChanges);
});

test("one change among ten thousand files with long names is found", { timeout: 600_000 }, async () => {
  using workspace = temporaryWorkspace();
  // All paths together exceed what one command line can hold, and the buffers of pipes.
  const nameOf = (file: number): string => `f${file}-${"x".repeat(200)}`;
  for (let folder = 0; folder < 100; folder += 1) {
    mkdirSync(join(workspace.root, `d${folder}`));
    for (let file = 0; file < 100; file += 1)
      writeFileSync(join(workspace.root, `d${folder}`, nameOf(file)), `${folder} ${file}\n`);
  }
  const report = await run(workspace, () => workspace.write(`d1/${nameOf(1)}`, "changed\n"));
  expect(report.warnings).toBeUndefined();
  expect(report.workspaceDiff).toContain("-1 1\n+changed\n");
});

test("an empty folder has a diff if the run fills it, its permissions are compared, and nothing runs if it stays empty", async () => {
  using workspace = temporaryWorkspace();
  // Git ignores an empty folder `.git`, like those that sandboxes of agents create.
  mkdirSync(join(workspace.root, ".git"));
  const root = join(workspace.root, "empty");
  mkdirSync(root, { mode: 0o755 });
  // Without a path, neither a shell nor git can be started.
  const unchanged = await run(workspace, () => undefined, { root, env: { PATH: "/nowhere" } });
  expect([unchanged.workspaceDiff, unchanged.warnings]).toEqual(["", undefined]);
  expect(readdirSync(unchanged.runFolder ?? "")).not.toContain(RUN_FILES.undo);
  const filled = await run(
    workspace,
    () => {
      workspace.write("empty/src/a.txt", "a\n");
      workspace.write("empty/node_modules/x/index.js", "1\n");
      chmodSync(root, 0o700);
    },
    { root },
  );
  expect(filled.warnings).toBeUndefined();
  expect(filled.workspaceDiff).toContain("+++ b/src/a.txt");
  expect(filled.workspaceDiff).not.toContain("node_modules");
  const undone: unknown = JSON.parse(readFileSync(join(filled.runFolder ?? "", RUN_FILES.undo), "utf8"));
  expect(JSON.stringify(undone)).toContain('"before":493,"after":448');
});
