import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@switchyard/client";
import {
  type ClusterWorker,
  DEPENDENCY,
  EngineError,
  isExecutionEnvironment,
  SESSION_RESULT,
  type SessionReport,
} from "@switchyard/contracts";
import { createBoard, defineEngine, getDependency } from "@switchyard/engine";
import { secret } from "@switchyard/secrets";
import { expect, onTestFinished, test } from "vitest";
import { publishingStore } from "../src/cluster/publishing-store.ts";
import { prepareWorkspace } from "../src/cluster/worker-workspace.ts";
import { parseTokens } from "../src/index.ts";
import { call, create, untilStatus } from "./call-api.ts";
import { describeWithBroker, useClusters } from "./open-cluster.ts";
import { openGitServer } from "./open-git-server.ts";
import { ASK, makeFolder } from "./open-server.ts";
import { gate } from "./step-engine.ts";

const PASSWORD = "word-of-the-test-robot";

/** Engine that reads `a.txt`, appends a line to it, and reports what it read. */
const appending = (before: () => unknown = () => undefined) =>
  defineEngine(
    async (run, _, board) => {
      const environment = getDependency(run.deps, DEPENDENCY.environment, isExecutionEnvironment);
      const text = Buffer.from(await environment.readFile("a.txt")).toString();
      await before();
      await environment.writeFile("a.txt", Buffer.from(`${text}changed\n`));
      board.set(SESSION_RESULT, { exit_code: 0, final_message: text });
    },
    { name: "served" },
  );

/** Report of a run that can be resumed. */
function interruptedReport(runId: string): SessionReport {
  const at = "2026-01-01T00:01:00.000Z";
  return {
    ...{ runId, engine: "served", status: "interrupted", artifacts: [] },
    usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
    timing: { startedAt: at, finishedAt: at, durationMs: 1 },
  };
}

describeWithBroker("workspaces of runs on workers", () => {
  const createCluster = useClusters();

  test("a worker checks out a repository with a credential that only the worker knows", async () => {
    const git = await openGitServer(PASSWORD);
    const cluster = createCluster();
    const server = await cluster.addServer();
    const rule = { url: `${git.url}/team`, credential: "robot" };
    const env = { ...process.env, GIT_SSL_CAINFO: git.certificate };
    await cluster.addWorker(appending(), {
      ...{ env, name: "w" },
      repositories: [{ ...rule, access: { username: "robot", password: secret(PASSWORD) } }],
    });
    const source = { url: `${git.url}/team/app.git`, ref: "main", credential: "robot" };
    const form = new FormData();
    form.set("payload", JSON.stringify({ input: ASK, workspace: { git: source } }));
    form.append("files", new Blob(["extra"]), "more/b.txt");
    const created = await call(server, "POST /v1/runs", { body: form });
    const { body } = await untilStatus(server, String(created.body["run_id"]), { status: "completed" });
    expect(body).toMatchObject({ result: { final_message: "committed\n" }, commit: git.commit, worker: "w" });
    expect(body["workspace_diff"]).toContain("+changed");
    expect(body["workspace_diff"]).not.toContain("b.txt");
    expect(git.authorizations.some((header) => header !== undefined)).toBe(true);
    // Neither the record nor any event contains the password.
    const connection = await cluster.connect();
    const stored = await connection.store.show(String(created.body["run_id"]));
    const events: unknown[] = [];
    for await (const event of connection.store.events(stored.runId)) events.push(event);
    await connection[Symbol.asyncDispose]();
    const text = JSON.stringify([stored, events, body]);
    expect(text).toContain("robot");
    expect(text).not.toContain(PASSWORD);
    expect(text).not.toContain(Buffer.from(`robot:${PASSWORD}`).toString("base64"));
  });

  test("a run that its budget refuses ends with that error, also if its repository cannot be checked out", async () => {
    const cluster = createCluster();
    const server = await cluster.addServer();
    const engine = appending();
    const details = { account: "server", day: "2026-11-29", amount: "the limit of tokens is reached" };
    const openSharedBudget = () => Promise.reject(new EngineError("budget.day_exceeded", details));
    const openEnvironment = (root: string) => ({ type: "local", root, env: process.env }) as const;
    await cluster.addWorker(engine, {
      engines: [{ session: { engine, engineName: "served", openSharedBudget }, openEnvironment }],
      repositories: [{ url: "https://127.0.0.1:1/" }],
    });
    const workspace = { git: { url: "https://127.0.0.1:1/team/app.git" } };
    const runId = await create(server, { body: { input: ASK, workspace } });
    const { body } = await untilStatus(server, runId, { status: "error" });
    expect(body).toMatchObject({ error: { code: "budget.day_exceeded" } });
  });

  test("a run waits for a worker whose rules allow its repository, its credential and its owner", async () => {
    const git = await openGitServer(PASSWORD);
    const cluster = createCluster();
    const tokens = parseTokens(
      "secret-of-alice-1 owner=alice roles=runner\nsecret-of-bob-1234 owner=bob roles=runner\n",
      "tokens",
    );
    const server = await cluster.addServer({ tokens, rateLimit: { perMinute: 1e9, burst: 1e9 } });
    const env = { ...process.env, GIT_SSL_CAINFO: git.certificate };
    const access = { username: "robot", password: secret(PASSWORD) };
    await cluster.addWorker(appending(), {
      ...{ env, concurrency: 4 },
      repositories: [
        { url: `${git.url}/team/`, credential: "robot", owners: ["alice"], access },
        { url: `${git.url}/moved` },
      ],
    });
    const order = (token: string, workspace: object) => create(server, { token, body: { input: ASK, workspace } });
    const [alice, bob] = ["secret-of-alice-1", "secret-of-bob-1234"];
    const named = { url: `${git.url}/team/app.git`, credential: "robot" };
    const waiting = [
      await order(bob, { git: named }),
      await order(bob, { git: { url: named.url } }),
      await order(alice, { git: { url: `${git.url}/teams/app.git`, credential: "robot" } }),
      await order(alice, { git: { url: `${git.url}/team/../other.git`, credential: "robot" } }),
      await order(alice, { git: { url: "https://localhost.example/team/app.git", credential: "robot" } }),
    ];
    const allowed = await order(alice, { git: named });
    await untilStatus(server, allowed, { status: "completed", token: alice });
    // A redirect to another place is not followed, and the reason is in the error.
    const moved = await order(bob, { git: { url: `${git.url}/moved/app.git` } });
    const failed = await untilStatus(server, moved, { status: "error", token: bob });
    expect(failed.body["error"]).toMatchObject({ code: "workspace.source_failed" });
    for (const runId of waiting) {
      const statuses = await Promise.all([alice, bob].map((token) => call(server, `GET /v1/runs/${runId}`, { token })));
      expect(statuses.map(({ body }) => body["status"])).toContain("queued");
    }
  });

  test("a run waits for a worker that offers the folder to its owner", async () => {
    const cluster = createCluster();
    const tokens = parseTokens(
      "secret-of-alice-1 owner=alice roles=runner\nsecret-of-bob-1234 owner=bob roles=runner\n",
      "tokens",
    );
    const server = await cluster.addServer({ tokens, rateLimit: { perMinute: 1e9, burst: 1e9 } });
    const path = await makeFolder();
    await writeFile(join(path, "a.txt"), "one\n");
    await cluster.addWorker(appending(), {
      concurrency: 4,
      folders: {
        team: { path, owners: ["alice"] },
        all: { path: await makeFolder(), owners: ["*"] },
        unnamed: { path },
      },
    });
    const order = (token: string, name: string) =>
      create(server, { token, body: { input: ASK, workspace: { folder: name } } });
    const [alice, bob] = ["secret-of-alice-1", "secret-of-bob-1234"];
    const waiting = [await order(bob, "team"), await order(bob, "unnamed"), await order(alice, "unnamed")];
    const allowed = await order(alice, "team");
    await untilStatus(server, allowed, { status: "completed", token: alice });
    const everywhere = await order(bob, "all");
    // The folder is empty, so the run of its owner begins, but the engine finds no file.
    await untilStatus(server, everywhere, { status: "error", token: bob });
    for (const runId of waiting) {
      const statuses = await Promise.all([alice, bob].map((token) => call(server, `GET /v1/runs/${runId}`, { token })));
      expect(statuses.map(({ body }) => body["status"])).toContain("queued");
    }
    expect(await readFile(join(path, "a.txt"), "utf8")).toBe("one\nchanged\n");
  });

  test("requests that name no repository, or two sources, are refused", async () => {
    const cluster = createCluster();
    const server = await cluster.addServer();
    const bad = [
      { git: { url: "ext::sh -c id" } },
      { git: { url: "https://robot:word@localhost/app.git" } },
      { git: { url: "https://localhost/app.git", ref: "--upload-pack=id" } },
      { git: { url: "https://localhost/app.git" }, folder: "app" },
      { folder: "" },
      {},
    ];
    for (const workspace of bad) {
      const { status, body } = await call(server, "POST /v1/runs", { body: { input: ASK, workspace } });
      expect([status, body["code"]], JSON.stringify(workspace)).toEqual([400, "server.bad_body"]);
    }
    const form = new FormData();
    form.set("payload", JSON.stringify({ input: ASK, workspace: { folder: "app" } }));
    form.append("files", new Blob(["a"]), "a.txt");
    expect((await call(server, "POST /v1/runs", { body: form })).body).toMatchObject({ code: "server.bad_body" });
  });

  test("a worker with free slots gets several runs in one answer, but only one of those that need the same folder", async () => {
    const cluster = createCluster();
    const server = await cluster.addServer();
    const orders = [{}, {}, {}, { workspace: { folder: "app" } }, { workspace: { folder: "app" } }];
    const runIds: string[] = [];
    for (const order of orders) runIds.push(await create(server, { body: { input: ASK, ...order } }));
    await expect
      .poll(async () => (await fetch(`${server.url}/metrics`)).text())
      .toContain(`switchyard_runs_queued ${orders.length}\n`);
    const connection = await cluster.connect();
    const worker: ClusterWorker = {
      ...{ format: 1, name: "w", engines: ["served"], environments: ["local"], labels: {}, version: "0.0.0" },
      ...{ running: 0, free: 8, folders: [{ name: "app", owners: ["*"] }] },
    };
    const offered = await connection.requestRuns(worker, { waitMs: 5_000, maxRuns: 8 });
    await connection[Symbol.asyncDispose]();
    const folderless = runIds.slice(0, 3);
    expect(offered.filter((runId) => folderless.includes(runId)).sort()).toEqual(folderless.sort());
    expect(offered).toHaveLength(4);
  });

  test("a worker gets no more runs than it has free slots, and none if it shuts down while it waits", async () => {
    const cluster = createCluster();
    const server = await cluster.addServer();
    const connection = await cluster.connect();
    const worker: ClusterWorker = {
      ...{ format: 1, name: "stopping", engines: ["served"], environments: ["local"], labels: {}, version: "0.0.0" },
      ...{ running: 1, free: 2 },
    };
    // The request ends immediately until the server leads the cluster.
    await create(server);
    await expect.poll(() => connection.requestRuns(worker, { waitMs: 5_000 })).toHaveLength(1);
    // The broker passes the messages of a connection on in their order, and then answers the read.
    const waiting = connection.requestRuns(worker, { waitMs: 500, maxRuns: 2 });
    connection.announce({ ...worker, free: 0 });
    await connection.store.list();
    for (let count = 0; count < 3; count += 1) await create(server);
    // The first run waits again if its offer expires meanwhile.
    await expect
      .poll(async () => (await fetch(`${server.url}/metrics`)).text())
      .toMatch(/switchyard_runs_queued [34]\n/u);
    const offered = await connection.requestRuns({ ...worker, name: "other" }, { waitMs: 5_000, maxRuns: 8 });
    expect(offered).toHaveLength(2);
    expect(await waiting).toEqual([]);
    await connection[Symbol.asyncDispose]();
  });

  test("a worker that has lost a run does not claim the workspace of its successor, which claims again after a failure", async () => {
    const cluster = createCluster();
    const runId = await create(await cluster.addServer());
    const [lost, taken] = [await cluster.connect(), await cluster.connect()];
    onTestFinished(async () => {
      for (const opened of [lost, taken]) await opened[Symbol.asyncDispose]();
    });
    const problems: unknown[] = [];
    const parts = {
      ...{ stateDirectory: await makeFolder(), repositories: [], env: process.env, isCompared: false },
      onProblem: (error: unknown) => void problems.push(error),
    };
    const store = publishingStore(lost, {
      ...{ onAppend: () => undefined, isShutDown: () => false },
      prepare: (opened) => prepareWorkspace(opened, { ...parts, cluster: lost, worker: "lost" }),
    });
    const writer = await store.acquire(runId);
    const successor = await taken.store.acquire(runId, { takeOver: true });
    const board = createBoard().snapshot();
    const checkpoint = { execId: runId, step: "first", board, timestamp: "2026-01-01T00:00:00.000Z" };
    await expect(writer.save(checkpoint)).rejects.toMatchObject({ code: "store.stale_epoch" });
    await expect(writer.finish(interruptedReport(runId), {})).rejects.toMatchObject({ code: "store.stale_epoch" });
    expect(await readdir(writer.folder)).not.toContain("workspace-worker");

    await using prepared = await prepareWorkspace(successor, { ...parts, cluster: taken, worker: "successor" });
    const note = join(successor.folder, "workspace-worker");
    await mkdir(note);
    await prepared.claim();
    await prepared.claim();
    expect(problems).toEqual([expect.objectContaining({ code: "run.store_failed" })]);
    await rmdir(note);
    await prepared.claim();
    expect(await readFile(note, "utf8")).toBe("successor");
  });

  test("after a crash before the first checkpoint, a run that began in an empty workspace begins in one again", async () => {
    const cluster = createCluster();
    const server = await cluster.addServer();
    const stateDirectory = join(await makeFolder(), "state");
    const started = gate();
    const engine = (after: () => Promise<unknown>) =>
      defineEngine(
        async (run, _, board) => {
          const environment = getDependency(run.deps, DEPENDENCY.environment, isExecutionEnvironment);
          const names = (await environment.listDirectory(".")).map(({ name }) => name);
          await environment.writeFile("left.txt", Buffer.from("left"));
          await after();
          board.set(SESSION_RESULT, { exit_code: 0, final_message: names.join() });
        },
        { name: "served", supportsResume: true, emitsCheckpoint: true },
      );
    const connection = await cluster.connect();
    const crashing = engine(async () => {
      started.open();
      await new Promise(() => undefined);
    });
    const settings = { interruptGraceMs: 1, cancelGraceMs: 1, workspaceDiff: false };
    const openEnvironment = (root: string) => ({ type: "local", root, env: process.env }) as const;
    const engines = [{ session: { engine: crashing, engineName: "served", ...settings }, openEnvironment }];
    const crashed = { ...connection, announce: () => undefined };
    await cluster.addWorker(crashing, { name: "first", cluster: crashed, engines, stateDirectory });
    const runId = await create(server);
    await started.opened;
    // The worker can no longer write to the store, as after a crash.
    await connection[Symbol.asyncDispose]();
    await cluster.addWorker(
      engine(async () => undefined),
      { name: "second", stateDirectory },
    );
    const { body } = await untilStatus(server, runId, { status: "completed" });
    expect(body).toMatchObject({ worker: "second", result: { final_message: "" } });
  });

  test("a run works in the folder that a worker offers, one run at a time, and nothing else names a path", async () => {
    const cluster = createCluster();
    const server = await cluster.addServer();
    const folder = join(await makeFolder(), "app");
    await mkdir(folder);
    await writeFile(join(folder, "a.txt"), "one\n");
    const blocked = gate();
    let running = 0;
    let most = 0;
    const engine = appending(async () => {
      running += 1;
      most = Math.max(most, running);
      await blocked.opened;
      running -= 1;
    });
    await cluster.addWorker(engine, { name: "owner", folders: { app: { path: folder } }, concurrency: 4 });
    await cluster.addWorker(engine, { name: "other", concurrency: 4 });
    const { runs } = createClient({ url: server.url });
    const order = async (name: string): Promise<string> =>
      (await runs.create(ASK, { engine: "served", environment: "local", priority: 1, workspace: { folder: name } }))
        .run_id;
    const [first, second] = [await order("app"), await order("app")];
    const path = await order(folder);
    await untilStatus(server, first, { status: "running" });
    await expect.poll(() => running).toBe(1);
    blocked.open();
    for (const runId of [first, second]) {
      const { body } = await untilStatus(server, runId, { status: "completed" });
      expect(body).toMatchObject({ worker: "owner" });
      expect(body["workspace_diff"]).toContain("+changed");
    }
    expect(most).toBe(1);
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("one\nchanged\nchanged\n");
    // The worker reverts the changes of the last run, on request of any server.
    const other = createClient({ url: (await cluster.addServer()).url });
    await expect
      .poll(async () => (await other.runs.undo(second, { dryRun: true }).catch(() => undefined))?.undone)
      .toBe(false);
    expect((await other.runs.undo(second)).workspace_diff).toContain("+changed");
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("one\nchanged\n");
    expect((await runs.get(second)).undone_at).toMatch(/^\d{4}-/u);
    await expect(runs.undo(second)).rejects.toMatchObject({ code: "run.not_undoable" });
    expect((await call(server, `GET /v1/runs/${path}`)).body).toMatchObject({ status: "queued" });
  });
});
