import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLocalEnvironment, openSandboxedEnvironment, sandboxReadiness } from "@switchyard/environment/local";
import { withLogging } from "@switchyard/environment/wrappers";
import { secret } from "@switchyard/secrets";
import { expect, onTestFinished, test } from "vitest";
import type { AgentSettings } from "../definition/define-adapter.ts";
import { DEFAULT_TIMEOUTS } from "../turn/turn-clock.ts";
import { openStateFolders } from "./open-state-folders.ts";

const SETTINGS: AgentSettings = {
  ...{ kind: "acme", defaultCommand: "acme", timeouts: DEFAULT_TIMEOUTS, now: Date.now, createId: () => "id" },
  capabilities: { usage: "none", resume: "none", permissions: "none", mcp: false },
  stateFolders: { ACME_HOME: "acme", ACME_DATA: "data/acme", ACME_KEPT: "kept" },
  variables: {},
};

async function makeRoot(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "switchyard-state-folders-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}

test("in a sandbox, an agent can write its state to folders outside the workspace, except to a folder in the workspace that it is given", async ({
  skip,
}) => {
  const { missing } = await sandboxReadiness({ ...process.env });
  skip(missing.length > 0, missing.map(({ problem }) => problem).join("; "));
  const root = await makeRoot();
  await using environment = await openSandboxedEnvironment({ root, env: process.env });
  // A folder outside the workspace would be hidden or read-only.
  const variables = { ACME_HOME: secret("/srv/acme"), ACME_KEPT: secret(join(root, ".acme")) };
  const options = { environment, workspacePath: root };
  const set = await openStateFolders({ ...SETTINGS, variables }, options);
  expect(Object.keys(set)).toEqual(["ACME_HOME", "ACME_DATA"]);
  await environment.exec(["sh", "-c", 'echo kept > "$ACME_HOME/a" && cp "$ACME_HOME/a" "$ACME_DATA/b"'], {
    env: { set },
  });
  const { stdout } = await environment.exec(["sh", "-c", 'cat "$ACME_DATA/b"'], { env: { set } });
  expect(stdout).toBe("kept\n");
  expect(await readdir(root)).toEqual([]);
  // Codex allows the commands of its model to write to /tmp and to the folder in TMPDIR.
  const temporary = await environment.exec(["sh", "-c", 'echo "$TMPDIR"']);
  for (const path of Object.values(set)) {
    expect([path.startsWith("/tmp/"), path.startsWith(`${temporary.stdout.trim()}/`)]).toEqual([false, false]);
  }
  const logged = withLogging(environment, () => {});
  expect(await openStateFolders({ ...SETTINGS, variables }, { ...options, environment: logged })).toEqual(set);
});

test("outside a sandbox, an agent keeps its own folders", async () => {
  const root = await makeRoot();
  await using environment = await openLocalEnvironment({ root, env: process.env });
  expect(await openStateFolders(SETTINGS, { environment, workspacePath: root })).toEqual({});
});
