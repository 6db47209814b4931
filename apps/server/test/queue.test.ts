import { EngineError } from "@switchyard/contracts";
import { openFileStore } from "@switchyard/stores/file";
import { expect, onTestFinished, test } from "vitest";
import { parseTokens } from "../src/index.ts";
import { budgetOfOne } from "./budget-of-one.ts";
import { call, create, untilStatus } from "./call-api.ts";
import { ASK, openServer } from "./open-server.ts";
import { gate, stepEngine } from "./step-engine.ts";

const [ADA, BOB] = ["ada", "bob"].map((name) => `${name}-token-of-nobody-0123456789`);
const TOKENS = parseTokens(`${ADA} owner=ada\n${BOB} owner=bob`, "tokens.txt");
const UNLIMITED = { perMinute: 1e9, burst: 1e9 };

/**
 * Creates an engine that records which runs started and how many were active at a time. Runs wait until a gate is
 * opened.
 */
function noting() {
  const blocked = gate();
  const begun: string[] = [];
  let [working, most] = [0, 0];
  const engine = stepEngine({
    steps: 1,
    before: async (_, runId) => {
      begun.push(runId);
      most = Math.max(most, ++working);
      await blocked.opened;
      working -= 1;
    },
  });
  onTestFinished(blocked.open);
  return { engine, begun, open: blocked.open, most: () => most };
}

test("concurrent runs are limited to the slots, run in order, and none is lost", async () => {
  const { engine, begun, open, most } = noting();
  const server = await openServer(engine, { concurrency: 2 });
  const ids: string[] = [];
  for (let count = 0; count < 6; count++) ids.push(await create(server));
  await expect.poll(() => begun.length).toBe(2);
  expect((await call(server, "GET /metrics")).body["text"]).toMatch(/^switchyard_runs_queued 4$/mu);
  // A request for an immediate run is rejected.
  expect(await call(server, "POST /v1/run", { body: {} })).toMatchObject({
    status: 429,
    body: { code: "server.busy" },
  });
  open();
  for (const runId of ids) await untilStatus(server, runId, { status: "completed" });
  expect([...begun].sort()).toEqual([...ids].sort());
  // Two runs that start at the same time may start in either order.
  expect(new Set(begun.slice(0, 2))).toEqual(new Set(ids.slice(0, 2)));
  expect(most()).toBe(2);
});

test("owners take turns, and an owner at its limit does not block others", async () => {
  const { engine, begun, open } = noting();
  const server = await openServer(engine, { concurrency: 1, tokens: TOKENS, rateLimit: UNLIMITED });
  const ofAda = [];
  for (let count = 0; count < 3; count++) ofAda.push(await create(server, { token: ADA }));
  const ofBob = await create(server, { token: BOB });
  open();
  for (const runId of ofAda) await untilStatus(server, runId, { status: "completed", token: ADA });
  // Ada has started a run already, so Bob is next.
  expect(begun).toEqual([ofAda[0], ofBob, ofAda[1], ofAda[2]]);

  const limited = noting();
  const options = { concurrency: 3, maxRunsPerOwner: 1, tokens: TOKENS, rateLimit: UNLIMITED };
  const other = await openServer(limited.engine, options);
  const [first, second] = [await create(other, { token: ADA }), await create(other, { token: ADA })];
  const third = await create(other, { token: BOB });
  await expect.poll(() => limited.begun.length).toBe(2);
  expect(new Set(limited.begun)).toEqual(new Set([first, third]));
  limited.open();
  await untilStatus(other, second, { status: "completed", token: ADA });
});

test("a full queue rejects runs with its limit, and stores nothing of them", async () => {
  const { engine, open } = noting();
  const options = { concurrency: 1, maxQueued: 3, maxQueuedPerOwner: 2, tokens: TOKENS, rateLimit: UNLIMITED };
  const server = await openServer(engine, options);
  const ids = [];
  for (let count = 0; count < 3; count++) ids.push(await create(server, { token: ADA }));
  const ask = (token: string | undefined, headers = {}) =>
    call(server, "POST /v1/runs", { body: { input: { messages: [{ role: "user", content: "x" }] } }, token, headers });
  const key = { "idempotency-key": "later" };
  expect(await ask(ADA, key)).toMatchObject({
    status: 429,
    body: { code: "server.queue_full", limit: 2, retry_after: 5 },
  });
  expect((await ask(BOB)).status).toBe(201);
  expect(await ask(BOB)).toMatchObject({ status: 429, body: { code: "server.queue_full", limit: 3 } });
  // The server stays ready, because callers can still read and interrupt runs.
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(await openFileStore({ directory: server.state }).list()).toHaveLength(4);
  open();
  for (const runId of ids) await untilStatus(server, runId, { status: "completed", token: ADA });
  // The rejected request did not use up the Idempotency-Key.
  expect((await ask(ADA, key)).status).toBe(201);
});

test("a queued run is interrupted immediately, and starts for the first time when resumed", async () => {
  const { engine, begun, open } = noting();
  const server = await openServer(engine, { concurrency: 1 });
  const [first, second] = [await create(server), await create(server)];
  expect((await call(server, `POST /v1/runs/${second}/interrupt`)).status).toBe(202);
  const { body } = await call(server, `GET /v1/runs/${second}`);
  expect(body).toMatchObject({ status: "interrupted", resumable: true, error: { code: "run.interrupted" } });
  expect(body).not.toHaveProperty("started_at");
  open();
  await untilStatus(server, first, { status: "completed" });
  expect(begun).toEqual([first]);
  await expect.poll(async () => (await call(server, `POST /v1/runs/${second}/resume`)).status).toBe(202);
  const started_at = expect.stringMatching(/^\d{4}-.+Z$/);
  expect((await untilStatus(server, second, { status: "completed" })).body).toMatchObject({ attempt: 1, started_at });
});

test("a run whose environment cannot be opened fails with the reason; the next run gets its slot", async () => {
  const { engine, open } = noting();
  open();
  let isBroken = true;
  const server = await openServer(engine, {
    concurrency: 1,
    openEnvironment: (root) => ({ type: "local", root: isBroken ? `${root}-gone` : root, env: {} }),
  });
  const runId = await create(server);
  const { body } = await untilStatus(server, runId, { status: "error" });
  expect(body).toMatchObject({ error: { code: "workspace.not_found" } });
  // The lease is released shortly after the end of the run is published.
  await expect.poll(async () => (await call(server, `GET /v1/runs/${runId}`)).body["resumable"]).toBe(true);
  expect(server.errors).toHaveLength(1);
  isBroken = false;
  await untilStatus(server, await create(server), { status: "completed" });
});

test("the next server continues queued runs, and resumes interrupted ones if configured [D1]", async () => {
  const blocked = gate();
  const reached = gate();
  onTestFinished(blocked.open);
  const options = { concurrency: 1, resumeOnStart: true };
  const first = await openServer(
    stepEngine({
      before: async (step) => {
        if (step !== 2) return;
        reached.open();
        await blocked.opened;
      },
    }),
    options,
  );
  const [working, waiting] = [await create(first), await create(first)];
  await reached.opened;
  const drained = first.drain();
  blocked.open();
  expect((await call(first, "POST /v1/runs", { body: {} })).status).toBe(503);
  expect((await call(first, `POST /v1/runs/${waiting}/resume`)).status).toBe(503);
  await drained;
  const store = openFileStore({ directory: first.state });
  for (const runId of [working, waiting]) expect((await store.show(runId)).record).toMatchObject({ status: "queued" });
  const next = await openServer(stepEngine(), { ...options, stateDirectory: first.state });
  expect((await untilStatus(next, working, { status: "completed" })).body).toMatchObject({ attempt: 2 });
  expect((await untilStatus(next, waiting, { status: "completed" })).body).toMatchObject({ attempt: 1 });
});

test("otherwise interrupted runs wait for a resume, and queued runs continue", async () => {
  const reached = gate();
  const engine = stepEngine({
    before: async (step) => {
      if (step === 2) reached.open();
      if (step === 2) await new Promise((resolve) => setImmediate(resolve));
    },
    steps: 100_000,
  });
  const first = await openServer(engine, { concurrency: 1 });
  const [working, waiting] = [await create(first), await create(first)];
  await reached.opened;
  await first.drain();
  let isUsedUp = true;
  const checkBudget = async (): Promise<void> => {
    const details = { account: "server", day: "2026-11-29", amount: "the limit of tokens is reached" };
    if (isUsedUp) throw new EngineError("budget.day_exceeded", details);
  };
  const next = await openServer(stepEngine(), { stateDirectory: first.state, checkBudget });
  expect((await call(next, `GET /v1/runs/${working}`)).body).toMatchObject({ status: "interrupted", resumable: true });
  await untilStatus(next, waiting, { status: "completed" });
  const refused = await call(next, `POST /v1/runs/${working}/resume`);
  expect(refused).toMatchObject({ status: 429, body: { code: "budget.day_exceeded" } });
  isUsedUp = false;
  expect((await call(next, `POST /v1/runs/${working}/resume`)).status).toBe(202);
  await untilStatus(next, working, { status: "completed" });
});

test("a run whose owner has used up its budget is refused with 429 before it is stored", async () => {
  const { engine, begun, open } = noting();
  open();
  const checkBudget = async (owner: string): Promise<void> => {
    const details = { account: `owner:${owner}`, day: "2026-11-29", amount: "5 of 5 tokens" };
    if (owner === "ada") throw new EngineError("budget.day_exceeded", details);
  };
  const server = await openServer(engine, { checkBudget, tokens: TOKENS, rateLimit: UNLIMITED });
  await expect(create(server, { token: ADA })).rejects.toThrow(/^It was answered 429: .*"budget\.day_exceeded"/u);
  await untilStatus(server, await create(server, { token: BOB }), { status: "completed", token: BOB });
  expect(begun).toHaveLength(1);
});

test("at the limit of its budget, only one run of an owner asks for a place when another run ends", async () => {
  const { engine, open } = noting();
  open();
  const { open: openSharedBudget, elsewhere, asked } = budgetOfOne();
  const place = await elsewhere("ada");
  let isFrozen = true;
  const server = await openServer(engine, {
    session: { engine, engineName: "served", openSharedBudget },
    ...{ concurrency: 4, tokens: TOKENS, rateLimit: UNLIMITED },
    monotonic: () => (isFrozen ? 0 : performance.now()),
  });
  const ofAda = [];
  for (let count = 0; count < 6; count += 1) ofAda.push(await create(server, { token: ADA }));
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  for (let count = 0; count < 10; count += 1) {
    await untilStatus(server, await create(server, { token: BOB }), { status: "completed", token: BOB });
  }
  // The runs that asked at once before the first refusal, and one for each run that ended.
  expect(asked.filter((owner) => owner === "ada").length).toBeLessThanOrEqual(14);
  await place.close();
  isFrozen = false;
  for (const runId of ofAda) await untilStatus(server, runId, { status: "completed", token: ADA });
});

test("at the limit of all owners together, no other owner asks for a place", async () => {
  const { engine, open } = noting();
  open();
  const { open: openSharedBudget, elsewhere, asked } = budgetOfOne(() => "server");
  const place = await elsewhere("eve");
  let nowMs = 0;
  const session = { engine, engineName: "served", openSharedBudget };
  const server = await openServer(engine, { session, tokens: TOKENS, rateLimit: UNLIMITED, monotonic: () => nowMs });
  const first = await create(server, { token: ADA });
  await expect.poll(() => asked).toEqual(["ada"]);
  const others = [await create(server, { token: BOB }), await create(server, { token: BOB })];
  expect(asked).toEqual(["ada"]);
  await place.close();
  nowMs = 1_000;
  await untilStatus(server, first, { status: "completed", token: ADA });
  for (const runId of others) await untilStatus(server, runId, { status: "completed", token: BOB });
});

test("a run whose budget cannot be read stays queued, and starts when another process can read it", async () => {
  const error = new EngineError("store.newer_format", { path: "The usage of shared budgets", format: 3 });
  let isNewer = true;
  let nowMs = 0;
  const openSharedBudget = async (): Promise<undefined> => {
    if (isNewer) throw error;
  };
  const session = { engine: stepEngine(), engineName: "served", openSharedBudget };
  const server = await openServer(session.engine, { session, monotonic: () => nowMs });
  const runId = await create(server);
  await expect.poll(() => server.errors).toEqual([error]);
  expect((await call(server, `GET /v1/runs/${runId}`)).body).toMatchObject({ status: "queued" });
  isNewer = false;
  nowMs = 20_000;
  await untilStatus(server, runId, { status: "completed" });
});

test("an owner whose budget cannot be read delays no other owner", async () => {
  const openSharedBudget = async ({ owner }: { readonly owner: string | undefined }): Promise<undefined> => {
    if (owner === "ada") throw new EngineError("store.malformed", { path: "budgets", problem: "it is damaged" });
  };
  const session = { engine: stepEngine(), engineName: "served", openSharedBudget };
  const options = { session, concurrency: 1, tokens: TOKENS, rateLimit: UNLIMITED, monotonic: () => 0 };
  const server = await openServer(session.engine, options);
  const waiting = await create(server, { token: ADA });
  await expect.poll(() => server.errors).toHaveLength(1);
  await untilStatus(server, await create(server, { token: BOB }), { status: "completed", token: BOB });
  expect((await call(server, `GET /v1/runs/${waiting}`, { token: ADA })).body).toMatchObject({ status: "queued" });
});

test("a run without a place in the budget of its owner stays queued and holds no slot", async () => {
  const { engine, begun, open } = noting();
  open();
  const { open: openSharedBudget, elsewhere } = budgetOfOne();
  const session = { engine, engineName: "served", openSharedBudget };
  const server = await openServer(engine, { session, concurrency: 1, tokens: TOKENS, rateLimit: UNLIMITED });
  const place = await elsewhere("ada");
  const [first, second] = [await create(server, { token: ADA }), await create(server, { token: ADA })];
  await untilStatus(server, await create(server, { token: BOB }), { status: "completed", token: BOB });
  expect((await call(server, `GET /v1/runs/${first}`, { token: ADA })).body).toMatchObject({ status: "queued" });
  expect((await openFileStore({ directory: server.state }).show(first)).lease?.isHeld).not.toBe(true);
  // A caller that waits for the result is refused.
  const refused = { status: 429, body: { code: "budget.too_many_runs" } };
  await expect.poll(() => call(server, "POST /v1/run", { token: ADA, body: ASK })).toMatchObject(refused);
  expect(begun).toHaveLength(1);
  await place.close();
  await untilStatus(server, second, { status: "completed", token: ADA });
  expect(begun.slice(1)).toEqual([first, second]);
});

test("a run that waits for a place in the budget of its owner is ended by an interrupt", async () => {
  const { engine, begun } = noting();
  const { open: openSharedBudget, elsewhere } = budgetOfOne();
  const place = await elsewhere("local");
  const server = await openServer(engine, { session: { engine, engineName: "served", openSharedBudget } });
  const runId = await create(server);
  expect((await call(server, `POST /v1/runs/${runId}/interrupt`, { body: {} })).status).toBe(202);
  await untilStatus(server, runId, { status: "interrupted" });
  await place.close();
  expect(begun).toEqual([]);
});

test("a run that waits for a budget which runs share is ended by an interrupt", async () => {
  const waiting = gate();
  const openSharedBudget = ({ signal }: { readonly signal: AbortSignal | undefined }): Promise<undefined> =>
    new Promise((_, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      waiting.open();
    });
  const server = await openServer(stepEngine(), {
    session: { engine: stepEngine(), engineName: "served", openSharedBudget },
  });
  const runId = await create(server);
  await waiting.opened;
  expect((await call(server, `POST /v1/runs/${runId}/interrupt`, { body: {} })).status).toBe(202);
  await untilStatus(server, runId, { status: "interrupted" });
});
