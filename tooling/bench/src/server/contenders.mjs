// @ts-check
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { SESSION_RESULT } from "@switchyard/contracts";
import { createEnvelope, defineEngine } from "@switchyard/engine";
import { startServer } from "@switchyard/server";
import { Hono } from "hono";
import { streamSSE } from "hono/streaming";

/**
 * An event server.
 * @typedef {object} EventServer
 * @property {number} port
 * @property {string} path
 * @property {(text: string) => void | Promise<void>} publish
 * @property {() => number} waitingBytes most that waited for one client by now
 * @property {() => unknown} end
 */

const marks = { runId: "bench", attempt: 1, now: Date.now, createId: () => crypto.randomUUID() };

/** @param {string} text */
function envelopeOf(text) {
  return createEnvelope("assistant_text_delta", { type: "token", content: text }, marks);
}

/** @param {Iterable<import("node:net").Socket>} sockets */
function mostWaiting(sockets) {
  return Math.max(0, ...[...sockets].map(({ writableLength }) => writableLength));
}

/**
 * Opens our server with a run whose engine publishes. The cost of the run is part of the figure.
 * @param {string} folder
 * @returns {Promise<EventServer>}
 */
async function openOurs(folder) {
  /** @type {(event: ReturnType<typeof envelopeOf>) => Promise<void>} */
  let publish = async () => undefined;
  /** @type {() => void} */
  let finish = () => undefined;
  /** @type {Promise<void>} */
  const begun = new Promise((resolve) => {
    begin = resolve;
  });
  const engine = defineEngine(
    async (_, host, board) => {
      publish = (event) => host.publish(event);
      /** @type {Promise<void>} */
      const finished = new Promise((resolve) => {
        finish = resolve;
      });
      begin();
      await finished;
      board.set(SESSION_RESULT, { exit_code: 0, final_message: "" });
    },
    { name: "bench" },
  );
  const server = await startServer({
    session: { engine, engineName: "bench" },
    stateDirectory: join(folder, "state"),
    openEnvironment: (root) => ({ type: "local", root, env: {}, spawnHelper: "never", ripgrep: false }),
    streams: { maxPerOwner: 10_000 },
    maxConnections: 10_000,
  });
  const body = JSON.stringify({ input: { messages: [{ role: "user", content: "Talk." }] } });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${server.url}/v1/runs`, { method: "POST", body, headers });
  const { run_id: runId } = JSON.parse(await answer.text());
  await begun;
  let most = 0;
  const seen = setInterval(() => {
    most = Math.max(most, mostWaiting(openSockets()));
  }, 50);
  return {
    port: server.port,
    path: `/v1/runs/${runId}/events`,
    publish: (text) => publish({ ...envelopeOf(text), subject: `engine.run.${runId}.stream` }),
    waitingBytes: () => most,
    end: () => {
      clearInterval(seen);
      finish();
    },
  };
}

/** @type {() => void} */
let begin = () => undefined;

/** Returns the sockets of this process, which are all connected to clients. */
function openSockets() {
  /** @type {import("node:net").Socket[]} */
  // @ts-expect-error This field is not documented, but nothing else contains the number.
  const handles = process._getActiveHandles();
  return handles.filter((handle) => handle.constructor.name === "Socket" && handle.remotePort !== undefined);
}

/** Opens a naive `node:http` server. @returns {Promise<EventServer>} */
async function openResponseWrite() {
  /** @type {Set<import("node:http").ServerResponse>} */
  const responses = new Set();
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.write(": hello\n\n");
    responses.add(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    path: "/",
    publish: (text) => {
      const frame = `data: ${JSON.stringify(envelopeOf(text))}\n\n`;
      for (const response of responses) response.write(frame);
    },
    waitingBytes: () => 0,
    end: () => {
      for (const response of responses) response.end();
      server.close();
      server.closeIdleConnections();
    },
  };
}

/** Opens a server with hono's own helper. @returns {Promise<EventServer>} */
async function openHonoStream() {
  /** @type {Set<import("hono/streaming").SSEStreamingApi>} */
  const streams = new Set();
  /** @type {() => void} */
  let finish = () => undefined;
  /** @type {Promise<void>} */
  const finished = new Promise((resolve) => {
    finish = resolve;
  });
  const app = new Hono();
  app.get("/", (context) =>
    streamSSE(context, async (stream) => {
      await stream.write(": hello\n\n");
      streams.add(stream);
      await finished;
    }),
  );
  const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    path: "/",
    publish: async (text) => {
      const data = JSON.stringify(envelopeOf(text));
      await Promise.all([...streams].map((stream) => stream.writeSSE({ data })));
    },
    waitingBytes: () => 0,
    end: () => {
      finish();
      server.close();
    },
  };
}

/** @type {Readonly<Record<string, (folder: string) => Promise<EventServer>>>} */
export const contenders = { ours: openOurs, "response-write": openResponseWrite, "hono-stream": openHonoStream };
