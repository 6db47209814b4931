import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { SESSION_INPUT, SESSION_RESULT } from "@switchyard/contracts";
import { openFileStore } from "@switchyard/stores/file";
import { expect, test } from "vitest";
import { call, create, untilQuestion, untilStatus } from "./call-api.ts";
import { ASK, answering, commandEngine, DONE, openServer } from "./open-server.ts";
import { gate, stepEngine } from "./step-engine.ts";

/** Maximum length of a path on Linux, in bytes. */
const MAX_PATH = 4_095;

test("an accepted run is stored before the response, is executed, and shows its outcome [D1]", async () => {
  const blocked = gate();
  const server = await openServer(stepEngine({ before: () => blocked.opened }));
  const answer = await call(server, "POST /v1/runs", { body: { input: ASK } });
  const runId = String(answer.body["run_id"]);
  expect(answer).toMatchObject({
    status: 201,
    body: { status: "queued", owner: "local", engine: "served", attempt: 1 },
  });
  expect(answer.headers.get("location")).toBe(`/v1/runs/${runId}`);
  expect(JSON.stringify(answer.body)).not.toContain(server.state);
  expect((await openFileStore({ directory: server.state }).show(runId)).record).toMatchObject({ title: "Do it." });
  blocked.open();
  const shown = await untilStatus(server, runId, { status: "completed" });
  expect(shown.body).toMatchObject({
    run_id: runId,
    attempt: 1,
    resumable: false,
    result: { final_message: "attempt 1" },
  });
  expect(shown.body["usage"]).toMatchObject({ total_tokens: 0 });
  await expect.poll(() => server.runLines).toMatchObject([{ run_id: runId, run_status: "completed", owner: "local" }]);
});

test("requests with the same key create one run, also after a restart; a different request is rejected", async () => {
  const server = await openServer(stepEngine());
  const send = (on: typeof server, content: string, key = "a-key") =>
    call(on, "POST /v1/runs", {
      body: { input: { messages: [{ content, role: "user" }] } },
      headers: { "idempotency-key": key },
    });
  // A rejected request does not use up the Idempotency-Key.
  expect((await call(server, "POST /v1/runs", { body: {}, headers: { "idempotency-key": "a-key" } })).status).toBe(400);
  const all = await Promise.all([send(server, "one"), send(server, "one"), send(server, "one")]);
  expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
  const ids = new Set(all.map(({ body }) => body["run_id"]));
  expect(ids.size).toBe(1);
  expect(all.find(({ status }) => status === 200)?.headers.get("idempotency-replayed")).toBe("true");
  expect(await send(server, "another")).toMatchObject({ status: 422, body: { code: "server.key_reused" } });
  expect((await send(server, "another", "another-key")).status).toBe(201);
  for (const key of ["x".repeat(256), "with space"]) {
    expect(await send(server, "one", key)).toMatchObject({ status: 400, body: { code: "server.bad_parameter" } });
  }
  await server.drain();
  const next = await openServer(stepEngine(), { stateDirectory: server.state });
  const repeated = await send(next, "one");
  expect([repeated.status, repeated.body["run_id"]]).toEqual([200, [...ids][0]]);
  expect((await send(next, "other")).status).toBe(422);
});

test("input files belong to a run, and to the fingerprint of its key", async () => {
  const engine = answering(async ({ workspace = "" }) => ({
    exit_code: 0,
    final_message: (await readdir(workspace)).sort().join(" "),
  }));
  const server = await openServer(engine);
  const form = (content: string): FormData => {
    const sent = new FormData();
    sent.set("payload", JSON.stringify({ input: ASK }));
    sent.append("files", new Blob([content]), "a.txt");
    sent.append("files", new Blob(["b"]), "sub/b.txt");
    return sent;
  };
  const headers = { "idempotency-key": "with-files" };
  const first = await call(server, "POST /v1/runs", { body: form("a"), headers });
  expect(first.status).toBe(201);
  const runId = String(first.body["run_id"]);
  const { body } = await untilStatus(server, runId, { status: "completed" });
  expect(body["result"]).toMatchObject({ final_message: "a.txt sub" });
  expect((await call(server, "POST /v1/runs", { body: form("a"), headers })).status).toBe(200);
  expect((await call(server, "POST /v1/runs", { body: form("changed"), headers })).status).toBe(422);
  // Files of rejected and repeated requests are removed.
  expect(await readdir(`${server.state}-workspaces`)).toEqual([runId]);
});

test("an invalid run is rejected with the problem, and leaves no data", async () => {
  const server = await openServer(stepEngine());
  const cases = [
    [{ input: ASK, more: 1 }, 400, "server.bad_body", /more/u],
    [{ messages: [] }, 400, "server.bad_body", /input/u],
    [{ input: { messages: [] } }, 400, "input.invalid", /user/u],
    [{ input: ASK, webhook_url: "https://example.org" }, 400, "server.bad_body", /webhook_url/u],
    [[1], 400, "server.bad_body", /whole/u],
  ] as const;
  for (const [body, status, code, detail] of cases) {
    const answer = await call(server, "POST /v1/runs", { body });
    expect([answer.status, answer.body["code"]]).toEqual([status, code]);
    expect(answer.body["detail"]).toMatch(detail);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
  }
  expect(await readdir(`${server.state}-workspaces`)).toEqual([]);
  expect((await call(server, "GET /v1/runs")).body["runs"]).toEqual([]);
});

test("lists of runs have stable pages and filters", async () => {
  let clock = Date.parse("2026-01-01T00:00:00Z");
  const server = await openServer(stepEngine(), { now: () => (clock += 1_000) });
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) ids.unshift(await create(server));
  for (const runId of ids) await untilStatus(server, runId, { status: "completed" });
  const list = async (query: string) => (await call(server, `GET /v1/runs?${query}`)).body;
  const idsIn = (page: Record<string, unknown>): unknown[] =>
    Array.isArray(page["runs"]) ? page["runs"].map((run: { run_id: string }) => run.run_id) : [];
  const first = await list("limit=2");
  expect(idsIn(first)).toEqual(ids.slice(0, 2));
  const newest = await create(server);
  const second = await list(`limit=2&cursor=${first["next_cursor"]}`);
  expect(idsIn(second)).toEqual(ids.slice(2, 4));
  const third = await list(`limit=2&cursor=${second["next_cursor"]}`);
  expect([idsIn(third), third["next_cursor"]]).toEqual([ids.slice(4), undefined]);
  await untilStatus(server, newest, { status: "completed" });
  expect(idsIn(await list("status=completed,failed&engine=served"))).toHaveLength(6);
  for (const none of ["status=failed", "engine=other", "owner=ada", `parent_run_id=${newest}`]) {
    expect(idsIn(await list(none))).toEqual([]);
  }
  const bad = [
    "limit=0",
    "limit=201",
    "limit=x",
    "cursor=abc",
    "cursor=",
    "status=done",
    "colour=red",
    "limit=1&limit=2",
  ];
  for (const query of bad) {
    expect([query, await call(server, `GET /v1/runs?${query}`)]).toMatchObject([
      query,
      { status: 400, body: { code: "server.bad_parameter" } },
    ]);
  }
});

test("a run is interrupted and resumed, and no step runs twice", async () => {
  const reached = gate();
  const blocked = gate();
  const server = await openServer(
    stepEngine({
      before: async (step) => {
        if (step !== 2) return;
        reached.open();
        await blocked.opened;
      },
    }),
  );
  const runId = await create(server);
  await reached.opened;
  expect(await call(server, `POST /v1/runs/${runId}/resume`)).toMatchObject({
    status: 409,
    body: { code: "server.run_at_work" },
  });
  expect(await call(server, `DELETE /v1/runs/${runId}`)).toMatchObject({
    status: 409,
    body: { code: "server.run_at_work" },
  });
  const interrupted = await call(server, `POST /v1/runs/${runId}/interrupt`, { body: { detail: "enough" } });
  expect(interrupted).toMatchObject({ status: 202, body: { run_id: runId, accepted: true } });
  blocked.open();
  expect((await untilStatus(server, runId, { status: "interrupted" })).body).toMatchObject({
    error: { code: "run.interrupted" },
  });
  // Sent immediately. The lease is released shortly after the end is published, and the server must wait for that.
  expect(await call(server, `POST /v1/runs/${runId}/resume`)).toMatchObject({
    status: 202,
    body: { status: "queued" },
  });
  const { body } = await untilStatus(server, runId, { status: "completed" });
  expect(body).toMatchObject({ attempt: 2, result: { final_message: "attempt 2" } });
  expect(await call(server, `POST /v1/runs/${runId}/resume`)).toMatchObject({
    status: 409,
    body: { code: "run.finished" },
  });
  expect(await call(server, `POST /v1/runs/${runId}/interrupt`)).toMatchObject({
    status: 409,
    body: { code: "server.run_not_at_work" },
  });
  expect(await call(server, `POST /v1/runs/${runId}/steer`, { body: { text: "go" } })).toMatchObject({ status: 409 });
});

test("an ended run can be deleted and forked as soon as its end is reported", async () => {
  const server = await openServer(stepEngine({}));
  for (const request of ["DELETE", "POST fork"]) {
    const runId = await create(server);
    await untilStatus(server, runId, { status: "completed" });
    const [method = "", ...path] = request.split(" ");
    const { status } = await call(server, [`${method} /v1/runs/${runId}`, ...path].join("/"));
    expect([request, status]).toEqual([request, method === "DELETE" ? 204 : 201]);
  }
});

test("a run that its engine cannot resume is rejected with the reason", async () => {
  const engine = stepEngine({
    keepsCheckpoints: false,
    before: () => {
      throw new Error("broken");
    },
  });
  const server = await openServer(engine);
  const runId = await create(server);
  await untilStatus(server, runId, { status: "error" });
  const refused = await call(server, `POST /v1/runs/${runId}/resume`);
  expect(refused).toMatchObject({ status: 409, body: { code: "run.not_resumable" } });
  expect(refused.body["detail"]).toContain("no checkpoint");
});

test("steering reaches a run's engine, and its questions are answered", async () => {
  const questioned = gate();
  const server = await openServer({
    capabilities: () => ({ acceptsSteering: true }),
    async execute(run, host, board) {
      const asking = host.askUser({ id: "q1", parts: [{ type: "text", text: "Which one?" }] }, { signal: run.signal });
      questioned.open();
      const reply = await asking;
      const [part] = reply.parts;
      board.set(SESSION_RESULT, { exit_code: 0, final_message: part?.type === "text" ? part.text : "" });
      return board;
    },
  });
  const runId = await create(server);
  await questioned.opened;
  await untilQuestion(server, runId);
  const steered = await call(server, `POST /v1/runs/${runId}/steer`, { body: { text: "hurry", when: "after" } });
  expect(steered.status).toBe(202);
  expect((await call(server, `POST /v1/runs/${runId}/steer`, { body: { text: "" } })).status).toBe(400);
  expect((await call(server, `POST /v1/runs/${runId}/steer`, { body: { text: "x", to: "y" } })).status).toBe(400);
  const answer = (prompt_id: string) =>
    call(server, `POST /v1/runs/${runId}/answer`, { body: { prompt_id, text: "the second" } });
  expect(await answer("q2")).toMatchObject({ status: 404, body: { code: "prompt.unknown" } });
  expect((await answer("q1")).status).toBe(202);
  expect((await untilStatus(server, runId, { status: "completed" })).body["result"]).toMatchObject({
    final_message: "the second",
  });
  const reported: string[] = [];
  for await (const { type } of openFileStore({ directory: server.state }).events(runId)) reported.push(type);
  expect(reported).toContain("control_received");
});

test("a fork fails with the reason if its files cannot be copied", async () => {
  const server = await openServer({
    async execute(_, __, board) {
      const { workspace = "" } = board.get(SESSION_INPUT) ?? {};
      // The path has the maximum length. In a folder with a longer name, it would be invalid.
      const rest = MAX_PATH - workspace.length;
      const names = Array.from({ length: rest / 201 }, () => "x".repeat(200));
      const last = "y".repeat(rest - names.length * 201 - 1);
      await mkdir(join(workspace, ...names, last), { recursive: true });
      board.set(SESSION_RESULT, { exit_code: 0, final_message: "deep" });
      return board;
    },
  });
  const runId = await create(server);
  await untilStatus(server, runId, { status: "completed" });
  expect(await call(server, `POST /v1/runs/${runId}/fork`)).toMatchObject({
    status: 500,
    body: { code: "run.store_failed" },
  });
  expect(String(server.errors.at(-1))).toContain("cannot be written");
});

test("a fork continues independently with the conversation and files of a run", async () => {
  const seen: unknown[] = [];
  const server = await openServer({
    async execute(_, __, board) {
      const input = board.get(SESSION_INPUT);
      const { workspace = "", messages = [] } = input ?? {};
      const { readFile, writeFile } = await import("node:fs/promises");
      const file = join(workspace, "count.txt");
      const before = await readFile(file, "utf8").catch(() => "");
      await writeFile(file, `${before}x`);
      seen.push(messages.map(({ content }) => content));
      board.set(SESSION_RESULT, { exit_code: 0, final_message: `count ${before.length + 1}` });
      return board;
    },
  });
  const runId = await create(server);
  await untilStatus(server, runId, { status: "completed" });
  const messages = [{ role: "user", content: "Once more." }];
  const forked = await call(server, `POST /v1/runs/${runId}/fork`, { body: { messages } });
  expect(forked).toMatchObject({ status: 201, body: { parent_run_id: runId } });
  const { body } = await untilStatus(server, String(forked.body["run_id"]), { status: "completed" });
  expect(body["result"]).toMatchObject({ final_message: "count 2" });
  // The forked run did not change the original, so a second fork starts from the same state.
  const second = await call(server, `POST /v1/runs/${runId}/fork`);
  const other = await untilStatus(server, String(second.body["run_id"]), { status: "completed" });
  expect(other.body["result"]).toMatchObject({ final_message: "count 2" });
  expect(seen).toEqual([["Do it."], ["Do it.", "count 1", "Once more."], ["Do it.", "count 1"]]);
  const children = await call(server, `GET /v1/runs?parent_run_id=${runId}`);
  expect(children.body["runs"]).toHaveLength(2);
});

test("artifacts are listed and returned without secrets, and other files of the run are not accessible", async () => {
  const secret = "the-key-of-nobody-0123456789";
  const engine = answering(() => ({
    ...DONE,
    artifacts: {
      files: [
        { name: "a b/ü.txt", content: `text with ${secret}` },
        { name: "c.bin", content_base64: "AAEC/w==" },
      ],
    },
  }));
  const server = await openServer(engine, { session: { engine, engineName: "served", secrets: [secret] } });
  const runId = await create(server);
  await untilStatus(server, runId, { status: "completed" });
  const { body } = await call(server, `GET /v1/runs/${runId}/artifacts`);
  const listed: { name: string; path: string; bytes: number }[] = Array.isArray(body["artifacts"])
    ? body["artifacts"]
    : [];
  expect(listed.map(({ name }) => name)).toEqual(["a b/ü.txt", "c.bin"]);
  const read = async (path: string) =>
    fetch(`${server.url}/v1/runs/${runId}/artifacts/${path.split("/").map(encodeURIComponent).join("/")}`);
  const [text, bytes] = await Promise.all(listed.map(({ path }) => read(path)));
  expect(await text?.text()).toBe("text with ***REDACTED***");
  expect(Buffer.from((await bytes?.arrayBuffer()) ?? new ArrayBuffer(0)).toString("hex")).toBe("000102ff");
  expect(bytes?.headers.get("content-disposition")).toBe("attachment");
  for (const path of ["nothing", "../run.json", "..%2Frun.json", "%2e%2e/run.json", "", "%zz"]) {
    const refused = await fetch(`${server.url}/v1/runs/${runId}/artifacts/${path}`);
    expect([path, refused.status]).toEqual([path, 404]);
  }
});

test("a deleted run is removed with its files; a queued one leaves the queue", async () => {
  const blocked = gate();
  const begun: string[] = [];
  const engine = stepEngine({
    steps: 1,
    before: async (_, runId) => {
      begun.push(runId);
      await blocked.opened;
    },
  });
  const server = await openServer(engine, { concurrency: 1 });
  const [first, second] = [await create(server), await create(server)];
  expect(await call(server, `DELETE /v1/runs/${second}`)).toMatchObject({ status: 204 });
  expect((await call(server, `GET /v1/runs/${second}`)).status).toBe(404);
  expect((await call(server, `DELETE /v1/runs/${second}`)).status).toBe(404);
  blocked.open();
  await untilStatus(server, first, { status: "completed" });
  await expect.poll(async () => (await call(server, `DELETE /v1/runs/${first}`)).status).toBe(204);
  expect(begun).toEqual([first]);
  expect(await readdir(`${server.state}-workspaces`)).toEqual([]);
  expect(await readdir(join(server.state, "runs"))).toEqual([]);
});

test("a command engine runs in the workspace of its run", async () => {
  const script = join(import.meta.dirname, "fixtures/answer-with-input.mjs");
  const server = await openServer(await commandEngine(script));
  const runId = await create(server);
  const { body } = await untilStatus(server, runId, { status: "completed" });
  expect(body["result"]).toMatchObject({ exit_code: 0, final_message: "Do it." });
});
