import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Engine } from "@switchyard/contracts";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { parseTokens, startServer, type TokenSet } from "../src/index.ts";
import { type ApiResponse, type CallOptions, call, create, toRecord, untilQuestion, untilStatus } from "./call-api.ts";
import { ASK, answering, DONE, makeFolder, type OnFinished, type OpenedServer, openServer } from "./open-server.ts";
import { gate, stepEngine } from "./step-engine.ts";

const [USER, NO_RIGHT, ADMIN, SCRAPER] = ["user", "nobody", "admin", "scraper"].map(
  (name) => `${name}-token-of-nobody-0123456789`,
);
const FILE_TOKENS = parseTokens(
  `${USER} owner=u roles=runner,approver\n${NO_RIGHT} owner=u roles=monitor\n${ADMIN} owner=a roles=admin\n${SCRAPER} owner=s roles=runner,approver`,
  "tokens.txt",
);
const NO_ROLE = "token-without-a-role-0123456789";
const TOKENS: TokenSet = {
  ...FILE_TOKENS,
  callerOf: (authorization) =>
    authorization === `Bearer ${NO_ROLE}` ? { owner: "n", roles: new Set() } : FILE_TOKENS.callerOf(authorization),
};
const MISSING = "no-such-run";
const UNLIMITED = { perMinute: 1e9, burst: 1e9 };

/** Server in which an operation is tried, with an ended, an active and a queued run. */
interface Scene {
  readonly server: OpenedServer;
  readonly over: string;
  readonly failed: string;
  readonly working: string;
  readonly waiting: string;
  /** Lets the active run continue. */
  readonly open: () => void;
}

async function openScene(onFinished: OnFinished = onTestFinished): Promise<Scene> {
  const blocked = gate();
  let isBlocked = false;
  let isBroken = false;
  const engine = stepEngine({
    steps: 1,
    before: async () => {
      if (isBroken) throw new Error("broken");
      if (isBlocked) await blocked.opened;
    },
  });
  const server = await openServer(engine, { concurrency: 1, tokens: TOKENS, rateLimit: UNLIMITED }, onFinished);
  onFinished(async () => blocked.open());
  const over = await create(server, { token: USER });
  await untilStatus(server, over, { status: "completed", token: USER });
  isBroken = true;
  const failed = await create(server, { token: USER });
  await untilStatus(server, failed, { status: "error", token: USER });
  isBroken = false;
  isBlocked = true;
  const working = await create(server, { token: USER });
  await untilStatus(server, working, { status: "running", token: USER });
  const waiting = await create(server, { token: USER });
  return { server, over, failed, working, waiting, open: blocked.open };
}

type Exercise = (
  scene: Scene,
  send: (line: string, options?: CallOptions) => Promise<ApiResponse>,
) => Promise<ApiResponse>;

const NEW = { body: { input: ASK } };
const KEYED = { ...NEW, headers: { "idempotency-key": "k" } };
const XML = { body: "<run/>", headers: { "content-type": "application/xml" } };

/** Requests that produce each documented response. A new response without an entry fails the test. */
const EXERCISES: Readonly<Record<string, Exercise>> = {
  "createRun 201": (_, send) => send("POST /v1/runs", NEW),
  "createRun 200": async (_, send) => {
    await send("POST /v1/runs", KEYED);
    return send("POST /v1/runs", KEYED);
  },
  "createRun 400": (_, send) => send("POST /v1/runs", { body: {} }),
  "createRun 413": (_, send) =>
    send("POST /v1/runs", { body: { input: { messages: [{ role: "user", content: "x".repeat(11e6) }] } } }),
  "createRun 415": (_, send) => send("POST /v1/runs", XML),
  "createRun 422": async (_, send) => {
    await send("POST /v1/runs", KEYED);
    return send("POST /v1/runs", { ...KEYED, body: { input: { ...ASK, model: "other/one" } } });
  },
  "createRun 503": stopping((_, send) => send("POST /v1/runs", NEW)),
  "listRuns 200": (_, send) => send("GET /v1/runs"),
  "listRuns 400": (_, send) => send("GET /v1/runs?cursor=x"),
  "readStatistics 200": (_, send) => send("GET /v1/statistics"),
  "readCaller 200": (_, send) => send("GET /v1/caller"),
  "readStatistics 400": (_, send) => send("GET /v1/statistics?since=yesterday"),
  "showRun 200": ({ over }, send) => send(`GET /v1/runs/${over}`),
  "deleteRun 204": ({ over }, send) => send(`DELETE /v1/runs/${over}`),
  "deleteRun 409": ({ working }, send) => send(`DELETE /v1/runs/${working}`),
  "watchRun 200": ({ over }, send) => send(`GET /v1/runs/${over}/events`),
  "watchRun 400": ({ over }, send) => send(`GET /v1/runs/${over}/events`, { headers: { "last-event-id": "x" } }),
  "steerRun 202": ({ working }, send) => send(`POST /v1/runs/${working}/steer`, { body: { text: "hurry" } }),
  "steerRun 400": ({ working }, send) => send(`POST /v1/runs/${working}/steer`, { body: {} }),
  "steerRun 409": ({ over }, send) => send(`POST /v1/runs/${over}/steer`, { body: { text: "hurry" } }),
  "answerRun 202": async ({ server }) => {
    const asking = await askingServer();
    const token = USER;
    const runId = await create(asking, { token });
    await untilQuestion(asking, runId, { token });
    expect(asking.url).not.toBe(server.url);
    return call(asking, `POST /v1/runs/${runId}/answer`, { body: { prompt_id: "q", text: "yes" }, token });
  },
  "answerRun 400": ({ working }, send) => send(`POST /v1/runs/${working}/answer`, { body: {} }),
  "answerRun 409": ({ over }, send) => send(`POST /v1/runs/${over}/answer`, { body: { prompt_id: "q", text: "x" } }),
  "interruptRun 202": ({ waiting }, send) => send(`POST /v1/runs/${waiting}/interrupt`),
  "interruptRun 400": ({ waiting }, send) => send(`POST /v1/runs/${waiting}/interrupt`, { body: { why: "x" } }),
  "interruptRun 409": ({ over }, send) => send(`POST /v1/runs/${over}/interrupt`),
  "resumeRun 202": ({ failed }, send) => send(`POST /v1/runs/${failed}/resume`),
  "resumeRun 400": ({ failed }, send) => send(`POST /v1/runs/${failed}/resume`, { body: { x: 1 } }),
  "resumeRun 409": ({ over }, send) => send(`POST /v1/runs/${over}/resume`),
  "resumeRun 503": stopping(({ failed }, send) => send(`POST /v1/runs/${failed}/resume`)),
  "forkRun 201": ({ over }, send) => send(`POST /v1/runs/${over}/fork`, { body: { messages: ASK.messages } }),
  "forkRun 400": ({ over }, send) => send(`POST /v1/runs/${over}/fork`, { body: { messages: "x" } }),
  "forkRun 409": ({ working }, send) => send(`POST /v1/runs/${working}/fork`),
  "forkRun 503": stopping(({ over }, send) => send(`POST /v1/runs/${over}/fork`)),
  "undoRun 200": async () => {
    const engine = answering(async ({ workspace = "" }) => {
      await writeFile(join(workspace, "made.txt"), "made");
      return DONE;
    });
    const server = await openServer(engine, { tokens: TOKENS, rateLimit: UNLIMITED });
    const runId = await create(server, { token: USER });
    await untilStatus(server, runId, { status: "completed", token: USER });
    return call(server, `POST /v1/runs/${runId}/undo`, { body: { dry_run: true }, token: USER });
  },
  "undoRun 400": ({ over }, send) => send(`POST /v1/runs/${over}/undo`, { body: { force: true } }),
  "undoRun 409": ({ over }, send) => send(`POST /v1/runs/${over}/undo`),
  "listArtifacts 200": ({ over }, send) => send(`GET /v1/runs/${over}/artifacts`),
  "readArtifact 200": async () => {
    const engine = answering(() => ({ ...DONE, artifacts: { files: [{ name: "a.txt", content: "text" }] } }));
    const server = await openServer(engine, { tokens: TOKENS, rateLimit: UNLIMITED });
    const runId = await create(server, { token: USER });
    await untilStatus(server, runId, { status: "completed", token: USER });
    return call(server, `GET /v1/runs/${runId}/artifacts/a.txt`, { token: USER });
  },
  "readPatch 200": async () => {
    const engine = answering(async ({ workspace = "" }) => {
      await writeFile(join(workspace, "made.txt"), "made");
      return DONE;
    });
    const server = await openServer(engine, { tokens: TOKENS, rateLimit: UNLIMITED });
    const runId = await create(server, { token: USER });
    await untilStatus(server, runId, { status: "completed", token: USER });
    return call(server, `GET /v1/runs/${runId}/patch`, { token: USER });
  },
  "runOnce 200": () =>
    askOnce(
      answering(() => DONE),
      ASK,
    ),
  "runOnce 400": () => askOnce(stepEngine(), {}),
  "runOnce 413": () => askOnce(stepEngine(), { messages: [{ role: "user", content: "x".repeat(11e6) }] }),
  "runOnce 500": () => askOnce({ execute: () => Promise.reject(new Error("broken")) }, ASK),
  "runOnce 503": stopping((_, send) => send("POST /v1/run", { body: ASK })),
  "describe 200": (_, send) => send("GET /openapi.json"),
  "isStarted 200": ({ server }) => call(server, "GET /startupz"),
  "isAlive 200": ({ server }) => call(server, "GET /livez"),
  "isReady 200": ({ server }) => call(server, "GET /readyz"),
  "isReady 503": stopping(({ server }) => call(server, "GET /readyz")),
  "readMetrics 200": ({ server }) => call(server, "GET /metrics", { token: ADMIN }),
};

/** Sends `POST /v1/run` to a new server. */
async function askOnce(engine: Engine, body: object): Promise<ApiResponse> {
  return call(await openServer(engine, { tokens: TOKENS, rateLimit: UNLIMITED }), "POST /v1/run", {
    body,
    token: USER,
  });
}

/** Requests that produce the responses that all operations share, by status. They need no run. */
const COMMON: Readonly<Record<string, (line: string, server: OpenedServer) => Promise<ApiResponse>>> = {
  401: (line, server) => call(server, line),
  403: (line, server) => {
    const token = line.includes("/metrics") ? USER : line.includes("/openapi.json") ? NO_ROLE : NO_RIGHT;
    return call(server, line, { token });
  },
  404: (line, server) => call(server, line, { token: USER }),
  415: async (line, server) => {
    const runId = await create(server, { token: USER });
    return call(server, line.replace(MISSING, runId), { ...XML, token: USER });
  },
  429: async (line) => {
    const server = await openServer(stepEngine(), { tokens: TOKENS, rateLimit: { perMinute: 0.001, burst: 1 } });
    const token = SCRAPER;
    await call(server, "GET /v1/runs", { token });
    return call(server, line, { token });
  },
};

/** Starts a server whose engine asks a question and waits. */
async function askingServer(): Promise<OpenedServer> {
  return openServer(
    {
      async execute(run, host, board) {
        await host.askUser({ id: "q", parts: [{ type: "text", text: "Really?" }] }, { signal: run.signal });
        return board;
      },
    },
    { tokens: TOKENS, rateLimit: UNLIMITED },
  );
}

/** Runs an exercise while the server shuts down. The active run does not end before. */
function stopping(exercise: Exercise): Exercise {
  return async (scene, send) => {
    const drained = scene.server.drain();
    const answer = await exercise(scene, send);
    scene.open();
    await drained;
    return answer;
  };
}

/** Reads the OpenAPI document, from which the tests are generated. */
async function readDocument(): Promise<Record<string, unknown>> {
  const { mkdtemp, rm } = await import("node:fs/promises");
  const { tmpdir } = await import("node:os");
  const { join } = await import("node:path");
  const folder = await mkdtemp(join(tmpdir(), "switchyard-openapi-"));
  const engine = answering(() => DONE);
  const openEnvironment = (root: string) => ({ type: "local", root, env: {} }) as const;
  const server = await startServer({
    session: { engine, engineName: "served" },
    stateDirectory: folder,
    openEnvironment,
  });
  try {
    return toRecord(await (await fetch(`${server.url}/openapi.json`)).json());
  } finally {
    await server.drain();
    await rm(folder, { recursive: true });
  }
}

const DOCUMENT = await readDocument();
const CASES = Object.entries(toRecord(DOCUMENT["paths"])).flatMap(([path, methods]) =>
  Object.entries(toRecord(methods)).flatMap(([method, operation]) => {
    const { operationId, responses } = toRecord(operation);
    return Object.entries(toRecord(responses)).map(([status, response]) => ({
      ...{ name: `${String(operationId)} ${status}`, line: `${method.toUpperCase()} ${path}`, status },
      content: toRecord(toRecord(response)["content"]),
    }));
  }),
);

test("the document is valid OpenAPI 3.1, lists every operation, and its schemas validate", async () => {
  expect(DOCUMENT).toMatchObject({ openapi: "3.1.0", security: [{ token: [] }] });
  expect(CASES.length).toBeGreaterThan(85);
  const known = new Set(CASES.map(({ name }) => name));
  for (const name of Object.keys(EXERCISES)) expect([name, known.has(name)]).toEqual([name, true]);
  expect(JSON.stringify(DOCUMENT)).not.toContain(await makeFolder());
  for (const name of Object.keys(toRecord(toRecord(DOCUMENT["components"])["schemas"])))
    expect(() => validator(name)).not.toThrow();
});

// Shared by all tests, because it compiles each schema once.
const AJV = new Ajv2020({ strict: false, validateFormats: false });
AJV.addSchema(DOCUMENT, "api");

function validator(name: string) {
  const validate = AJV.getSchema(`api#/components/schemas/${name}`);
  if (validate === undefined) throw new Error(`There is no schema ${name}.`);
  return validate;
}

/** Operations that change nothing, because they only read or are rejected. */
const CHANGES_NOTHING = /^(\w+ (400|409|413)|(list|show|watch|describe|is|read)\w* 200)$/u;

/**
 * Servers shared by the cases of `COMMON` and by cases that change nothing, because these do not depend on each other.
 */
let common: OpenedServer;
let still: Scene;
const releases: (() => Promise<void>)[] = [];
beforeAll(async () => {
  const onFinished: OnFinished = (release) => releases.push(release);
  common = await openServer(stepEngine(), { tokens: TOKENS, rateLimit: UNLIMITED }, onFinished);
  still = await openScene(onFinished);
});
afterAll(async () => {
  for (const release of releases.reverse()) await release();
});

async function exercise({ name, line, status }: (typeof CASES)[number]): Promise<ApiResponse> {
  const exercise = EXERCISES[name];
  if (exercise !== undefined) {
    const scene = CHANGES_NOTHING.test(name) ? still : await openScene();
    return exercise(scene, (text, options = {}) => call(scene.server, text, { token: USER, ...options }));
  }
  const send = COMMON[status];
  if (send === undefined) throw new Error(`Nothing leads to ${name}.`);
  return send(line.replace("{run_id}", MISSING).replace("{path}", "a.txt"), common);
}

test.each(CASES)("$name responds as documented", async (documented) => {
  const { status, content } = documented;
  const answer = await exercise(documented);
  expect(answer.status).toBe(Number(status));
  const [mediaType, described] = Object.entries(content)[0] ?? [];
  if (mediaType === undefined) return expect(answer.body).toEqual({ text: "" });
  expect(answer.headers.get("content-type")).toContain(mediaType);
  if (mediaType === "application/json" && toRecord(toRecord(described)["schema"])["$ref"] === undefined)
    return expect(answer.body["openapi"]).toBe("3.1.0");
  const reference = String(toRecord(toRecord(described)["schema"])["$ref"] ?? "");
  if (reference === "") return expect(typeof answer.body["text"]).toBe("string");
  const validate = validator(reference.slice(reference.lastIndexOf("/") + 1));
  expect([validate(answer.body), validate.errors]).toEqual([true, null]);
});
