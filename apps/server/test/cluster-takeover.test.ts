import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@switchyard/client";
import {
  boardKey,
  DEPENDENCY,
  type Engine,
  EngineError,
  isExecutionEnvironment,
  SESSION_RESULT,
} from "@switchyard/contracts";
import { defineEngine, getDependency } from "@switchyard/engine";
import { expect, onTestFinished, test } from "vitest";
import { call, create, untilStatus } from "./call-api.ts";
import { describeWithBroker, useClusters } from "./open-cluster.ts";
import { ASK, makeFolder } from "./open-server.ts";
import { gate } from "./step-engine.ts";

const run = promisify(execFile);
const STEP = boardKey<number>("step");

/** Engine that runs a command in its workspace in each step, and saves a checkpoint after each step. */
function commandEngine(commands: readonly string[], before: (step: number) => unknown = () => undefined): Engine {
  return defineEngine(
    async (execution, host, board) => {
      const environment = getDependency(execution.deps, DEPENDENCY.environment, isExecutionEnvironment);
      for (let step = (board.get(STEP) ?? 0) + 1; step <= commands.length; step += 1) {
        await before(step);
        if (host.interrupts()?.tryReceive() !== undefined) throw new DOMException("stopped", "AbortError");
        const { exitCode, stderr } = await environment.exec(["sh", "-ec", commands[step - 1] ?? ""]);
        if (exitCode !== 0) throw new Error(stderr);
        board.set(STEP, step);
        const timestamp = new Date().toISOString();
        await host.checkpoint({ execId: execution.id, step: `step ${step}`, board: board.snapshot(), timestamp });
      }
      const { stdout } = await environment.exec([
        "sh",
        "-ec",
        "find . -path ./.git -prune -o -print | sort; cat a.txt",
      ]);
      board.set(SESSION_RESULT, { exit_code: 0, final_message: stdout });
    },
    { name: "served", supportsResume: true, emitsCheckpoint: true },
  );
}

/** Engine that saves a checkpoint, and whose artifact and changes contain a text. */
function artifactEngine(text: string): Engine {
  return defineEngine(
    async (execution, host, board) => {
      const environment = getDependency(execution.deps, DEPENDENCY.environment, isExecutionEnvironment);
      const timestamp = new Date().toISOString();
      await host.checkpoint({ execId: execution.id, step: "first", board: board.snapshot(), timestamp });
      await environment.writeFile("out.txt", Buffer.from(text));
      await environment.writeFile("binary", Buffer.from([0, 1, 2, text.length]));
      const files = [{ name: "out.txt", path: "out.txt" }];
      board.set(SESSION_RESULT, { exit_code: 0, final_message: text, artifacts: { files } });
    },
    { name: "served", supportsResume: true, emitsCheckpoint: true },
  );
}

/** Creates a local repository whose only commit contains `a.txt`, `b.txt` and `old/c.txt`. */
async function makeRepository(): Promise<string> {
  const folder = await makeFolder();
  const git = (...argv: string[]) =>
    run("git", ["-c", "user.name=n", "-c", "user.email=e@example.com", ...argv], { cwd: folder });
  await mkdir(join(folder, "old"));
  for (const name of ["a.txt", "b.txt", "old/c.txt"]) await writeFile(join(folder, name), `${name}\n`);
  await git("init", "--quiet");
  await git("add", "--all");
  await git("commit", "--quiet", "-m", "first");
  return `file://${folder}`;
}

function codesOf(errors: readonly unknown[]): unknown[] {
  return errors.map((error) => Object(error).code);
}

describeWithBroker("a run that continues on a worker with another state folder", () => {
  const createCluster = useClusters();

  /** Lets a first worker execute a run up to a step, stops it there, and lets a second worker finish the run. */
  async function handOver(commands: readonly string[], { at, url }: { at: number; url?: string }) {
    const cluster = createCluster();
    const server = await cluster.addServer();
    const [reached, blocked] = [gate(), gate()];
    const errors: unknown[] = [];
    const repositories = url === undefined ? [] : [{ url }];
    const stateDirectory = join(await makeFolder(), "state");
    const onError = (error: unknown): void => void errors.push(error);
    const waiting = commandEngine(commands, (step) => {
      if (step !== at) return undefined;
      reached.open();
      return blocked.opened;
    });
    const first = await cluster.addWorker(waiting, { name: "w1", repositories, onError, stateDirectory });
    const workspace = url === undefined ? {} : { workspace: { git: { url } } };
    const runId = await create(server, { body: { input: ASK, ...workspace } });
    await reached.opened;
    const drained = first.drain();
    blocked.open();
    await drained;
    await cluster.addWorker(commandEngine(commands), { name: "w2", repositories, onError });
    return { server, runId, errors, cluster, stateDirectory };
  }

  test("has the files of the last checkpoint, and the report contains the changes of both workers", async () => {
    const commands = [
      "echo one >> a.txt; rm -r old; mkdir -p new/empty; ln -s a.txt link; printf '\\000\\001' > binary; chmod 755 b.txt",
      "git -c user.name=n -c user.email=e@example.com commit --quiet --all -m mine; echo two >> a.txt; rm link; echo l > link",
      'test "$(git log --format=%s | head -1)" = mine; test -x b.txt; echo three >> a.txt',
    ];
    const url = await makeRepository();
    const { server, runId, errors, cluster, stateDirectory } = await handOver(commands, { at: 3, url });
    const { body } = await untilStatus(server, runId, { status: "completed" });
    expect(body).toMatchObject({ worker: "w2", attempt: 2 });
    expect(Object(body["result"]).final_message).toBe(
      [
        ".",
        "./a.txt",
        "./b.txt",
        "./binary",
        "./link",
        "./new",
        "./new/empty",
        "a.txt",
        "one",
        "two",
        "three",
        "",
      ].join("\n"),
    );
    for (const line of ["+one", "+two", "+three", "-old/c.txt", "new mode 100755"]) {
      expect(body["workspace_diff"]).toContain(line);
    }
    expect(body["warnings"] ?? []).toEqual([]);
    // Every server returns the exact changes. Applied to the commit, they result in the same files.
    const pieces: Uint8Array[] = [];
    const client = createClient({ url: (await cluster.addServer()).url });
    for await (const piece of await client.runs.patch(runId)) pieces.push(piece);
    const clone = await makeFolder();
    await run("git", ["clone", "--quiet", url, clone]);
    await writeFile(join(clone, ".git/run.patch"), Buffer.concat(pieces));
    await run("git", ["apply", ".git/run.patch"], { cwd: clone });
    expect(await readFile(join(clone, "a.txt"), "utf8")).toBe("a.txt\none\ntwo\nthree\n");
    expect([...(await readFile(join(clone, "binary")))]).toEqual([0, 1]);
    expect((await stat(join(clone, "b.txt"))).mode & 0o111).not.toBe(0);
    expect(codesOf(errors)).not.toContain("workspace.not_stored");
    // The first worker removes its workspace when it is started again.
    const left = join(`${stateDirectory}-workspaces`, runId);
    expect(existsSync(left)).toBe(true);
    const foreign = join(`${stateDirectory}-workspaces`, "of-another-store");
    await mkdir(foreign);
    await cluster.addWorker(commandEngine(commands), { name: "w3", stateDirectory });
    await expect.poll(() => existsSync(left)).toBe(false);
    expect(existsSync(foreign)).toBe(true);
    // Nothing that was stored for another worker remains.
    const connection = await cluster.connect();
    await expect
      .poll(async () => {
        const names: string[] = [];
        for await (const { path } of connection.files(runId, "snapshots")) names.push(path);
        return names;
      })
      .toEqual([]);
    await connection[Symbol.asyncDispose]();
  });

  test("is forked on any server: the new run begins with the same commit and the changes of the old run", async () => {
    const cluster = createCluster();
    const [one, two] = [await cluster.addServer(), await cluster.addServer()];
    const url = await makeRepository();
    const commands = ["echo one >> a.txt; printf '\\000\\001' > binary; rm b.txt; test -f up/load.txt"];
    const first = await cluster.addWorker(commandEngine(commands), { name: "w1", repositories: [{ url }] });
    const form = new FormData();
    form.set("payload", JSON.stringify({ input: ASK, workspace: { git: { url } } }));
    form.append("files", new Blob(["uploaded"]), "up/load.txt");
    const { body: created } = await call(one, "POST /v1/runs", { body: form });
    const runId = String(created["run_id"]);
    await untilStatus(one, runId, { status: "completed" });
    await first.drain();
    await run(
      "git",
      ["-c", "user.name=n", "-c", "user.email=e@example.com", "commit", "--quiet", "--allow-empty", "-m", "later"],
      {
        cwd: url.slice("file://".length),
      },
    );
    const forked = await call(two, `POST /v1/runs/${runId}/fork`, { body: { messages: ASK.messages } });
    expect(forked).toMatchObject({ status: 201, body: { parent_run_id: runId } });
    const next = ["test -f up/load.txt; test ! -e b.txt; test \"$(od -An -tx1 binary)\" = ' 00 01'; echo two >> a.txt"];
    await cluster.addWorker(commandEngine(next), { name: "w2", repositories: [{ url }] });
    const { body } = await untilStatus(two, String(forked.body["run_id"]), { status: "completed" });
    const { body: old } = await call(two, `GET /v1/runs/${runId}`);
    expect(body).toMatchObject({ worker: "w2", commit: old["commit"] });
    expect(Object(body["result"]).final_message).toContain("a.txt\none\ntwo\n");
    // The changes of the old run are not changes of the new run.
    expect(body["workspace_diff"]).toContain("+two");
    expect(body["workspace_diff"]).not.toContain("+one");
    const undone = await call(one, `POST /v1/runs/${runId}/undo`, { body: {} });
    expect(undone).toMatchObject({ status: 409, body: { code: "run.not_undoable" } });
  });

  test("is undone by a worker that restores its workspace, if the worker that had it is gone", async () => {
    const cluster = createCluster();
    const server = await cluster.addServer();
    const [reached, blocked] = [gate(), gate()];
    const commands = ["echo one >> a.txt; chmod 755 a.txt; printf '\\000' > binary", "true"];
    const engine = commandEngine(commands, (step) => {
      if (step !== 2) return undefined;
      reached.open();
      return blocked.opened;
    });
    const first = await cluster.addWorker(engine, { name: "w1" });
    const form = new FormData();
    form.set("payload", JSON.stringify({ input: ASK }));
    form.append("files", new Blob(["a\n"]), "a.txt");
    const runId = String((await call(server, "POST /v1/runs", { body: form })).body["run_id"]);
    await reached.opened;
    expect((await call(server, `POST /v1/runs/${runId}/interrupt`, { body: {} })).status).toBe(202);
    blocked.open();
    await untilStatus(server, runId, { status: "interrupted" });
    await first.drain();
    const undo = () => call(server, `POST /v1/runs/${runId}/undo`, { body: {} });
    await expect.poll(async () => (await undo()).body["detail"]).toContain("no worker");
    const stateDirectory = join(await makeFolder(), "state");
    await cluster.addWorker(engine, { name: "w2", stateDirectory });
    await expect.poll(async () => (await undo()).status).toBe(200);
    const workspace = join(`${stateDirectory}-workspaces`, runId);
    expect(await readFile(join(workspace, "a.txt"), "utf8")).toBe("a\n");
    expect((await stat(join(workspace, "a.txt"))).mode & 0o111).toBe(0);
    expect(existsSync(join(workspace, "binary"))).toBe(false);
    expect((await call(server, `GET /v1/runs/${runId}`)).body).toMatchObject({ worker: "w2", status: "interrupted" });
    expect((await undo()).body).toMatchObject({ code: "run.not_undoable" });
  });

  test("has the patch of its last attempt", async () => {
    const commands = ["printf '\\000\\001' > binary; echo one > a.txt", "rm binary; echo two >> a.txt"];
    const { server, runId } = await handOver(commands, { at: 2 });
    const { body } = await untilStatus(server, runId, { status: "completed" });
    const { body: patch } = await call(server, `GET /v1/runs/${runId}/patch`);
    expect(patch["text"]).toContain("+two");
    expect(patch["text"]).toBe(body["workspace_diff"]);
  });

  test("has the artifacts and the patch of the worker that ended it, even if a worker that lost it stores its own later", async () => {
    const cluster = createCluster();
    const server = await cluster.addServer();
    const [storing, ended] = [gate(), gate()];
    const [connection, late] = [await cluster.connect(), await cluster.connect()];
    onTestFinished(async () => {
      for (const opened of [connection, late]) await opened[Symbol.asyncDispose]();
    });
    // The first worker stores its files only after the second worker has ended the run.
    const slow: typeof late = {
      ...late,
      putFile: async (runId, folder, file) => {
        if (folder.startsWith("outcome")) {
          storing.open();
          await ended.opened;
        }
        await late.putFile(runId, folder, file);
      },
    };
    const stored = gate();
    const first = await cluster.addWorker(artifactEngine("first"), {
      ...{ name: "w1", cluster: slow },
      onRun: ({ status }) => (status === "running" ? undefined : stored.open()),
    });
    const runId = await create(server);
    await storing.opened;
    const writer = await connection.store.acquire(runId, { takeOver: true });
    await writer.update({ status: "queued", worker: undefined });
    await writer.release();
    await cluster.addWorker(artifactEngine("second"), { name: "w2" });
    const { body } = await untilStatus(server, runId, { status: "completed" });
    expect(body).toMatchObject({ worker: "w2", result: { final_message: "second" } });
    ended.open();
    await stored.opened;
    await first.drain();
    expect((await call(server, `GET /v1/runs/${runId}/artifacts/out.txt`)).body["text"]).toBe("second");
    const { body: patch } = await call(server, `GET /v1/runs/${runId}/patch`);
    expect(patch["text"]).toContain("+second");
    expect(patch["text"]).toContain("GIT binary patch");
    // The first worker has removed its files again, because no report names them.
    const lost: string[] = [];
    for await (const { path } of connection.files(runId, "outcome.2")) lost.push(path);
    expect(lost).toEqual([]);
  });

  test("leaves no files on the broker if the worker could not store all of them", async () => {
    const cluster = createCluster();
    const server = await cluster.addServer();
    const connection = await cluster.connect();
    onTestFinished(() => connection[Symbol.asyncDispose]());
    const stored: string[] = [];
    const failed = gate();
    const failing: typeof connection = {
      ...connection,
      putFile: async (runId, folder, file) => {
        if (folder.startsWith("outcome") && file.path.startsWith("patch/")) {
          for await (const { path } of connection.files(runId, folder)) stored.push(path);
          failed.open();
          throw new EngineError("broker.unreachable", { address: "nats://lost", problem: "it is lost" });
        }
        await connection.putFile(runId, folder, file);
      },
    };
    await cluster.addWorker(artifactEngine("first"), { name: "w1", cluster: failing });
    const runId = await create(server);
    await failed.opened;
    expect(stored).toEqual(["artifacts/out.txt"]);
    const left = async (): Promise<string[]> => {
      const paths: string[] = [];
      for await (const { path } of connection.files(runId, "outcome.2")) paths.push(path);
      return paths;
    };
    await expect.poll(left).toEqual([]);
  });

  test("ends with an error if its changes were too large to be stored", async () => {
    const commands = ["echo a > a.txt; truncate -s 65M large", "echo b > b.txt"];
    const { server, runId, errors } = await handOver(commands, { at: 2 });
    const { body } = await untilStatus(server, runId, { status: "error" });
    expect(body["error"]).toMatchObject({ code: "workspace.not_stored" });
    expect(codesOf(errors)).toContain("workspace.not_stored");
  });
});
