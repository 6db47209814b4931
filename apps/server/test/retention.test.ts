import { once } from "node:events";
import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { runSession } from "@switchyard/runner";
import { NODE_FILES, openFileStore, RUNS_FOLDER } from "@switchyard/stores/file";
import { expect, onTestFinished, test } from "vitest";
import { pruneRuns } from "../src/runs/prune-runs.ts";
import { openParts } from "../src/server/open-parts.ts";
import { EventHub } from "../src/stream/event-hub.ts";
import { create, untilStatus } from "./call-api.ts";
import { ASK, makeFolder, openServer } from "./open-server.ts";
import { gate, stepEngine } from "./step-engine.ts";

test("callers' runs are deleted after the retention time; runs of other hosts and unowned folders are not", async () => {
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

test("the next server completes an interrupted deletion", async () => {
  const first = await openServer(stepEngine());
  const [cut, retained] = [await create(first), await create(first)];
  for (const runId of [cut, retained]) await untilStatus(first, runId, { status: "completed" });
  await first.drain();
  const dying = { ...NODE_FILES, removeTree: () => Promise.reject(new Error("killed")) };
  await expect(openFileStore({ directory: first.state, files: dying }).delete(cut)).rejects.toThrow("killed");
  const entries = (): Promise<string[]> => readdir(join(first.state, RUNS_FOLDER));
  expect(await entries()).toHaveLength(2);
  await openServer(stepEngine(), { stateDirectory: first.state });
  await expect.poll(entries).toEqual([retained]);
});

test("runs beyond the count or size limit are deleted, except the newest and active ones", async () => {
  let nowMs = Date.parse("2026-01-01T00:00:00Z");
  const now = (): number => nowMs;
  const first = await openServer(stepEngine(), { now });
  const ids: string[] = [];
  for (let count = 0; count < 4; count += 1) {
    const runId = await create(first);
    await untilStatus(first, runId, { status: "completed" });
    ids.push(runId);
    nowMs += 60_000;
  }
  await first.drain();
  const [, second = "", third = "", fourth = ""] = ids;
  const store = openFileStore({ directory: first.state });
  const listed = async (): Promise<string[]> => (await store.list()).map(({ runId }) => runId).sort();
  const counted = await openServer(stepEngine(), { stateDirectory: first.state, keepRuns: 3, now });
  await expect.poll(listed).toEqual([second, third, fourth].sort());
  await counted.drain();
  // With the newest run, this run exceeds the size limit, so it and all older runs are removed.
  await writeFile(join(`${first.state}-workspaces`, third, "large.bin"), Buffer.alloc(300_000));
  const blocked = gate();
  const engine = stepEngine({ before: () => blocked.opened });
  const sized = await openServer(engine, { stateDirectory: first.state, keepRunsBytes: 200_000, now });
  onTestFinished(blocked.open);
  const working = await create(sized);
  await expect.poll(listed).toEqual([fourth, working].sort());
});

test("a run with a connected client is deleted after the client has received its end", async () => {
  const first = await openServer(stepEngine());
  const runId = await create(first);
  await untilStatus(first, runId, { status: "completed" });
  await first.drain();
  const environment = (root: string) => ({ type: "local", root, env: {} }) as const;
  const options = { session: { engine: stepEngine() }, stateDirectory: first.state, openEnvironment: environment };
  const parts = await openParts({ ...options, keepRunsMs: 0, now: () => Date.now() + 60_000 });
  onTestFinished(() => parts.streams.close());
  const watching = createServer((_, response) => {
    const hub = new EventHub(runId, parts.store);
    void parts.streams.open({ runId, owner: "u", afterSeq: 0, hub }, response);
  });
  watching.listen(0, "127.0.0.1");
  await once(watching, "listening");
  onTestFinished(() => void watching.close());
  const address = watching.address();
  const leaving = new AbortController();
  // The stream stays open, because the hub was not informed of the run's end.
  await fetch(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`, { signal: leaving.signal });
  const remainingIds = async (): Promise<string[]> => (await parts.store.list()).map((run) => run.runId);
  await pruneRuns(parts);
  expect(await remainingIds()).toEqual([runId]);
  leaving.abort();
  await expect.poll(() => parts.streams.size).toBe(0);
  await pruneRuns(parts);
  expect(await remainingIds()).toEqual([]);
});
