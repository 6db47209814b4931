import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EngineError, SESSION_RESULT } from "@switchyard/contracts";
import { defineEngine } from "@switchyard/engine";
import { expect, test } from "vitest";
import { runSession } from "../src/index.ts";
import { type TemporaryWorkspace, task, temporaryWorkspace } from "./temporary-session.ts";

function commitAll(workspace: TemporaryWorkspace): void {
  workspace.git("init", "-q");
  workspace.git("add", "-A");
  workspace.git("commit", "-qm", "start");
}

/** Returns variables for processes that cannot read protected files, even if the tests run as root. */
function withoutPrivileges(workspace: TemporaryWorkspace): NodeJS.ProcessEnv {
  if (process.getuid?.() !== 0) return process.env;
  const bin = join(workspace.root, "../bin");
  mkdirSync(bin);
  const script = '#!/bin/sh\nexec setpriv --bounding-set=-dac_override,-dac_read_search -- /bin/sh "$@"\n';
  writeFileSync(join(bin, "sh"), script, { mode: 0o755 });
  return { ...process.env, PATH: `${bin}:${process.env["PATH"]}` };
}

test.each([true, false])(
  "files that cannot be read are named when they are new; repository: %s",
  async (isRepository) => {
    using workspace = temporaryWorkspace();
    workspace.write("a.txt", "a\n");
    if (isRepository) commitAll(workspace);
    const hide = (name: string): void => {
      workspace.write(name, "hidden\n");
      chmodSync(join(workspace.root, name), 0);
    };
    hide("before.key");
    const engine = defineEngine(async (_run, _host, board) => {
      hide("in/made [1].key");
      workspace.write("a.txt", "b\n");
      symlinkSync("before.key", join(workspace.root, "link"));
      board.set(SESSION_RESULT, { exit_code: 0, final_message: "" });
    });
    const environment = { type: "local", root: workspace.root, env: withoutPrivileges(workspace) } as const;
    const report = await runSession(task(), workspace.options({ engine, environment, workspaceDiff: true }));
    expect(report.warnings).toEqual([
      expect.stringMatching(/cannot be read, were left out of it: in\/made \[1\]\.key$/),
    ]);
    expect(report.workspaceDiff).toContain("-a\n+b\n");
    expect(report.workspaceDiff).toContain("+before.key");
    expect(report.workspaceDiff).not.toContain("hidden");
  },
);

test("stored files of a workspace's changes are readable only by the owner", async () => {
  using workspace = temporaryWorkspace();
  workspace.write("a.txt", "a\n");
  commitAll(workspace);
  const engine = defineEngine(async () => {
    workspace.write("a.txt", "b\n");
    throw new EngineError("run.interrupted");
  });
  const environment = { type: "local", root: workspace.root, env: process.env } as const;
  const report = await runSession(task(), workspace.options({ engine, environment, workspaceDiff: true }));
  expect(report.warnings).toBeUndefined();
  const open = readdirSync(report.runFolder ?? "", { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .filter((entry) => (statSync(join(entry.parentPath, entry.name)).mode & 0o077) !== 0);
  expect(open.map(({ name }) => name)).toEqual([]);
});
