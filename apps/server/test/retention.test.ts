import { mkdir, readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { runSession } from "@switchyard/runner";
import { openFileStore } from "@switchyard/stores/file";
import { expect, test } from "vitest";
import { create, untilStatus } from "./call-api.ts";
import { ASK, makeFolder, openServer } from "./open-server.ts";
import { stepEngine } from "./step-engine.ts";

test("runs of callers are kept so long and no longer; those of other hosts and what belongs to nobody are told apart", async () => {
  let nowMs = Date.parse("2026-01-01T00:00:00Z");
  const first = await openServer(stepEngine(), { now: () => nowMs });
  const old = await create(first);
  await untilStatus(first, old, { status: "completed" });
  const environment = { type: "local", root: await makeFolder(), env: {} } as const;
  const foreign = await runSession(ASK, {
    engine: stepEngine(),
    environment,
    stateDirectory: first.state,
    now: () => nowMs,
  });
  nowMs += 3_600_000;
  const young = await create(first);
  await untilStatus(first, young, { status: "completed" });
  await first.drain();
  const workspaces = `${first.state}-workspaces`;
  for (const name of ["new-left", "nobodys"]) {
    await mkdir(join(workspaces, name));
    await utimes(join(workspaces, name), 0, 0);
  }
  await openServer(stepEngine(), { stateDirectory: first.state, keepRunsMs: 1_800_000, now: () => nowMs });
  const store = openFileStore({ directory: first.state });
  await expect.poll(async () => (await readdir(workspaces)).sort()).toEqual([young]);
  expect((await store.list()).map(({ runId }) => runId).sort()).toEqual([foreign.runId, young].sort());
});
