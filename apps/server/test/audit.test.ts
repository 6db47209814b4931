import { appendFile, chmod, mkdir, readFile, rename, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { expect, onTestFinished, test } from "vitest";
import { type AuditLog, openAuditLog, parseTokens, type ServerOptions } from "../src/index.ts";
import { call, create, toRecord, untilStatus } from "./call-api.ts";
import { makeFolder, type OpenedServer, openServer } from "./open-server.ts";
import { sendRaw } from "./send-raw.ts";
import { stepEngine } from "./step-engine.ts";

const [ADA, BOB, ADMIN] = ["ada", "bob", "admin"].map((name) => `${name}-token-of-nobody-0123456789`);
const TOKENS = parseTokens(
  `${ADA} owner=ada roles=runner,approver\n${BOB} owner=bob roles=viewer\n${ADMIN} owner=root roles=admin`,
  "tokens.txt",
);
const UNLIMITED = { perMinute: 1e9, burst: 1e9 };

interface Scene {
  readonly server: OpenedServer;
  readonly path: string;
  readonly problems: unknown[];
  /** Reads the entries of the log, or of another file. */
  read(file?: string): Promise<Record<string, unknown>[]>;
}

async function openScene(options: Partial<ServerOptions> = {}): Promise<Scene> {
  const path = join(await makeFolder(), "audit.jsonl");
  const problems: unknown[] = [];
  const audit = await openAuditLog(path, { onError: (error) => problems.push(error) });
  const limits = { rateLimit: UNLIMITED, attemptLimit: UNLIMITED };
  const server = await openServer(stepEngine({ steps: 1 }), { tokens: TOKENS, audit, ...limits, ...options });
  onTestFinished(async () => {
    await server.drain();
    await audit.close();
  });
  return { server, path, problems, read: (file = path) => readEntries(file) };
}

async function readEntries(file: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(file, "utf8");
  expect(text === "" || text.endsWith("\n")).toBe(true);
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => toRecord(JSON.parse(line)));
}

test("every request of a caller is in the log before its response, with caller, operation, run and outcome", async () => {
  const { server, path, read } = await openScene();
  const runId = await create(server, { token: ADA });
  expect(await read()).toMatchObject([
    {
      ...{ outcome: "allowed", status: 201, operation: "createRun", method: "POST", route: "/v1/runs" },
      ...{ owner: "ada", roles: ["runner", "approver"], created_run_id: runId, address: "127.0.0.1" },
      subject: expect.stringMatching(/^token:[0-9a-f]{16}$/u),
    },
  ]);
  await untilStatus(server, runId, { status: "completed", token: ADMIN });
  const before = (await read()).length;
  const RUN = `/v1/runs/${runId}`;
  await call(server, `GET ${RUN}`, { token: BOB });
  await call(server, `DELETE ${RUN}`, { token: BOB });
  await call(server, `GET ${RUN}/events`, { token: ADMIN });
  await fetch(server.url + RUN, { method: "HEAD", headers: { authorization: `Bearer ${ADA}` } });
  await call(server, `POST ${RUN}/steer`, { token: ADA, body: { text: "the-secret-message" } });
  await call(server, "GET /v1/runs", { token: "an-unknown-token-0123456789" });
  await call(server, "GET /nothing?token=the-secret-query", {});
  const forked = await call(server, `POST ${RUN}/fork`, { token: ADMIN });
  const owned = { run_id: runId, run_owner: "ada" };
  expect((await read()).slice(before)).toMatchObject([
    { outcome: "denied", status: 404, code: "server.unknown_run", operation: "showRun", owner: "bob", run_id: runId },
    { outcome: "denied", status: 403, code: "server.missing_role", operation: "deleteRun", run_id: runId },
    { outcome: "allowed", status: 200, operation: "watchRun", owner: "root", roles: ["admin"], ...owned },
    { outcome: "allowed", status: 200, operation: "showRun", method: "HEAD", ...owned },
    { outcome: "failed", status: 409, code: "server.run_not_at_work", operation: "steerRun", ...owned },
    { outcome: "denied", status: 401, code: "server.unauthorized", operation: "listRuns" },
    { outcome: "denied", status: 401, code: "server.unauthorized", method: "GET" },
    { outcome: "allowed", status: 201, operation: "forkRun", ...owned, created_run_id: forked.body["run_id"] },
  ]);
  expect((await read()).find((entry) => entry["outcome"] === "denied")).not.toHaveProperty("run_owner");
  await Promise.all(["/livez", "/"].map((probe) => fetch(server.url + probe)));
  expect(await read()).toHaveLength(before + 8);
  const text = await readFile(path, "utf8");
  for (const secret of ["token-of-nobody", "unknown-token", "the-secret", "Do it."]) expect(text).not.toContain(secret);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("an approval is logged with the question and the decision, an answer to a question without its text", async () => {
  const ask = (id: string, metadata: Record<string, string>) => ({ id, parts: [], metadata });
  const engine: Parameters<typeof openServer>[0] = {
    async execute(run, host, board) {
      await host.askUser(ask("q1", { kind: "approval", tool: "shell" }), { signal: run.signal });
      await host.askUser(ask("q2", {}), { signal: run.signal });
      return board;
    },
  };
  const path = join(await makeFolder(), "audit.jsonl");
  const audit = await openAuditLog(path, { onError: () => {} });
  const server = await openServer(engine, { tokens: TOKENS, audit, rateLimit: UNLIMITED });
  const runId = await create(server, { token: ADA });
  for (const body of [
    { prompt_id: "q1", text: " Allow_Once" },
    { prompt_id: "q2", text: "the-secret-answer" },
  ]) {
    const send = () => call(server, `POST /v1/runs/${runId}/answer`, { token: ADA, body });
    await expect.poll(async () => (await send()).status).toBe(202);
  }
  const answers = (await readEntries(path)).filter((entry) => entry["status"] === 202);
  expect(answers).toMatchObject([
    { operation: "answerApproval", prompt_id: "q1", decision: "allow_once" },
    { operation: "answerQuestion", prompt_id: "q2" },
  ]);
  expect(answers[1]).not.toHaveProperty("decision");
  expect(await readFile(path, "utf8")).not.toContain("the-secret-answer");
});

test("texts of a request cannot forge entries, and the address comes from a trusted proxy only", async () => {
  const { server, read } = await openScene({ connections: { trustedProxies: ["127.0.0.1"] } });
  const forwarded = (value: string) => ({ token: ADA, headers: { "x-forwarded-for": value } });
  await call(server, "GET /v1/runs/x%0A%7B%22outcome%22%3A%22allowed%22%7D", forwarded("198.51.100.7"));
  await call(server, "GET /v1/runs/%E0%A4%A", forwarded('1.2.3.4\\", "owner": "root'));
  const [first, second, ...others] = await read();
  expect([first, others]).toMatchObject([{ outcome: "denied", address: "198.51.100.7" }, []]);
  expect([first, second].map((entry) => [entry?.["run_id"], second?.["address"]])).toEqual([
    [undefined, "127.0.0.1"],
    [undefined, "127.0.0.1"],
  ]);
  const direct = await openScene();
  await call(direct.server, "GET /v1/runs", forwarded("198.51.100.7"));
  expect(await direct.read()).toMatchObject([{ address: "127.0.0.1" }]);
});

test("requests of unknown callers fill the log only up to a limit, and the omitted ones are counted", async () => {
  let nowMs = 0;
  const { server, read } = await openScene({ monotonic: () => nowMs });
  await Promise.all(Array.from({ length: 130 }, () => call(server, "GET /v1/runs", {})));
  expect(await read()).toHaveLength(100);
  await call(server, "GET /v1/runs", { token: ADA });
  nowMs += 1_000;
  await sendRaw(server.port, "GET /v1/runs HTTP/1.1\r\nHost: evil.example\r\n\r\n");
  await expect
    .poll(async () => (await read()).slice(100))
    .toMatchObject([
      { owner: "ada", omitted: 30 },
      { outcome: "denied", status: 403, code: "server.forbidden", address: "127.0.0.1" },
    ]);
});

test("after the log file is renamed, entries go to a new private file, and none is lost or doubled", async () => {
  const { server, path, read } = await openScene();
  const total = 60;
  const requests = Array.from({ length: total }, async (_, index) => {
    if (index % 20 === 10) await rename(path, `${path}.${index}`).catch(() => undefined);
    return call(server, `GET /v1/runs/run-${index}`, { token: ADA });
  });
  await Promise.all(requests);
  await call(server, "GET /v1/runs/run-last", { token: ADA });
  const files = [path, ...[10, 30, 50].map((index) => `${path}.${index}`)];
  const entries = await Promise.all(files.map((file) => read(file).catch(() => [])));
  const ids = entries.flat().map((entry) => String(entry["run_id"]));
  expect(ids).toHaveLength(total + 1);
  expect(new Set(ids).size).toBe(total + 1);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("while the log cannot be written, the server accepts no request and is not ready; then it continues", async () => {
  const { server, path, problems, read } = await openScene();
  await call(server, "GET /v1/runs/first", { token: ADA });
  await rename(path, `${path}.1`);
  await mkdir(path);
  // The request during which the log fails is answered. Its entry is written later.
  expect((await call(server, "GET /v1/runs/second", { token: ADA })).status).toBe(404);
  expect(EngineError.is(problems[0], "server.audit_log_failed")).toBe(true);
  const refused = await call(server, "POST /v1/runs", { token: ADA, body: {} });
  expect(refused).toMatchObject({ status: 503, body: { code: "server.audit_unavailable", retryable: true } });
  expect(JSON.stringify(refused.body)).not.toContain(path);
  expect((await call(server, "GET /readyz")).status).toBe(503);
  expect((await call(server, "GET /livez")).status).toBe(200);
  expect(problems).toHaveLength(1);
  await rename(path, `${path}.folder`);
  expect((await call(server, "GET /readyz")).status).toBe(200);
  await call(server, "GET /v1/runs/third", { token: ADA });
  expect((await read()).map((entry) => entry["run_id"])).toEqual(["second", "third"]);
});

test("a line that a crash has cut does not damage the next entry", async () => {
  const path = join(await makeFolder(), "audit.jsonl");
  const write = async (log: AuditLog): Promise<void> => {
    await log.write({ time: "t", outcome: "allowed", status: 200, method: "GET", address: "unknown" });
    await log.close();
  };
  await write(await openAuditLog(path, { onError: () => {} }));
  await appendFile(path, '{"time":"cut');
  await write(await openAuditLog(path, { onError: () => {} }));
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  expect([lines.length, lines[1], lines[0]]).toEqual([3, '{"time":"cut', lines[2]]);
  await truncate(path, 0);
});

test("a file that other users can access, a link and a folder are refused", async () => {
  const folder = await makeFolder();
  const path = join(folder, "audit.jsonl");
  await writeFile(path, "");
  await chmod(path, 0o644);
  await symlink("/dev/null", join(folder, "link"));
  const open = (file: string) => openAuditLog(file, { onError: () => {} });
  await expect(open(path)).rejects.toMatchObject({
    code: "server.audit_log_failed",
    message: expect.stringContaining("other users"),
  });
  for (const file of [join(folder, "link"), folder, "/dev/null", join(folder, "none", "audit.jsonl")])
    await expect(open(file)).rejects.toMatchObject({ code: "server.audit_log_failed" });
});
