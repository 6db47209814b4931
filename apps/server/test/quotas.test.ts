import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type OwnerQuota, parseOwners, parseTokens, watchOwners } from "../src/index.ts";
import { call, create, untilStatus } from "./call-api.ts";
import { describeWithBroker, useClusters } from "./open-cluster.ts";
import { ASK, makeFolder, openServer } from "./open-server.ts";
import { gate, stepEngine } from "./step-engine.ts";

const [ADA, BOB] = ["token-of-ada-0123456789", "token-of-bob-0123456789"];
const TOKENS = parseTokens(`${ADA} owner=ada\n${BOB} owner=bob`, "tokens.txt");
const LIMITS = { tokens: TOKENS, rateLimit: { perMinute: 1e9, burst: 1e9 }, concurrency: 10 };

test("a run whose caller waits is refused while its owner is at a limit, and counts towards the limits", async () => {
  const blocked = gate();
  onTestFinished(blocked.open);
  const quotas: Readonly<Record<string, OwnerQuota>> = { ada: { maxRunning: 1 }, bob: { maxStartsPerDay: 2 } };
  const server = await openServer(stepEngine({ before: (_, runId) => (runId === held ? blocked.opened : undefined) }), {
    ...{ ...LIMITS, quotaOf: (owner) => quotas[owner] ?? {} },
  });
  const run = (token: string | undefined) => call(server, "POST /v1/run", { body: ASK, token });
  let held = "";
  held = await create(server, { token: ADA });
  await untilStatus(server, held, { status: "running", token: ADA });
  expect(await run(ADA)).toMatchObject({ status: 429, body: { code: "server.owner_limit", limit: 1 } });
  blocked.open();
  await untilStatus(server, held, { status: "completed", token: ADA });
  await expect.poll(async () => (await run(ADA)).status).toBe(200);
  expect([(await run(BOB)).status, (await run(BOB)).status]).toEqual([200, 200]);
  expect(await run(BOB)).toMatchObject({ status: 429, body: { code: "server.owner_limit", limit: 2 } });
  // The daily limit also applies to queued runs.
  const waiting = await create(server, { token: BOB });
  await untilStatus(server, await create(server, { token: ADA }), { status: "completed", token: ADA });
  expect((await call(server, `GET /v1/runs/${waiting}`, { token: BOB })).body).toMatchObject({ status: "queued" });
});

test("runs that started before a restart of the server count towards the limit of the day", async () => {
  const quotaOf = (): OwnerQuota => ({ maxStartsPerDay: 1 });
  const first = await openServer(stepEngine(), { ...LIMITS, quotaOf });
  await untilStatus(first, await create(first, { token: ADA }), { status: "completed", token: ADA });
  await first.drain();
  const second = await openServer(stepEngine(), { ...LIMITS, quotaOf, stateDirectory: first.state });
  const left = async (token: string | undefined) =>
    (await call(second, "GET /v1/caller", { token })).body["starts_left"];
  expect([await left(ADA), await left(BOB)]).toEqual([0, 1]);
  const waiting = await create(second, { token: ADA });
  await untilStatus(second, await create(second, { token: BOB }), { status: "completed", token: BOB });
  expect((await call(second, `GET /v1/runs/${waiting}`, { token: ADA })).body).toMatchObject({ status: "queued" });
});

test("quotas of a file apply by owner, and a changed file applies to runs that wait", async () => {
  const path = join(await makeFolder(), "owners.yaml");
  const write = async (text: string): Promise<void> => {
    await writeFile(`${path}.new`, text);
    await rename(`${path}.new`, path);
  };
  await write("default: { max_running: 0, max_queued: 2 }\nowners: { ada: { max_running: 1, weight: 2.5 } }\n");
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const watched = await watchOwners(path, { defaults: { maxStartsPerDay: 9 }, onError, intervalMs: 20 });
  onTestFinished(watched.close);
  expect(watched.quotaOf("ada")).toEqual({ maxStartsPerDay: 9, maxRunning: 1, maxQueued: 2, weight: 2.5 });
  const server = await openServer(stepEngine(), { ...LIMITS, ...watched });
  const waiting = [await create(server, { token: BOB }), await create(server, { token: BOB })];
  const refused = await call(server, "POST /v1/runs", { body: { input: ASK }, token: BOB });
  expect(refused).toMatchObject({ status: 429, body: { code: "server.queue_full", limit: 2 } });
  await untilStatus(server, await create(server, { token: ADA }), { status: "completed", token: ADA });
  await write("owners: { bob: { max_runnning: 1 } }\n");
  await expect.poll(() => errors).toEqual([expect.objectContaining({ code: "config.invalid" })]);
  expect(watched.quotaOf("bob")).toMatchObject({ maxRunning: 0 });
  await write("owners: { bob: { max_running: 1 } }\n");
  for (const runId of waiting) await untilStatus(server, runId, { status: "completed", token: BOB });
});

test("an owners file with a wrong field or value is refused with its place", () => {
  for (const [document, place] of [
    [[], "the document"],
    [{ owners: { ada: { max_running: -1 } } }, "owners.ada.max_running"],
    [{ default: { weight: 0 } }, "default.weight"],
  ] as const) {
    expect(() => parseOwners(document, "owners.yaml")).toThrow(place);
  }
});

describeWithBroker("quotas in a cluster", () => {
  const createCluster = useClusters();

  test("a new leader offers no run of an owner that may exceed a limit while runs that the previous leader offered may start", async () => {
    const cluster = createCluster();
    let nowMs = 0;
    const quotaOf = (owner: string): OwnerQuota => ({ maxRunning: owner === "ada" ? 1 : 2 });
    const server = await cluster.addServer({ ...LIMITS, quotaOf, monotonic: () => nowMs });
    const connection = await cluster.connect();
    onTestFinished(() => connection[Symbol.asyncDispose]());
    const worker = { engines: ["served"], environments: ["local"], labels: {}, version: "0.0.0", running: 0, free: 1 };
    const ask = (waitMs = 200) => connection.requestRuns({ ...worker, format: 1, name: "w1" }, { waitMs });
    const [ofAda] = [await create(server, { token: ADA }), await create(server, { token: ADA })];
    const ofBob = [await create(server, { token: BOB }), await create(server, { token: BOB })];
    for (const runId of ofBob) await expect.poll(() => ask()).toEqual([runId]);
    expect(await ask()).toEqual([]);
    nowMs += 10_000;
    // The server considers the run at its next check, which must not answer a request that has already ended.
    await expect.poll(() => ask(5_000)).toEqual([ofAda]);
  });
});
