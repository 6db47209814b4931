import { readFile } from "node:fs/promises";
import { createClient } from "@switchyard/client";
import { SESSION_RESULT } from "@switchyard/contracts";
import { defineEngine } from "@switchyard/engine";
import { expect, test } from "vitest";
import { parseTokens } from "../src/index.ts";
import { call, create, untilStatus } from "./call-api.ts";
import { ASK, answering, DONE, openServer } from "./open-server.ts";
import { gate, stepEngine } from "./step-engine.ts";

const [ADA, ADA_TOO, BOB, READER, ADMIN, SCRAPER, UNNAMED, OTHER] = [
  "ada",
  "ada2",
  "bob",
  "reader",
  "admin",
  "scraper",
  "u1",
  "u2",
].map((name) => `${name}-token-of-nobody-0123456789`);
const TOKENS = `
${ADA} owner=ada
${ADA_TOO}   owner=ada roles=runner
${BOB} owner=bob
${READER} owner=ada roles=viewer
${ADMIN} owner=root roles=admin
${SCRAPER} owner=prometheus roles=monitor
${UNNAMED}
${OTHER} roles=runner,approver
`;
const UNLIMITED = { perMinute: 1e9, burst: 1e9 };

async function openShared() {
  return openServer(stepEngine({ steps: 1 }), { tokens: parseTokens(TOKENS, "tokens.txt"), rateLimit: UNLIMITED });
}

function idsIn(body: Record<string, unknown>): unknown[] {
  return Array.isArray(body["runs"]) ? body["runs"].map((run: { run_id: string }) => run.run_id) : [];
}

test("a caller cannot access another owner's runs; tokens of one owner share runs", async () => {
  const server = await openShared();
  const runId = await create(server, { token: ADA });
  await untilStatus(server, runId, { status: "completed", token: READER });
  const operations = [
    `GET /v1/runs/${runId}`,
    `GET /v1/runs/${runId}/events`,
    `GET /v1/runs/${runId}/artifacts`,
    `GET /v1/runs/${runId}/artifacts/x`,
    `POST /v1/runs/${runId}/steer`,
    `POST /v1/runs/${runId}/answer`,
    `POST /v1/runs/${runId}/interrupt`,
    `POST /v1/runs/${runId}/resume`,
    `POST /v1/runs/${runId}/fork`,
    `DELETE /v1/runs/${runId}`,
  ];
  for (const line of operations) {
    const refused = await call(server, line, { token: BOB });
    const missing = await call(server, line.replace(runId, "0".repeat(26)), { token: BOB });
    expect([line, refused.status, refused.body["code"]]).toEqual([line, 404, "server.unknown_run"]);
    // The response is the same as for a missing run.
    expect(JSON.stringify(refused.body).replaceAll(runId, "ID")).toBe(
      JSON.stringify(missing.body).replaceAll("0".repeat(26), "ID"),
    );
  }
  expect(idsIn((await call(server, "GET /v1/runs", { token: BOB })).body)).toEqual([]);
  expect(idsIn((await call(server, "GET /v1/runs?owner=ada", { token: BOB })).body)).toEqual([]);
  for (const token of [READER, ADMIN]) {
    expect(idsIn((await call(server, "GET /v1/runs?owner=ada", { token })).body)).toEqual([runId]);
  }
  expect((await call(server, `DELETE /v1/runs/${runId}`, { token: ADA_TOO })).status).toBe(204);
});

test("a caller can continue only the sessions of the own runs", async () => {
  const engine = defineEngine(async (run, _host, board) => {
    board.set(SESSION_RESULT, { exit_code: 0, final_message: "done", session_id: `of ${run.id}` });
  });
  const server = await openServer(engine, { tokens: parseTokens(TOKENS, "tokens.txt"), rateLimit: UNLIMITED });
  const runId = await create(server, { token: ADA });
  await untilStatus(server, runId, { status: "completed", token: ADA });
  const status = async (token: string | undefined, session_id: string): Promise<unknown[]> => {
    const { status, body } = await call(server, "POST /v1/runs", { token, body: { input: { ...ASK, session_id } } });
    return [status, body["code"]];
  };
  const refused = [400, "server.bad_body"];
  const accepted = [201, undefined];
  expect(await status(BOB, `of ${runId}`)).toEqual(refused);
  expect(await status(ADA, "unknown")).toEqual(refused);
  // A refused request of another caller gives no right to the session.
  expect(await status(BOB, `of ${runId}`)).toEqual(refused);
  for (const token of [ADA, ADA_TOO, ADMIN]) expect(await status(token, `of ${runId}`)).toEqual(accepted);
  expect(await status(ADMIN, "unknown")).toEqual(accepted);
});

test("idempotency keys are separate per caller, and each unnamed token is a separate owner", async () => {
  const server = await openShared();
  const headers = { "idempotency-key": "the-same" };
  const tokens = [ADA, BOB, UNNAMED, OTHER];
  const ids = await Promise.all(tokens.map((token) => create(server, { token, headers })));
  expect(new Set(ids).size).toBe(tokens.length);
  for (const [index, token] of tokens.entries()) {
    if (token === ADA_TOO) continue;
    expect(idsIn((await call(server, "GET /v1/runs", { token })).body)).toEqual([ids[index]]);
  }
});

test("each run has a separate workspace", async () => {
  const { readdir, writeFile } = await import("node:fs/promises");
  const { join } = await import("node:path");
  const engine = answering(async ({ workspace = "", messages }) => {
    const before = await readdir(workspace);
    await writeFile(join(workspace, "secret.txt"), messages[0]?.content ?? "");
    return { ...DONE, final_message: before.join() };
  });
  const server = await openServer(engine, { tokens: parseTokens(TOKENS, "tokens.txt"), rateLimit: UNLIMITED });
  for (const token of [ADA, BOB]) {
    const runId = await create(server, { token });
    const { body } = await untilStatus(server, runId, { status: "completed", token });
    expect(body["result"]).toMatchObject({ final_message: "" });
    expect(await readFile(join(`${server.state}-workspaces`, runId, "secret.txt"), "utf8")).toBe("Do it.");
  }
});

test("metrics need their role, and contain no secrets", async () => {
  const server = await openShared();
  for (const token of [ADA, READER]) {
    const refused = await call(server, "GET /metrics", { token });
    expect(refused).toMatchObject({ status: 403, body: { code: "server.missing_role" } });
    expect(refused.body["detail"]).toContain("admin, monitor");
  }
  const { body, headers } = await call(server, "GET /metrics", { token: SCRAPER });
  expect(headers.get("content-type")).toContain("text/plain; version=0.0.4");
  expect(body["text"]).toMatch(/^switchyard_runs_working 0$/mu);
  expect(body["text"]).toMatch(/^switchyard_http_requests_total\{method="GET",route="\/metrics",status="403"\} 2$/mu);
  expect(body["text"]).toMatch(/^nodejs_eventloop_lag_seconds /mu);
  expect(JSON.stringify(body)).not.toContain("token-of-nobody");
});

test("a caller over the rate limit gets 429 with Retry-After, and other callers are not affected", async () => {
  let nowMs = 0;
  const server = await openServer(stepEngine(), {
    tokens: parseTokens(TOKENS, "tokens.txt"),
    rateLimit: { perMinute: 30, burst: 3 },
    monotonic: () => nowMs,
  });
  const list = (token: string | undefined) => call(server, "GET /v1/runs", { token });
  for (let count = 0; count < 3; count++) expect((await list(ADA)).status).toBe(200);
  const refused = await list(ADA);
  expect(refused).toMatchObject({ status: 429, body: { code: "server.rate_limited", limit: 30, retry_after: 2 } });
  expect(refused.headers.get("retry-after")).toBe("2");
  expect((await list(READER)).status).toBe(429);
  expect((await list(BOB)).status).toBe(200);
  nowMs += 2_000;
  expect([(await list(ADA)).status, (await list(ADA)).status]).toEqual([200, 429]);
  expect((await fetch(`${server.url}/livez`)).status).toBe(200);
});

test("callers read who they are, and how many runs their owner may still create and start", async () => {
  const blocked = gate();
  const counts = { tokens_used: 5, tokens_reserved: 1, usd_used: 0.5, usd_reserved: 0.1, active_runs: 1 };
  const budget = { ...counts, usd_per_day: 2, resets_at: "2026-11-30T00:00:00.000Z" };
  const tokens = parseTokens(
    "token-of-ada-0123456789 owner=ada roles=runner,approver\ntoken-of-bob-0123456789 owner=bob roles=viewer\n",
    "tokens.txt",
  );
  const server = await openServer(stepEngine({ before: () => blocked.opened }), {
    ...{ tokens, maxQueued: 10, maxQueuedPerOwner: 3 },
    quotaOf: (owner) => (owner === "ada" ? { maxRunning: 1, maxStartsPerDay: 5 } : {}),
    readBudget: async (owner) => (owner === "ada" ? budget : undefined),
  });
  const { runs } = createClient({ url: server.url, token: "token-of-ada-0123456789" });
  const ids = [await runs.create(ASK), await runs.create(ASK)].map(({ run_id: id }) => id);
  expect(await runs.caller()).toMatchObject({
    ...{ owner: "ada", roles: ["runner", "approver"], subject: expect.stringMatching(/^token:/u) },
    ...{ waiting: 1, running: 1, started_today: 1, waiting_left: 2, running_left: 0, starts_left: 4, budget },
  });
  const other = await createClient({ url: server.url, token: "token-of-bob-0123456789" }).runs.caller();
  expect(other).toMatchObject({ owner: "bob", roles: ["viewer"], waiting: 0, running: 0, waiting_left: 3 });
  expect(other).not.toHaveProperty("running_left");
  expect(other).not.toHaveProperty("budget");
  blocked.open();
  for (const id of ids) await runs.wait(id);
});
