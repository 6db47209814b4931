import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openWorkspace } from "../../../test/open-workspace.ts";
import { type EngineRun, runEngine } from "../../../test/run-engine.ts";
import type { HttpTimeouts } from "../../index.ts";

/** Calls a service without a time limit for the call. */
async function call(port: number, timeouts: Partial<HttpTimeouts>): Promise<EngineRun> {
  await using workspace = await openWorkspace();
  const custom = { transport: "http", http: { url: `http://127.0.0.1:${port}/run` } };
  return await runEngine(custom, { environment: workspace.environment, timeouts });
}

/** Port of a service of this process. */
async function serve(answer: RequestListener): Promise<number> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return portOf(server.address());
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("It listens to no port.");
  return address.port;
}

/** Port of a stopped service: no connection is accepted, and its queue of waiting connections is full. */
async function serveNobody(): Promise<number> {
  const script = `const server = require("node:net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () =>
    console.log(server.address().port));`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = await once(child.stdout, "data");
  const port = Number(String(line));
  child.kill("SIGSTOP");
  for (let waiting = 0; waiting < 2; waiting += 1) {
    const socket = connect(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
  }
  return port;
}

test("a service that accepts no connection is not waited for", async () => {
  const { error } = await call(await serveNobody(), { connectTimeoutMs: 200 });
  expect(error?.code).toBe("transport.network");
  expect(error?.message).toMatch(/timeout/iu);
});

test("the wait for a service that never begins to answer is limited", async () => {
  const port = await serve(() => undefined);
  const { error } = await call(port, { headersTimeoutMs: 200 });
  expect(error?.code).toBe("transport.timeout");
  expect(error?.details["timeoutMs"]).toBe(200);
});

test("the wait for an answer that stops is limited, and the received part is kept", async () => {
  const port = await serve((_, response) => response.write('{ "exit_code": 0, "final_message": "All of it." }'));
  const { error, result } = await call(port, { idleTimeoutMs: 200 });
  expect(error?.code).toBe("transport.timeout");
  expect(error?.details["timeoutMs"]).toBe(200);
  expect(result?.final_message).toBe("All of it.");
});

test("a service that starts to respond late is awaited up to the time limit", async () => {
  const port = await serve((_, response) => {
    response.write('{ "exit_code": 0, ');
    setImmediate(() => response.end('"final_message": "Here it is." }'));
  });
  const { error, result } = await call(port, {
    connectTimeoutMs: 60_000,
    headersTimeoutMs: 60_000,
    idleTimeoutMs: 60_000,
  });
  expect(error).toBeUndefined();
  expect(result?.final_message).toBe("Here it is.");
});
