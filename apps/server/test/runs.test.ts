import { readdir, rm } from "node:fs/promises";
import { type Engine, EngineError, type Interrupt, SESSION_RESULT } from "@switchyard/contracts";
import { openFileStore } from "@switchyard/stores/file";
import { expect, test } from "vitest";
import { ASK, answering, ask, DONE, makeFolder, openServer } from "./open-server.ts";

/** Creates a promise with its resolve function. */
function event<T = void>(): { readonly happened: Promise<T>; readonly happen: (value: T) => void } {
  let happen: (value: T) => void = () => undefined;
  const happened = new Promise<T>((resolve) => {
    happen = resolve;
  });
  return { happened, happen };
}

/** Creates an engine that works until it is interrupted, and then returns a partial result. */
function working(onInterrupt: (interrupt: Interrupt | undefined) => void, begun: () => void): Engine {
  return {
    async execute(run, host, board) {
      begun();
      const interrupt = await host.interrupts()?.receive(run.signal);
      onInterrupt(interrupt);
      board.set(SESSION_RESULT, { exit_code: 0, final_message: "half of it" });
      throw new EngineError("run.interrupted", { cause: interrupt?.cause });
    },
  };
}

async function workspacesOf({ state }: { state: string }): Promise<string[]> {
  return readdir(`${state}-workspaces`).catch(() => []);
}

test("two callers run concurrently in separate workspaces, and the third gets Retry-After", async () => {
  const both = event();
  const seen: (string | undefined)[] = [];
  const engine = answering(async ({ workspace, messages }) => {
    seen.push(workspace);
    if (seen.length === 2) both.happen();
    await both.happened;
    return { ...DONE, final_message: messages[0]?.content ?? "" };
  });
  const server = await openServer(engine, { concurrency: 2 });
  const prompt = (content: string) => ask(server, { messages: [{ role: "user", content }], workspace: "/etc" });
  const first = prompt("one");
  await expect.poll(() => seen.length).toBe(1);
  // The only slot is in use, and one more run can wait.
  const second = prompt("two");
  const answers = await Promise.all([first, second]);
  expect(answers.map(({ status, body }) => [status, body["final_message"]])).toEqual([
    [200, "one"],
    [200, "two"],
  ]);
  expect(new Set(seen).size).toBe(2);
  for (const workspace of seen) expect(workspace).toContain(`${server.state}-workspaces/`);
  expect(await workspacesOf(server)).toEqual([]);

  const begun = event();
  const blocked = event();
  const busy = await openServer(
    answering(async () => {
      begun.happen();
      await blocked.happened;
      return DONE;
    }),
    { concurrency: 1 },
  );
  const running = ask(busy);
  await begun.happened;
  const refused = await ask(busy);
  expect(refused).toMatchObject({ status: 429, body: { code: "server.busy", retryable: true, retry_after: 5 } });
  expect(refused.headers.get("retry-after")).toBe("5");
  blocked.happen();
  expect((await running).status).toBe(200);
  expect((await ask(busy)).status).toBe(200);
});

test("a run is stored, with its id in the response and in the log", async () => {
  const server = await openServer(answering(() => DONE));
  const { headers } = await ask(server);
  const runId = headers.get("switchyard-run-id") ?? "";
  const stored = await openFileStore({ directory: server.state }).show(runId);
  expect(stored.record).toMatchObject({ run_id: runId, status: "completed", title: "Do it.", engine: "served" });
  expect(server.lines).toMatchObject([
    { level: "info", method: "POST", route: "/v1/run", status: 200, run_id: runId, run_status: "completed" },
  ]);
});

test("with one shared workspace, runs are sequential and the workspace stays", async () => {
  const workspace = await makeFolder();
  const begun = event();
  const blocked = event();
  const engine = answering(async (input) => {
    begun.happen();
    await blocked.happened;
    return { ...DONE, final_message: input.workspace ?? "" };
  });
  const server = await openServer(engine, { workspace, concurrency: 5 });
  const first = ask(server);
  await begun.happened;
  expect((await ask(server)).status).toBe(429);
  blocked.happen();
  expect((await first).body["final_message"]).toBe(workspace);
  expect(await readdir(workspace)).toEqual([]);
  expect(await workspacesOf(server)).toEqual([]);
});

test("a failed run is a normal response; without a result it is a problem response, and neither contains secrets", async () => {
  const secrets = ["the-key-of-nobody-0123456789"];
  const failed = await openServer(answering(() => ({ exit_code: 3, final_message: `no: ${secrets[0]}` })));
  expect(await ask(failed)).toMatchObject({ status: 200, body: { exit_code: 3 } });

  const throwing = (error: unknown, result = false): Engine => ({
    async execute(_, __, board) {
      if (result) board.set(SESSION_RESULT, { exit_code: 0, final_message: "half", stderr: "so far" });
      throw error;
    },
  });
  const sessionOf = (engine: Engine) => ({ engine, engineName: "served", secrets });
  const cases = [
    [new Error(`broken: ${secrets[0]}`), 500, "engine.failed"],
    [new EngineError("transport.network", { url: "http://x", problem: secrets[0] }), 503, "transport.network"],
    // Errors that the caller did not cause.
    [new EngineError("config.invalid", { field: "x", problem: "y" }), 500, "config.invalid"],
    [new EngineError("environment.permission_denied", { path: "x" }), 500, "environment.permission_denied"],
  ] as const;
  for (const [error, status, code] of cases) {
    const server = await openServer(throwing(error), { session: sessionOf(throwing(error)) });
    const answer = await ask(server);
    expect([answer.status, answer.body["code"]]).toEqual([status, code]);
    expect(answer.headers.get("switchyard-run-id")).toBe(server.lines[0]?.run_id);
    expect(JSON.stringify(answer.body)).not.toContain(secrets[0]);
    expect(server.lines[0]).toMatchObject({ level: status === 503 ? "warn" : "error", code, run_status: "error" });
    expect(await workspacesOf(server)).toEqual([]);
  }
  const open = await openServer(throwing(new Error("broken"), true));
  const { status, body } = await ask(open);
  expect([status, body["exit_code"], body["final_message"]]).toEqual([200, 1, "half"]);
  expect(body["stderr"]).toMatch(/^so far\n.*broken/su);
});

test("a caller's time limit applies up to the server's maximum", async () => {
  const limits: (number | undefined)[] = [];
  const engine = answering((input) => {
    limits.push(input.timeout_seconds);
    return DONE;
  });
  const server = await openServer(engine, { maxRunSeconds: 60 });
  for (const timeout_seconds of [undefined, 0, 5, 600]) {
    await ask(server, timeout_seconds === undefined ? {} : { timeout_seconds });
  }
  expect(limits).toEqual([60, 60, 5, 60]);
});

test("a disconnected caller interrupts only its own run", async () => {
  const begun = event();
  const interrupted = event<Interrupt | undefined>();
  const server = await openServer(working(interrupted.happen, begun.happen));
  const leaving = new AbortController();
  const disconnected = fetch(`${server.url}/v1/run`, {
    ...{ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(ASK) },
    signal: leaving.signal,
  }).catch((error: unknown) => error);
  await begun.happened;
  leaving.abort();
  expect(await disconnected).toMatchObject({ name: "AbortError" });
  expect(await interrupted.happened).toMatchObject({ cause: "user_cancel", detail: "the caller went away" });
  await expect.poll(() => server.lines).toMatchObject([{ status: 499, run_status: "interrupted" }]);
  expect(await workspacesOf(server)).toEqual([]);
});

test("a stopping server rejects new runs, checkpoints running ones, responds and closes", async () => {
  const begun = event();
  const interrupted = event<Interrupt | undefined>();
  const reported: string[] = [];
  const engine = {
    ...working((interrupt) => {
      reported.push("interrupt");
      interrupted.happen(interrupt);
    }, begun.happen),
    suggestCheckpoint: () => void reported.push("checkpoint"),
  };
  const finishing = event();
  const server = await openServer(engine, {
    session: {
      engineName: "served",
      engine: {
        ...engine,
        async execute(run, host, board) {
          const done = engine.execute(run, host, board);
          await done.catch(() => finishing.happened);
          return done;
        },
      },
    },
  });
  const answered = ask(server);
  await begun.happened;
  const drained = server.drain();
  expect(await interrupted.happened).toMatchObject({ cause: "host_shutdown" });
  expect(reported).toEqual(["checkpoint", "interrupt"]);
  const refused = await ask(server);
  expect(refused).toMatchObject({ status: 503, body: { code: "server.draining", retry_after: 5 } });
  expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
  expect((await fetch(`${server.url}/livez`)).status).toBe(200);
  finishing.happen();
  expect(await answered).toMatchObject({ status: 200, body: { exit_code: 1, final_message: "half of it" } });
  await drained;
  await expect(fetch(`${server.url}/livez`)).rejects.toThrow();
  // The workspace is retained, because the operator can resume the run.
  const [{ run_id: runId = "" } = {}] = server.lines.filter(({ run_status }) => run_status === "interrupted");
  expect(await workspacesOf(server)).toEqual([runId]);
});

test("a server with an unwritable state folder is not ready", async () => {
  const server = await openServer(answering(() => DONE));
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  await rm(server.state, { recursive: true });
  expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
  expect((await fetch(`${server.url}/livez`)).status).toBe(200);
});

test("a run that ignores the interrupt is ended by cancelRuns", async () => {
  const begun = event();
  const engine: Engine = {
    async execute(run) {
      begun.happen();
      await new Promise((resolve) => run.signal.addEventListener("abort", resolve));
      throw new EngineError("run.cancelled");
    },
  };
  const server = await openServer(engine);
  const answered = ask(server);
  await begun.happened;
  const drained = server.drain();
  server.cancelRuns();
  expect(await answered).toMatchObject({ status: 503, body: { code: "run.interrupted" } });
  await drained;
});
