import { join } from "node:path";
import {
  DEPENDENCY,
  EngineError,
  isExecutionEnvironment,
  type RunCluster,
  SESSION_RESULT,
} from "@switchyard/contracts";
import { defineEngine, getDependency } from "@switchyard/engine";
import { lockWorkspace } from "@switchyard/workspace";
import { expect, onTestFinished, test } from "vitest";
import { parseTokens } from "../src/index.ts";
import { budgetOfOne } from "./budget-of-one.ts";
import { call, create, untilStatus } from "./call-api.ts";
import { describeWithBroker, useClusters } from "./open-cluster.ts";
import { ASK, makeFolder } from "./open-server.ts";
import { gate, stepEngine } from "./step-engine.ts";
import { seqsOf, watch } from "./watch-run.ts";

describeWithBroker("servers and workers on one broker", () => {
  const createCluster = useClusters();

  test("a worker executes the run that a server accepted, and clients of every server see each event once", async () => {
    const cluster = createCluster();
    const [one, two] = [await cluster.addServer(), await cluster.addServer()];
    const runId = await create(one);
    expect((await call(one, `GET /v1/runs/${runId}`)).body).toMatchObject({ status: "queued", engine: "served" });
    const watching = [watch(one, runId), watch(two, runId)];
    const worker = await cluster.addWorker(stepEngine({ steps: 20 }), { name: "w1" });
    const { body } = await untilStatus(two, runId, { status: "completed" });
    expect(body).toMatchObject({ result: { final_message: "attempt 1" }, worker: worker.name });
    const [first = [], second = []] = await Promise.all(watching);
    const seqs = seqsOf(first);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    expect(seqsOf(second)).toEqual(seqs);
    expect(seqs.length).toBeGreaterThan(40);
    expect(first.at(-1)).toMatchObject({ name: "end", data: { run_id: runId, status: "completed" } });
    // The server that queued the run reports its end once.
    await expect.poll(() => one.runLines).toMatchObject([{ run_id: runId, run_status: "completed" }]);
    expect(two.runLines).toEqual([]);
    expect([...one.errors, ...two.errors]).toEqual([]);
  });

  test("a client is disconnected if the last events of a run cannot be read, and gets them when it connects again", async () => {
    const cluster = createCluster();
    const connection = await cluster.connect();
    onTestFinished(() => connection[Symbol.asyncDispose]());
    const failed: string[] = [];
    const server = await cluster.addServer({
      cluster: {
        ...connection,
        // Without a broker, neither live events nor the number of the last event can be read.
        followEvents: async (runId, { signal }) => {
          if (!signal.aborted) return { afterSeq: 0, events: (async function* () {})() };
          failed.push(runId);
          throw new EngineError("broker.unreachable", { address: "nats://127.0.0.1:1", problem: "it was stopped" });
        },
      },
    });
    await cluster.addWorker(stepEngine({ steps: 2 }));
    const runId = await create(server);
    const first = await watch(server, runId).catch(() => []);
    expect(first.some(({ name }) => name === "end")).toBe(false);
    expect(failed).toEqual([runId]);
    const again = await watch(server, runId);
    expect(seqsOf(again)).toEqual(seqsOf(again).map((_, index) => index + 1));
    expect(again.at(-1)).toMatchObject({ name: "end", data: { status: "completed" } });
  });

  test("a worker with a limit of runs takes no further run, and finishes when its runs have ended", async () => {
    const cluster = createCluster();
    const server = await cluster.addServer();
    const ids = [await create(server), await create(server)];
    const options = { name: "once", concurrency: 2 };
    const worker = await cluster.addWorker(stepEngine({ steps: 1 }), { ...options, maxRuns: 1 });
    await worker.finished;
    const statuses = async () =>
      Promise.all(ids.map(async (id) => (await call(server, `GET /v1/runs/${id}`)).body["status"]));
    expect((await statuses()).sort()).toEqual(["completed", "queued"]);
    const unlimited = await cluster.addWorker(stepEngine({ steps: 1 }), { name: "again" });
    await expect.poll(statuses).toEqual(["completed", "completed"]);
    await unlimited.drain();
    await unlimited.finished;
  });

  test("runs that another worker executes, and runs that a worker queues again, do not count towards its limit", async () => {
    const cluster = createCluster();
    const server = await cluster.addServer();
    const connection = await cluster.connect();
    onTestFinished(() => connection[Symbol.asyncDispose]());
    const taken = await create(server);
    const writer = await connection.store.acquire(taken);
    onTestFinished(() => writer.release());
    let isFirst = true;
    const requestRuns: RunCluster["requestRuns"] = async (worker, options) => {
      if (!isFirst) return connection.requestRuns(worker, options);
      isFirst = false;
      return [taken];
    };
    const blocked = gate();
    const engine = stepEngine({ before: (step) => (step === 2 ? blocked.opened : undefined) });
    const limit = { maxRuns: 1 };
    const first = await cluster.addWorker(engine, { cluster: { ...connection, requestRuns }, ...limit });
    const runId = await create(server);
    await untilStatus(server, runId, { status: "running" });
    const drained = first.drain();
    blocked.open();
    await drained;
    await first.finished;
    expect(first.missingRuns).toBe(1);
    const second = await cluster.addWorker(stepEngine(), limit);
    await second.finished;
    expect(second.missingRuns).toBe(0);
    await untilStatus(server, runId, { status: "completed" });
  });

  test("a run without a place in the budget of its owner holds neither a slot of the worker nor a lease", async () => {
    const cluster = createCluster();
    const [ADA, BOB] = ["ada", "bob"].map((name) => `${name}-token-of-nobody-0123456789`);
    const tokens = parseTokens(`${ADA} owner=ada\n${BOB} owner=bob`, "tokens.txt");
    const server = await cluster.addServer({ tokens, rateLimit: { perMinute: 1e9, burst: 1e9 } });
    const { open: openSharedBudget, elsewhere } = budgetOfOne();
    const place = await elsewhere("ada");
    const engine = stepEngine({ steps: 1 });
    const session = { engine, engineName: "served", openSharedBudget };
    const openEnvironment = (root: string) => ({ type: "local", root, env: process.env }) as const;
    await cluster.addWorker(engine, { engines: [{ session, openEnvironment }] });
    const waiting = await create(server, { token: ADA });
    await untilStatus(server, await create(server, { token: BOB }), { status: "completed", token: BOB });
    expect((await call(server, `GET /v1/runs/${waiting}`, { token: ADA })).body).toMatchObject({ status: "queued" });
    await place.close();
    await untilStatus(server, waiting, { status: "completed", token: ADA });
  });

  test("an owner without a place is asked again after a pause or the end of a run, and delays no other owner", async () => {
    const cluster = createCluster();
    const [ADA, BOB] = ["ada", "bob"].map((name) => `${name}-token-of-nobody-0123456789`);
    const tokens = parseTokens(`${ADA} owner=ada\n${BOB} owner=bob`, "tokens.txt");
    let isFrozen = true;
    const monotonic = (): number => (isFrozen ? 0 : performance.now());
    const server = await cluster.addServer({ tokens, rateLimit: { perMinute: 1e9, burst: 1e9 }, monotonic });
    const { open: openSharedBudget, elsewhere, asked } = budgetOfOne();
    const place = await elsewhere("ada");
    const ofAda = [];
    for (let count = 0; count < 20; count += 1) ofAda.push(await create(server, { token: ADA }));
    const engine = stepEngine({ steps: 1 });
    const session = { engine, engineName: "served", openSharedBudget };
    const openEnvironment = (root: string) => ({ type: "local", root, env: process.env }) as const;
    await cluster.addWorker(engine, { engines: [{ session, openEnvironment }] });
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    for (let count = 0; count < 3; count += 1) {
      await untilStatus(server, await create(server, { token: BOB }), { status: "completed", token: BOB });
    }
    expect(asked.filter((owner) => owner === "ada").length).toBeLessThanOrEqual(4);
    await place.close();
    isFrozen = false;
    const [first = "", second = ""] = ofAda;
    for (const runId of [first, second]) await untilStatus(server, runId, { status: "completed", token: ADA });
  });

  test("an owner whose budget a worker cannot read is asked rarely, and delays no other owner", async () => {
    const cluster = createCluster();
    const [ADA, BOB] = ["ada", "bob"].map((name) => `${name}-token-of-nobody-0123456789`);
    const tokens = parseTokens(`${ADA} owner=ada\n${BOB} owner=bob`, "tokens.txt");
    const monotonic = (): number => 0;
    const server = await cluster.addServer({ tokens, rateLimit: { perMinute: 1e9, burst: 1e9 }, monotonic });
    const { open, asked } = budgetOfOne();
    const openSharedBudget: typeof open = async (run) => {
      const budget = await open(run);
      if (run.owner !== "ada") return budget;
      await budget.close();
      throw new EngineError("store.newer_format", { path: "budgets", format: 9 });
    };
    for (let count = 0; count < 20; count += 1) await create(server, { token: ADA });
    const engine = stepEngine({ steps: 1 });
    const session = { engine, engineName: "served", openSharedBudget };
    const openEnvironment = (root: string) => ({ type: "local", root, env: process.env }) as const;
    const problems: unknown[] = [];
    await cluster.addWorker(engine, {
      engines: [{ session, openEnvironment }],
      onError: (error) => problems.push(error),
    });
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    for (let count = 0; count < 3; count += 1) {
      await untilStatus(server, await create(server, { token: BOB }), { status: "completed", token: BOB });
    }
    expect(asked.filter((owner) => owner === "ada").length).toBeLessThanOrEqual(4);
    expect(problems[0]).toMatchObject({ code: "store.newer_format" });
  });

  test("a run whose folder is busy delays no other run of its owner, also after the budget has refused one", async () => {
    const cluster = createCluster();
    const [path, stateDirectory] = [await makeFolder(), join(await makeFolder(), "state")];
    let nowMs = 0;
    const server = await cluster.addServer({ monotonic: () => nowMs });
    const { open: openSharedBudget, elsewhere, asked } = budgetOfOne();
    const place = await elsewhere("local");
    const connection = await cluster.connect();
    onTestFinished(() => connection[Symbol.asyncDispose]());
    // With its frozen clock, the server would answer requests that the worker has given up.
    const requestRuns: RunCluster["requestRuns"] = (worker, { maxRuns }) =>
      connection.requestRuns(worker, { maxRuns, waitMs: 600_000 });
    const engine = stepEngine({ steps: 1 });
    const session = { engine, engineName: "served", openSharedBudget };
    const openEnvironment = (root: string) => ({ type: "local", root, env: process.env }) as const;
    const lock = { state: stateDirectory, runId: "of-another-process", onTakeover: async () => undefined };
    const locked = await lockWorkspace(path, lock);
    const [busy, other] = [
      await create(server, { body: { input: ASK, priority: 1, workspace: { folder: "app" } } }),
      await create(server),
    ];
    await cluster.addWorker(engine, {
      ...{ engines: [{ session, openEnvironment }], stateDirectory, folders: { app: { path } } },
      cluster: { ...connection, requestRuns },
    });
    await expect.poll(() => asked).toEqual(["local"]);
    await place.close();
    nowMs = 600;
    await untilStatus(server, other, { status: "completed" });
    expect((await call(server, `GET /v1/runs/${busy}`)).body).toMatchObject({ status: "queued" });
    await locked[Symbol.asyncDispose]();
    nowMs = 1_200;
    await untilStatus(server, busy, { status: "completed" });
  });

  test("many runs whose folder another process has locked delay no other run, and start when the folder is free", async () => {
    const cluster = createCluster();
    const [path, stateDirectory] = [await makeFolder(), join(await makeFolder(), "state")];
    const server = await cluster.addServer({ rateLimit: { perMinute: 1e9, burst: 1e9 } });
    const lock = { state: stateDirectory, runId: "of-another-process", onTakeover: async () => undefined };
    const locked = await lockWorkspace(path, lock);
    const body = { input: ASK, priority: 1, workspace: { folder: "app" } };
    const busy: string[] = [];
    for (let count = 0; count < 8; count += 1) busy.push(await create(server, { body }));
    const others = [await create(server), await create(server)];
    await cluster.addWorker(stepEngine({ steps: 1 }), { stateDirectory, folders: { app: { path } }, concurrency: 1 });
    for (const runId of others) await untilStatus(server, runId, { status: "completed" });
    for (const runId of busy) {
      expect((await call(server, `GET /v1/runs/${runId}`)).body).toMatchObject({ status: "queued" });
    }
    await locked[Symbol.asyncDispose]();
    for (const runId of busy) await untilStatus(server, runId, { status: "completed" });
  });

  test("uploaded files reach the worker, and its changes and artifacts come back", async () => {
    const cluster = createCluster();
    const engine = defineEngine(
      async (run, _, board) => {
        const environment = getDependency(run.deps, DEPENDENCY.environment, isExecutionEnvironment);
        const text = Buffer.from(await environment.readFile("src/in.txt")).toString();
        await environment.writeFile("src/in.txt", Buffer.from(`${text}changed\n`));
        await environment.writeFile("out/result.txt", Buffer.from("the artifact"));
        const files = [{ name: "result", path: "out/result.txt" }];
        board.set(SESSION_RESULT, { exit_code: 0, final_message: text, artifacts: { files } });
      },
      { name: "served" },
    );
    const server = await cluster.addServer();
    await cluster.addWorker(engine);
    const sent = new FormData();
    sent.set("payload", JSON.stringify({ input: ASK }));
    sent.append("files", new Blob(["old\n"]), "src/in.txt");
    const runId = String((await call(server, "POST /v1/runs", { body: sent })).body["run_id"]);
    const { body } = await untilStatus(server, runId, { status: "completed" });
    expect(body["result"]).toMatchObject({ final_message: "old\n" });
    expect(body["workspace_diff"]).toContain("+changed");
    const listed = await call(server, `GET /v1/runs/${runId}/artifacts`);
    const [artifact] = Array.isArray(listed.body["artifacts"]) ? listed.body["artifacts"] : [];
    const read = await call(server, `GET /v1/runs/${runId}/artifacts/${artifact.path}`);
    expect(read.body["text"]).toBe("the artifact");
  });

  test("a run on a worker ends at the time limit of the worker, whatever limit it requests", async () => {
    const cluster = createCluster();
    const server = await cluster.addServer();
    const waiting = defineEngine(
      ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        }),
      { name: "served" },
    );
    await cluster.addWorker(waiting, { maxRunSeconds: 0.1 });
    const runId = await create(server, { body: { input: { ...ASK, timeout_seconds: 5_000 } } });
    const { body } = await untilStatus(server, runId, { status: "timed_out" });
    expect(body["error"]).toMatchObject({ code: "run.timed_out" });
  });

  test("queued and active runs can be interrupted through any server", async () => {
    const cluster = createCluster();
    const [one, two] = [await cluster.addServer(), await cluster.addServer()];
    const [active, queued] = [await create(one), await create(one)];
    const blocked = gate();
    await cluster.addWorker(stepEngine({ before: (step) => (step === 2 ? blocked.opened : undefined) }));
    await untilStatus(two, active, { status: "running" });
    expect((await call(two, `POST /v1/runs/${queued}/interrupt`, { body: {} })).status).toBe(202);
    await untilStatus(one, queued, { status: "interrupted" });
    await expect
      .poll(async () => (await call(two, `POST /v1/runs/${active}/interrupt`, { body: {} })).status)
      .toBe(202);
    blocked.open();
    await untilStatus(one, active, { status: "interrupted" });
    const over = await call(two, `POST /v1/runs/${active}/interrupt`, { body: {} });
    expect(over).toMatchObject({ status: 409, body: { code: "server.run_not_at_work" } });
  });

  test("a worker that shuts down hands its run to another worker", async () => {
    const cluster = createCluster();
    const server = await cluster.addServer();
    const blocked = gate();
    const first = await cluster.addWorker(stepEngine({ before: (step) => (step === 2 ? blocked.opened : undefined) }), {
      name: "w1",
    });
    const runId = await create(server);
    await untilStatus(server, runId, { status: "running" });
    const drained = first.drain();
    blocked.open();
    await drained;
    await cluster.addWorker(stepEngine(), { name: "w2" });
    const { body } = await untilStatus(server, runId, { status: "completed" });
    expect(body).toMatchObject({ attempt: 2, worker: "w2", result: { final_message: "attempt 2" } });
  });

  test("if the server that leads dies, another server assigns the runs to workers", async () => {
    const cluster = createCluster();
    const [first, second] = [await cluster.connect(), await cluster.connect()];
    onTestFinished(() => second[Symbol.asyncDispose]());
    const leaders: string[] = [];
    const noting = (name: string, connection: RunCluster): RunCluster => ({
      ...connection,
      lead: async (signal) => {
        const lost = await connection.lead(signal);
        if (lost !== undefined) leaders.push(name);
        return lost;
      },
    });
    await cluster.addServer({ cluster: noting("first", first) });
    await expect.poll(() => leaders).toEqual(["first"]);
    const server = await cluster.addServer({ cluster: noting("second", second) });
    await cluster.addWorker(stepEngine());
    await untilStatus(server, await create(server), { status: "completed" });
    expect(leaders).toEqual(["first"]);
    // Without its connection, the first server can neither assign runs nor release the lease of the leader.
    await first[Symbol.asyncDispose]();
    await untilStatus(server, await create(server), { status: "completed" });
    expect(leaders).toEqual(["first", "second"]);
  });

  test("a run waits for a worker with its engine, environment and labels", async () => {
    const cluster = createCluster();
    const server = await cluster.addServer();
    await cluster.addWorker(stepEngine(), { name: "plain", concurrency: 4 });
    const order = async (more: object) => create(server, { body: { input: ASK, ...more } });
    const [anywhere, labelled] = [await order({}), await order({ labels: { gpu: "a100" } })];
    const [elsewhere, other] = [await order({ environment: "sandbox" }), await order({ engine: "another" })];
    await untilStatus(server, anywhere, { status: "completed" });
    await cluster.addWorker(stepEngine(), { name: "gpu", labels: { gpu: "a100" } });
    const { body } = await untilStatus(server, labelled, { status: "completed" });
    expect(body).toMatchObject({ worker: "gpu" });
    for (const runId of [elsewhere, other]) {
      expect((await call(server, `GET /v1/runs/${runId}`)).body).toMatchObject({ status: "queued" });
    }
  });
});
