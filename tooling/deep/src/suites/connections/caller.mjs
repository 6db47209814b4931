// @ts-check
import { get } from "node:http";

/** Time limit for a response, in milliseconds. */
const PATIENCE_MS = 30_000;

/**
 * Outcome of a request.
 * @typedef {object} Answer
 * @property {number} status 0 where there was none.
 * @property {number} ms
 * @property {string} body
 */

/** A caller with a token. Each request uses a new connection, like that of a new caller. */
export class Caller {
  /**
   * @param {number} port
   * @param {string} token
   */
  constructor(port, token) {
    this.port = port;
    this.headers = { authorization: `Bearer ${token}` };
  }

  /**
   * @param {string} [path]
   * @returns {Promise<Answer>}
   */
  ask(path = "/v1/runs") {
    const startedAt = performance.now();
    const { port, headers } = this;
    return new Promise((resolve) => {
      let body = "";
      const done = (/** @type {number} */ status) => resolve({ status, ms: performance.now() - startedAt, body });
      const request = get(
        { host: "127.0.0.1", port, path, headers, agent: false, timeout: PATIENCE_MS },
        (response) => {
          response.on("data", (chunk) => {
            body += chunk;
          });
          response.on("end", () => done(response.statusCode ?? 0));
          response.on("error", () => done(0));
        },
      );
      request.on("timeout", () => request.destroy(new Error("There was no answer in time.")));
      request.on("error", () => done(0));
    });
  }

  /**
   * Sends several requests in sequence.
   * @param {number} count
   * @returns {Promise<Answer[]>}
   */
  async askOften(count) {
    const answers = [];
    for (let number = 0; number < count; number++) answers.push(await this.ask());
    return answers;
  }

  /**
   * Returns the server's number of connections of a kind. NaN if there was no response.
   * @param {string} kind
   * @returns {Promise<number>}
   */
  async connections(kind) {
    const { body } = await this.ask("/metrics");
    const line = body.split("\n").find((text) => text.startsWith(`switchyard_connections{kind="${kind}"} `));
    return Number(line?.split(" ").at(-1) ?? Number.NaN);
  }
}
