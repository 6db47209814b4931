import { createHmac } from "node:crypto";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { secret } from "@switchyard/secrets";
import { expect, onTestFinished, test } from "vitest";
import { call, create, toRecord, untilStatus } from "./call-api.ts";
import { describeWithBroker, useClusters } from "./open-cluster.ts";
import { ASK, openServer } from "./open-server.ts";
import { stepEngine } from "./step-engine.ts";

const KEY = "what-signs-the-calls-0123456789";

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Starts a receiver that responds to calls with these statuses. The last one is repeated. */
async function openReceiver(...statuses: number[]): Promise<{ readonly url: string; readonly received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => {
      body += String(piece);
    });
    request.on("end", () => {
      received.push({ headers: request.headers, body });
      const status = statuses[Math.min(received.length, statuses.length) - 1] ?? 200;
      response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {}).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/hook`, received };
}

const WEBHOOKS = { secret: secret(KEY), allowPrivate: true, pausesMs: [1, 1] };

test("a webhook reaches a host by its name", async () => {
  const { url, received } = await openReceiver(204);
  const server = await openServer(stepEngine(), { webhooks: WEBHOOKS });
  await create(server, { body: { input: ASK, webhook_url: url.replace("127.0.0.1", "localhost") } });
  await expect.poll(() => received.length).toBe(1);
});

test("the end of a run is signed and retried with the same id until it is delivered", async () => {
  const { url, received } = await openReceiver(500, 302, 204);
  const server = await openServer(stepEngine(), { webhooks: WEBHOOKS });
  const runId = await create(server, { body: { input: ASK, webhook_url: url } });
  await expect.poll(() => received.length).toBe(3);
  for (const { headers, body } of received) {
    const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signature } = headers;
    expect(id).toBe(`${runId}.1`);
    expect(signature).toBe(`v1,${createHmac("sha256", KEY).update(`${id}.${time}.${body}`).digest("base64")}`);
    expect(toRecord(JSON.parse(body))).toMatchObject({
      type: "run.ended",
      run: { run_id: runId, status: "completed" },
    });
    expect(body).not.toContain(server.state);
  }
  await expect.poll(async () => readdir(join(server.state, "webhooks"))).toEqual([]);
  const { body } = await call(server, "GET /metrics");
  expect(body["text"]).toMatch(/^switchyard_webhooks_total\{outcome="delivered"\} 1$/mu);
  expect(body["text"]).toMatch(/^switchyard_webhooks_total\{outcome="retried"\} 2$/mu);
});

test("an unreachable receiver is given up, and undelivered webhooks are sent by the next server", async () => {
  const deaf = await openReceiver(500);
  const server = await openServer(stepEngine(), { webhooks: WEBHOOKS });
  await create(server, { body: { input: ASK, webhook_url: deaf.url } });
  await expect.poll(() => deaf.received.length).toBe(3);
  await expect.poll(async () => readdir(join(server.state, "webhooks"))).toEqual([]);

  const late = await openReceiver(500, 200);
  const slow = await openServer(stepEngine(), { webhooks: { ...WEBHOOKS, pausesMs: [3_600_000] } });
  const runId = await create(slow, { body: { input: ASK, webhook_url: late.url } });
  await expect.poll(() => late.received.length).toBe(1);
  await slow.drain();
  expect(await readdir(join(slow.state, "webhooks"))).toEqual([runId]);
  await openServer(stepEngine(), { webhooks: WEBHOOKS, stateDirectory: slow.state });
  await expect.poll(() => late.received.length).toBe(2);
  expect(late.received[1]?.headers["webhook-id"]).toBe(`${runId}.1`);
});

test("loopback and private addresses are not called unless allowed", async () => {
  const { url, received } = await openReceiver(200);
  const server = await openServer(stepEngine(), { webhooks: { secret: secret(KEY), pausesMs: [] } });
  const { port } = new URL(url);
  const refused = [
    url,
    `https://127.0.0.1:${port}/`,
    `https://[::1]:${port}/`,
    `https://2130706433:${port}/`,
    "https://169.254.169.254/latest/meta-data",
    "https://10.0.0.1/",
    "https://user:pass@example.org/",
    "file:///etc/passwd",
    "nowhere",
  ];
  for (const webhook_url of refused) {
    const answer = await call(server, "POST /v1/runs", { body: { input: ASK, webhook_url } });
    expect([webhook_url, answer.status, answer.body["code"]]).toEqual([webhook_url, 400, "server.bad_body"]);
  }
  // A host name is checked when the webhook is called, in the lookup that the connection uses.
  const runId = await create(server, { body: { input: ASK, webhook_url: `https://localhost:${port}/` } });
  await untilStatus(server, runId, { status: "completed" });
  await expect.poll(async () => readdir(join(server.state, "webhooks"))).toEqual([]);
  const { body } = await call(server, "GET /metrics");
  expect(body["text"]).toMatch(/^switchyard_webhooks_total\{outcome="given_up"\} 1$/mu);
  expect(received).toEqual([]);
});

describeWithBroker("webhooks of runs that workers execute", () => {
  const createCluster = useClusters();

  test("are called by the next server process if the run ends after a restart", async () => {
    const cluster = createCluster();
    const { url, received } = await openReceiver(200);
    const body = { input: ASK, webhook_url: url };
    const first = await cluster.addServer({ webhooks: WEBHOOKS });
    const ended = await create(first, { body });
    expect((await call(first, `POST /v1/runs/${await create(first, { body })}/interrupt`, { body: {} })).status).toBe(
      202,
    );
    await expect.poll(() => received.length).toBe(1);
    await first.drain();
    const second = await cluster.addServer({ webhooks: WEBHOOKS, stateDirectory: first.state });
    await cluster.addWorker(stepEngine());
    await expect.poll(() => received.length).toBe(2);
    expect(received[1]?.headers["webhook-id"]).toBe(`${ended}.1`);
    await expect.poll(async () => readdir(join(second.state, "webhooks"))).toEqual([]);
  });
});
