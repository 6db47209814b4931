import { afterAll, beforeAll, expect, test } from "vitest";
import { parseTokens } from "../src/index.ts";
import { call, create, untilStatus } from "./call-api.ts";
import { answering, DONE, type OpenedServer, openServer } from "./open-server.ts";
import { sendRaw, statusOf } from "./send-raw.ts";

const [ADA, BOB] = ["ada", "bob"].map((name) => `${name}-token-of-nobody-0123456789`);
const MARK = "the-task-of-ada";
const CREATE = { body: { input: { messages: [{ role: "user", content: MARK }] } } };

let server: OpenedServer;
let runId: string;
const releases: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const unlimited = { perMinute: 1e9, burst: 1e9 };
  server = await openServer(
    answering(() => ({ ...DONE, final_message: MARK })),
    {
      ...{ rateLimit: unlimited, attemptLimit: unlimited },
      tokens: parseTokens(`${ADA} owner=ada\n${BOB} owner=bob`, "tokens.txt"),
    },
    (release) => releases.push(release),
  );
  runId = await create(server, { token: ADA, ...CREATE, headers: { "idempotency-key": "the-key" } });
  await untilStatus(server, runId, { status: "completed", token: ADA });
});
afterAll(async () => {
  for (const release of releases.reverse()) await release();
});

/** Sends a request without changing its path, as `fetch` would. */
function send(line: string, ...headers: string[]): Promise<string> {
  const lines = [`${line} HTTP/1.1`, `Host: 127.0.0.1:${server.port}`, ...headers, "Connection: close", "", ""];
  return sendRaw(server.port, lines.join("\r\n"));
}

const bearer = (token: string | undefined): string => `Authorization: Bearer ${token}`;

/** Paths that name the run in unusual ways. `ID` is replaced with the run's id. */
const PATHS = [
  ...[
    "/v1/runs/ID",
    "/v1/runs/ID/",
    "//v1/runs/ID",
    "/v1//runs/ID",
    "/v1/runs/./ID",
    "/v1/runs/x/../ID",
    "/V1/RUNS/ID",
  ],
  ...["/v1/runs/%2e/ID", "/v1/runs/ID%00", "/v1/runs/%20ID", "/v1/runs/ID.", "/v1/runs/ID%2f", "/v1/runs/ID%2fevents"],
  ...[
    "/v1/runs/..%2fID",
    "/v1/runs/..%2fruns%2fID",
    "/v1/runs/ID;x=1",
    "/v1/runs/ID?owner=ada",
    "/v1/runs/ID/%65vents",
  ],
  ...["/v1/runs/ID/artifacts/..%2f..%2frequest.json", "/v1/runs/ID/artifacts/../../run.json", "/v1%2fruns%2fID"],
  ...["/assets/..%2f..%2fv1%2fruns%2fID", "/assets/../v1/runs/ID", "/livez/../v1/runs/ID", "/livez\\..\\v1\\runs\\ID"],
  ...["/v1/runs/ID/events", "/v1/runs/ID/artifacts", "/v1/runs/ID/undefined", "/v1/runs/ID%23", "/v1/runs/ID%3Fx"],
];

test("no spelling of a path, and no method, opens a run to another owner or without a token", async () => {
  for (const path of PATHS.map((spelling) => spelling.replace("ID", runId))) {
    for (const method of ["GET", "HEAD", "OPTIONS", "PUT", "TRACE"]) {
      for (const headers of [[], [bearer(BOB)]]) {
        const answer = await send(`${method} ${path}`, ...headers);
        expect([method, path, statusOf(answer) >= 400]).toEqual([method, path, true]);
        expect(answer).not.toContain(MARK);
      }
    }
  }
  expect(statusOf(await send(`GET /v1/runs/${runId}`, bearer(ADA)))).toBe(200);
});

test("a path that a proxy may read differently is refused, also for its owner", async () => {
  for (const path of ["/livez/../v1/runs", "/./v1/runs", "/v1/%2E%2e/v1/runs", "/v1\\runs", "/v1/runs/.."])
    expect([path, statusOf(await send(`GET ${path}`, bearer(ADA)))]).toEqual([path, 400]);
  expect(statusOf(await send("GET /v1/runs?search=a/../b", bearer(ADA)))).toBe(200);
});

test("only the header Authorization identifies a caller, and only if it occurs once", async () => {
  const target = `/v1/runs/${runId}`;
  const others = [
    ...[`Cookie: token=${ADA}`, `X-Api-Key: ${ADA}`, `Proxy-Authorization: Bearer ${ADA}`, "X-Forwarded-User: ada"],
    ...["X-Forwarded-For: 127.0.0.1", `X-Original-URL: ${target}`, "X-HTTP-Method-Override: GET"],
  ];
  for (const header of others) {
    expect([header, statusOf(await send(`GET ${target}`, header))]).toEqual([header, 401]);
    expect([header, statusOf(await send(`GET ${target}`, bearer(BOB), header))]).toEqual([header, 404]);
  }
  for (const query of [`token=${ADA}`, `access_token=${ADA}`, `authorization=Bearer%20${ADA}`])
    expect([query, statusOf(await send(`GET ${target}?${query}`))]).toEqual([query, 401]);
  for (const headers of [[bearer(BOB), bearer(ADA)], [bearer(ADA), bearer(BOB)], [`${bearer(BOB)}, Bearer ${ADA}`]])
    expect(await send(`GET ${target}`, ...headers)).not.toContain(MARK);
  const upgrade = ["Upgrade: websocket", "Sec-WebSocket-Version: 13", `Sec-WebSocket-Protocol: bearer, ${ADA}`];
  expect(statusOf(await send(`GET ${target}/events`, ...upgrade))).toBe(401);
});

test("a second request on a connection needs its own token", async () => {
  const first = `GET /v1/runs HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n${bearer(ADA)}\r\n\r\n`;
  const second = `GET /v1/runs/${runId} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nConnection: close\r\n\r\n`;
  expect(statusOf(await sendRaw(server.port, first))).toBe(200);
  const { lines } = server;
  const before = lines.length;
  await sendRaw(server.port, first + second);
  await expect
    .poll(() =>
      lines
        .slice(before)
        .map(({ status }) => status)
        .sort(),
    )
    .toEqual([200, 401]);
});

test("an idempotency key, a cursor and a filter reveal nothing about runs of another owner", async () => {
  const headers = { "idempotency-key": "the-key" };
  const replayed = await call(server, "POST /v1/runs", { token: BOB, body: { input: { messages: [] } }, headers });
  expect(JSON.stringify(replayed.body)).not.toContain(runId);
  const cursor = Buffer.from(`0 2030-01-01T00:00:00.000Z ${runId}`).toString("base64url");
  for (const query of [
    `parent_run_id=${runId}`,
    `search=${runId}`,
    "owner=ada",
    `search=${MARK}`,
    `cursor=${cursor}`,
  ]) {
    const { status, body } = await call(server, `GET /v1/runs?${query}`, { token: BOB });
    expect([query, status, JSON.stringify(body).includes("ada")]).toEqual([query, 200, false]);
  }
});
