// @ts-check
// Calls an engine and its bare counterpart in turns, and prints the own CPU of each round in ms per call, as JSON.
import { spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEPENDENCY, SESSION_INPUT, SESSION_RESULT } from "@switchyard/contracts";
import { createCustomEngine, loadEngineConfig } from "@switchyard/custom-engine";
import { createBoard, createDependencies, noopHost } from "@switchyard/engine";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { request } from "undici";
import { takeTurns } from "../figure/take-turns.mjs";

const CALLS = 20;
const ROUNDS = 15;
const ANSWER = '{"exit_code":0,"final_message":"done"}';
const SERVER = `require("node:http").createServer((request, response) => {
  request.resume();
  request.on("end", () => response.setHeader("content-type", "application/json").end('${ANSWER}'));
}).listen(0, "127.0.0.1", function () { console.log(this.address().port); });`;

const [, , transport = "local"] = process.argv;
const root = realpathSync(mkdtempSync(join(tmpdir(), "bench-custom-engine-")));
process.once("exit", () => rmSync(root, { recursive: true, force: true }));
const environment = await openLocalEnvironment({ root, env: process.env });

/** @returns {Promise<{ config: unknown, bare: () => Promise<unknown> }>} */
async function contenderOf() {
  if (transport === "local") {
    const argv = ["-c", `printf '%s' '${ANSWER}'`];
    const bare = () =>
      new Promise((done) => {
        const child = spawn("sh", argv, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
        let text = "";
        child.stdout.on("data", (chunk) => {
          text += chunk;
        });
        child.stderr.resume();
        child.once("close", () => done(JSON.parse(text)));
      });
    return { config: { transport, local: { command: "sh", args: argv } }, bare };
  }
  const server = spawn(process.execPath, ["-e", SERVER], { stdio: ["ignore", "pipe", "inherit"] });
  process.once("exit", () => server.kill());
  const port = await new Promise((resolve) => server.stdout.once("data", (chunk) => resolve(String(chunk).trim())));
  const url = `http://127.0.0.1:${port}/run`;
  const body = JSON.stringify({ workspace: root, messages: [{ role: "user", content: "go" }] });
  const headers = { "content-type": "application/json" };
  const bare = async () => (await request(url, { method: "POST", headers, body })).body.json();
  return { config: { transport, http: { url } }, bare };
}

const { config, bare } = await contenderOf();
const { custom } = loadEngineConfig({ name: "bench", custom: config }, { env: {} });
if (custom === undefined) throw new Error("There is no engine.");
const engine = createCustomEngine(custom);
const deps = createDependencies();
deps.set(DEPENDENCY.environment, environment);
const { signal } = new AbortController();

async function call() {
  const board = createBoard();
  board.set(SESSION_INPUT, { messages: [{ role: "user", content: "go" }] });
  await engine.execute({ id: "run", attributes: {}, deps, signal }, noopHost(), board);
  if (board.get(SESSION_RESULT)?.final_message !== "done") throw new Error("There is no result.");
}

/** @param {() => Promise<unknown>} once */
const contender = (once) => ({
  count: CALLS,
  run: async (/** @type {number} */ count) => {
    for (let made = 0; made < count; made += 1) await once();
  },
});

const costs = await takeTurns({ engine: contender(call), plain: contender(bare) }, ROUNDS);
const cpu = (/** @type {string} */ name) => costs(name).map((cost) => cost.cpu / 1000);
console.log(JSON.stringify({ engine: cpu("engine"), plain: cpu("plain") }));
await environment[Symbol.asyncDispose]();
process.exit();
