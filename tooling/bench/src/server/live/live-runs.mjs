// @ts-check
import { once } from "node:events";
import { connect } from "node:net";

/** Maximum number of runs that are started at the same time. */
const STARTS_AT_ONCE = 20;
/** Text that precedes the time in a tool's result. */
const MARK = "@at:";
/** Length of the end of an event stream that contains the outcome of the run, in characters. */
const TAIL_CHARS = 4_000;

/** @param {string} block @returns {number | undefined} time at which the tool was executed */
function timeIn(block) {
  const at = block.includes("tool_call_end") ? block.indexOf(MARK) : -1;
  if (at < 0) return undefined;
  const from = at + MARK.length;
  return Number(block.slice(from, block.indexOf("@", from)));
}

/** Starts runs on a server, and watches the events of each until its end. */
export class LiveRuns {
  /** @param {{ url: string, port: number }} server */
  constructor(server) {
    this.server = server;
  }

  /** Times between the execution of a tool and the arrival of its event, in milliseconds. @type {number[]} */
  latencies = [];
  /** Number of runs that were started and have not ended. */
  live = 0;
  /** Number of ended runs. */
  ended = 0;
  /** Number of ended runs whose last events do not say that they completed. */
  failed = 0;
  /** @type {(() => void)[]} */
  #waiting = [];

  /** Starts runs until so many are live. @param {number} count */
  async fill(count) {
    while (this.live < count) {
      const starts = Math.min(STARTS_AT_ONCE, count - this.live);
      await Promise.all(Array.from({ length: starts }, () => this.#start()));
    }
  }

  /** Resolves when at most so many runs are live. @param {number} count */
  async emptyTo(count) {
    while (this.live > count) {
      /** @type {Promise<void>} */
      const next = new Promise((resolve) => this.#waiting.push(resolve));
      await next;
    }
  }

  async #start() {
    this.live += 1;
    const body = JSON.stringify({ input: { messages: [{ role: "user", content: "Look around." }] } });
    const headers = { "content-type": "application/json" };
    const created = await fetch(`${this.server.url}/v1/runs`, { method: "POST", body, headers });
    const { run_id: runId } = JSON.parse(await created.text());
    const socket = connect(this.server.port, "127.0.0.1");
    await once(socket, "connect");
    socket.write(`GET /v1/runs/${runId}/events HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`);
    let rest = "";
    let tail = "";
    socket.on("data", (piece) => {
      const text = piece.toString("latin1");
      const nowMs = performance.timeOrigin + performance.now();
      const blocks = (rest + text).split("\n\n");
      rest = blocks.pop() ?? "";
      tail = (tail + text).slice(-TAIL_CHARS);
      for (const block of blocks) {
        const atMs = timeIn(block);
        if (atMs !== undefined) this.latencies.push(nowMs - atMs);
      }
    });
    socket.once("error", () => undefined);
    socket.once("close", () => this.#end(tail));
  }

  /** @param {string} tail */
  #end(tail) {
    this.live -= 1;
    this.ended += 1;
    if (!tail.includes('"status":"completed"')) this.failed += 1;
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
