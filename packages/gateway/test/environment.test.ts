import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { openEnvironment } from "@switchyard/environment";
import { sandboxReadiness } from "@switchyard/environment/local";
import { expect, onTestFinished, test } from "vitest";
import type { GatewayRun } from "../src/index.ts";
import { anthropicAt, messagesBody, openGateway } from "./open-gateway.ts";
import { MESSAGE, openProvider, sendJson } from "./open-provider.ts";
import { sendBytes } from "./send-bytes.ts";

const readiness = await sandboxReadiness({ ...process.env });

const NO_SANDBOX = "a sandbox cannot be created here";

/** Environments of this machine. */
const TYPES = ["local", "sandbox", "relayed"] as const;

/** Opens an environment with an empty workspace. Both are removed when the test ends. */
async function openPlace(type: "local" | "sandbox" | "relayed"): Promise<ExecutionEnvironment> {
  const root = mkdtempSync(join(realpathSync(tmpdir()), "gateway-place-"));
  const env = { PATH: process.env["PATH"], HOME: root };
  const environment = await openEnvironment({ type: type === "sandbox" ? type : "local", root, env });
  onTestFinished(async () => {
    await environment[Symbol.asyncDispose]();
    rmSync(root, { recursive: true, force: true });
  });
  return type === "relayed" ? withoutSockets(environment) : environment;
}

/** An environment that reaches this machine only through a relay that runs as a command, such as a pod. */
function withoutSockets(environment: ExecutionEnvironment): ExecutionEnvironment {
  return new Proxy(environment, {
    get(target, name) {
      if (name === "sharesLoopback" || name === "exposeSocket") return undefined;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

/** Sends a request of an engine with curl, from within an environment. */
async function call(
  environment: ExecutionEnvironment,
  { baseUrl, token }: Pick<GatewayRun, "baseUrl" | "token">,
  { body = messagesBody(), onOutput }: { body?: object; onOutput?: (text: string) => void } = {},
): Promise<string> {
  const script =
    'curl -sSN -m 60 -H "x-api-key: $TOKEN" -w " %{http_code}" --data-binary @- "$URL/v1/messages"; echo " $?"';
  const { stdout } = await environment.shell(script, {
    env: { set: { TOKEN: token.reveal(), URL: baseUrl } },
    stdin: JSON.stringify(body),
    ...(onOutput === undefined ? {} : { onOutput: ({ text }) => onOutput(text) }),
  });
  return stdout.trim();
}

const event = (data: object): string => `event: x\ndata: ${JSON.stringify(data)}\n\n`;
const STARTED = event({ type: "message_start", message: { ...MESSAGE, content: [] } });
const ENDED = event({ type: "message_stop" });

for (const type of TYPES) {
  test(`${type}: a response arrives as it is sent, and the address ends with the run`, async ({ skip }) => {
    skip(type === "sandbox" && !readiness.ok, NO_SANDBOX);
    const environment = await openPlace(type);
    let streamed: ServerResponse | undefined;
    const provider = await openProvider((response, { body }) => {
      if (!body.includes('"stream":true')) return sendJson(response, MESSAGE);
      streamed = response.writeHead(200, { "content-type": "text/event-stream" });
      streamed.write(STARTED);
    });
    const { run, events } = await openGateway({ upstreams: anthropicAt(provider.url) }, { environment });
    let output = "";
    const response = await call(environment, run, {
      body: messagesBody({ stream: true }),
      onOutput(text) {
        output += text;
        // The provider sends the rest only when the engine has received the beginning.
        if (output === STARTED) streamed?.end(ENDED);
      },
    });
    expect(response).toBe(`${STARTED}${ENDED} 200 0`);
    expect(events).toMatchObject([{ type: "model_call_ended", status: 200, usage: { inputTokens: 10 } }]);
    const body = messagesBody({ messages: [{ role: "user", content: "x".repeat(5_000_000) }] });
    expect(await call(environment, run, { body })).toBe(`${JSON.stringify(MESSAGE)} 200 0`);
    expect(provider.requests.at(-1)?.body).toBe(JSON.stringify(body));
    await run.close();
    expect(await call(environment, run)).toBe("000 7");
  });
}

for (const type of ["local", "relayed"] as const) {
  test(`${type}: requests that do not arrive in time, and too many connections, are refused`, async () => {
    const environment = await openPlace(type);
    const provider = await openProvider((response) => sendJson(response, MESSAGE));
    const limits = { requestTimeoutMs: 200, maxConcurrentCalls: 1 };
    const upstreams = anthropicAt(provider.url);
    const { gateway, run, events } = await openGateway({ upstreams, limits }, { environment });
    const body = JSON.stringify(messagesBody());
    const head = `POST /v1/messages HTTP/1.1\r\nhost: g\r\nx-api-key: ${run.token.reveal()}\r\nconnection: close\r\n`;
    const complete = `${head}content-length: ${body.length}\r\n\r\n${body}`;
    // The clients never close their side of the connection.
    for (const bytes of [head, complete.slice(0, -1)]) {
      const client = connect({ port: Number(new URL(run.baseUrl).port), allowHalfOpen: true });
      onTestFinished(() => void client.destroy());
      let received = "";
      client.on("data", (chunk) => {
        received += chunk.toString();
      });
      client.on("error", () => undefined).write(bytes);
      await new Promise((resolve) => client.once("end", resolve));
      expect(received.slice(0, 12)).toBe("HTTP/1.1 408");
    }
    expect(events[0]).toMatchObject({ error: "gateway.request_refused", problem: expect.stringContaining("in time") });
    await expect.poll(async () => (await sendBytes(run.baseUrl, complete)).slice(0, 12)).toBe("HTTP/1.1 200");
    expect(provider.requests).toHaveLength(1);
    await gateway.close();

    const narrow = await openGateway({ upstreams, limits: { maxConnections: 1 } }, { environment });
    const pending = sendBytes(narrow.run.baseUrl, head);
    expect(await sendBytes(narrow.run.baseUrl, complete)).toBe("");
    await narrow.gateway.close();
    expect(await pending).toBe("");
  });
}

test("a sandbox does not reach the address of a run in another sandbox", async ({ skip }) => {
  skip(!readiness.ok, NO_SANDBOX);
  const [mine, other] = [await openPlace("sandbox"), await openPlace("sandbox")];
  const provider = await openProvider((response) => sendJson(response, MESSAGE));
  const { gateway, run } = await openGateway({ upstreams: anthropicAt(provider.url) }, { environment: mine });
  expect(await call(other, run)).toBe("000 7");
  const direct = `curl -sS --unix-socket "${run.socketPath}" http://localhost/v1/models; echo $?`;
  expect((await other.shell(direct)).stdout.trim()).toBe("7");
  // Both environments have the same address, but each reaches only the server of its own run.
  const second = await gateway.openRun({ runId: "run-2", environment: other });
  expect(second.baseUrl).toBe(run.baseUrl);
  expect(await call(other, second)).toMatch(/ 200 0$/);
  expect(await call(other, { baseUrl: second.baseUrl, token: run.token })).toMatch(/ 401 0$/);
});

test("an engine in a sandbox that never reads is disconnected, and little is sent to it", async ({ skip }) => {
  skip(!readiness.ok, NO_SANDBOX);
  const environment = await openPlace("sandbox");
  let sent = 0;
  const provider = await openProvider((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const chunk = event({ type: "content_block_delta", delta: { type: "text_delta", text: "x".repeat(60_000) } });
    const write = (): void => {
      while (!response.destroyed && sent < 100_000_000) {
        sent += chunk.length;
        if (!response.write(chunk)) return;
      }
    };
    response.on("drain", write);
    write();
  });
  const ended = new AbortController();
  const { run } = await openGateway(
    {
      upstreams: anthropicAt(provider.url),
      limits: { clientTimeoutMs: 200, maxResponseBytes: 200_000_000 },
      onEvent: ({ type }) => type === "model_call_ended" && ended.abort(),
    },
    { environment },
  );
  const { port } = new URL(run.baseUrl);
  const body = JSON.stringify(messagesBody({ stream: true }));
  const head = `POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\nx-api-key: ${run.token.reveal()}\r\n\r\n`;
  const result = await environment.shell(`exec 3<>/dev/tcp/127.0.0.1/${port}; cat >&3; sleep 60`, {
    stdin: `${head}${body}`,
    signal: ended.signal,
  });
  expect(result.aborted).toBe(true);
  expect(sent).toBeLessThan(40_000_000);
});

test("an environment whose processes cannot reach this machine is refused", async () => {
  const environment = await openEnvironment({ type: "memory" });
  onTestFinished(() => environment[Symbol.asyncDispose]());
  const opening = openGateway({ upstreams: anthropicAt("http://127.0.0.1:1") }, { environment });
  await expect(opening).rejects.toMatchObject({ code: "environment.unavailable" });
});
