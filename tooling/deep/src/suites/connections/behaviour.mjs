// @ts-check
import { createHash } from "node:crypto";

/**
 * Behaviour of one connection of the attack: it sends its chunks, `paceMs` apart, and reads nothing or everything.
 * @typedef {object} Behaviour
 * @property {string} kind
 * @property {string} address Address that it comes from.
 * @property {readonly string[]} pieces
 * @property {number} paceMs
 * @property {boolean} reads
 * @property {boolean} halfCloses Whether it closes its side after the last piece.
 */

const HOST = "Host: 127.0.0.1\r\n";
const TLS_HELLO = "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03";

/**
 * Data sent by each kind. `token` is unknown to the server.
 * @type {Readonly<Record<string, (token: string) => { pieces: readonly string[], reads?: boolean, halfCloses?: boolean }>>}
 */
const KINDS = {
  silent: () => ({ pieces: [] }),
  "half a request line": () => ({ pieces: ["GET /v1/ru"] }),
  "headers one byte at a time": () => ({ pieces: [..."GET /v1/runs HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: yes"] }),
  "a wrong token": (token) => ({ pieces: [`GET /v1/runs HTTP/1.1\r\n${HOST}Authorization: Bearer ${token}\r\n\r\n`] }),
  "no token, and a body one byte at a time": () => ({
    pieces: [`POST /v1/run HTTP/1.1\r\n${HOST}Content-Length: 9000000000\r\n\r\n`, ..."{{{{{{{{"],
  }),
  "a body that is asked for first": () => ({
    pieces: [`POST /v1/run HTTP/1.1\r\n${HOST}Content-Length: 9\r\nExpect: 100-continue\r\n\r\n`],
    reads: true,
  }),
  "a probe, then silence": () => ({ pieces: [`GET /livez HTTP/1.1\r\n${HOST}\r\n`], reads: true }),
  "pages that are not read": () => ({ pieces: [`GET / HTTP/1.1\r\n${HOST}\r\n`.repeat(20)] }),
  "a TLS hello": () => ({ pieces: [TLS_HELLO], reads: true }),
  "a WebSocket": () => ({
    pieces: [`GET /v1/runs HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`],
  }),
  "two kinds of length": () => ({
    pieces: [`POST /v1/run HTTP/1.1\r\n${HOST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  }),
  "large headers": () => ({ pieces: [`GET /v1/runs HTTP/1.1\r\n${HOST}X-Large: ${"x".repeat(12_000)}`] }),
  "a half-closed connection": () => ({ pieces: ["GET /v1/runs HTTP/1.1\r\n"], halfCloses: true }),
};

/** Names of the kinds. */
export const KIND_NAMES = Object.keys(KINDS);

/**
 * Returns the behaviour of a case.
 * @param {number} seed
 * @param {number} index
 * @returns {Behaviour}
 */
export function behaviourOf(seed, index) {
  const bytes = createHash("sha256").update(`${seed} ${index}`).digest();
  const kind = KIND_NAMES[bytes.readUInt32BE(0) % KIND_NAMES.length] ?? "silent";
  // A quarter comes from the caller's address, the others from 200 more.
  const host = bytes.readUInt32BE(4) % 4 === 0 ? 1 : 2 + (bytes.readUInt32BE(8) % 200);
  const { pieces, reads = false, halfCloses = false } = KINDS[kind]?.(bytes.toString("hex")) ?? { pieces: [] };
  return { kind, address: `127.0.0.${host}`, pieces, paceMs: 200 + (bytes.readUInt32BE(12) % 800), reads, halfCloses };
}
