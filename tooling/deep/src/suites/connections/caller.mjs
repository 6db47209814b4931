// @ts-check
import { get } from "node:http";

/** Longest time for an answer, in milliseconds; later is as good as never. */
const PATIENCE_MS = 30_000;

/**
 * What came of a request.
 * @typedef {object} Answer
 * @property {number} status 0 where there was none.
 * @property {number} ms
 * @property {string} body
 */

/** A caller with a token; each request has a connection of its own, as that of a new caller would. */
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
   * Asks again and again.
   * @param {number} count
   * @returns {Promise<Answer[]>}
   */
  async askOften(count) {
    const answers = [];
    for (let number = 0; number < count; number++) answers.push(await this.ask());
    return answers;
  }

  /**
   * Number of connections of a kind that the server holds; not a number if the caller was not answered.
   * @param {string} kind
   * @returns {Promise<number>}
   */
  async connections(kind) {
    const { body } = await this.ask("/metrics");
    const line = body.split("\n").find((text) => text.startsWith(`switchyard_connections{kind="${kind}"} `));
    return Number(line?.split(" ").at(-1) ?? Number.NaN);
  }
}
