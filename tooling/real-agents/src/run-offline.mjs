// @ts-check
// Runs a real agent's command without a network: node run-offline.mjs FOLDER command arguments… The command gets an
// isolated network that has only loopback, with a model server at http://127.0.0.1:4010 that responds as
// FOLDER/script.json says and writes the requests to FOLDER/requests.jsonl. Without FOLDER/script.json, connections to
// http://127.0.0.1:4010 are forwarded to the socket FOLDER/model.sock, which a test listens on. Processes that the
// command starts are ended with it. Needs bubblewrap.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { constants } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startModelServer } from "./model-server.mjs";

const PORT = 4010;
const INSIDE = "--inside";
const SIGNALS = /** @type {const} */ (["SIGTERM", "SIGINT", "SIGHUP"]);

/**
 * Runs a command with our standard streams, and exits like it.
 * @param {string} program
 * @param {readonly string[]} args
 */
async function become(program, args) {
  const child = spawn(program, args, { stdio: "inherit" });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  const [code, signal] = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (...ended) => resolve(ended));
  });
  process.exit(signal === null ? code : 128 + constants.signals[/** @type {NodeJS.Signals} */ (signal)]);
}

/**
 * Forwards connections to a socket.
 * @param {string} path
 * @returns {Promise<void>}
 */
async function startRelay(path) {
  const server = createServer((client) => {
    const upstream = connect(path);
    client.on("error", () => upstream.destroy());
    upstream.on("error", () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  await new Promise((resolve) => server.listen(PORT, "127.0.0.1", () => resolve(undefined)));
}

const [, , first = "", ...rest] = process.argv;
if (first === INSIDE) {
  const [folder = "", program = "", ...args] = rest;
  const file = join(folder, "script.json");
  if (existsSync(file)) {
    const script = JSON.parse(readFileSync(file, "utf8"));
    await startModelServer({ script, port: PORT, journal: join(folder, "requests.jsonl") });
  } else await startRelay(join(folder, "model.sock"));
  await become(program, args);
} else {
  // Root keeps its capabilities, because agents create sandboxes inside.
  const isolation = ["--dev-bind", "/", "/", "--proc", "/proc", "--unshare-net", "--unshare-pid", "--die-with-parent"];
  const inside = [process.execPath, fileURLToPath(import.meta.url), INSIDE, first, ...rest];
  await become("bwrap", [...isolation, "--cap-add", "ALL", "--", ...inside]);
}
