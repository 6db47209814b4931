// @ts-check
import { readdirSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { startModelServer, USAGE } from "./model-server.mjs";
import { openRealAgent } from "./open-real-agent.mjs";

/** @import { RealAgent } from "./open-real-agent.mjs" */
/** @import { ModelStep } from "./model-server.mjs" */

/**
 * Tokens that the model has reported.
 * @typedef {{ calls: number, input: number, output: number, cached: number }} ModelLedger
 */

/**
 * A real agent whose model calls are forwarded to a socket.
 * @typedef {object} Relayed
 * @property {string} socketPath Socket on which a test must listen. `MODEL_URL` leads there.
 * @property {string} modelUrl Address of the scripted model for the test. The agent cannot reach it.
 * @property {() => readonly string[]} keys API keys of the requests that the model has received.
 * @property {() => ModelLedger} ledger Tokens that the model has reported so far.
 * @property {(text: string) => Promise<string[]>} placesOf Places in which the agent could find a text: files below its
 * folders now, and variables and arguments of its processes at the time of each request.
 * @property {() => void} stopModel Closes the scripted model.
 */

/**
 * Returns the variables and arguments of the processes with a home folder.
 * @param {string} home
 * @returns {{ variables: string, arguments: string }[]}
 */
function processesOf(home) {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/u.test(pid)) return [];
    try {
      const variables = readFileSync(`/proc/${pid}/environ`, "utf8");
      if (!variables.split("\0").includes(`HOME=${home}`)) return [];
      return [{ variables, arguments: readFileSync(`/proc/${pid}/cmdline`, "utf8") }];
    } catch {
      return [];
    }
  });
}

/**
 * Like `openRealAgent`, with the scripted model in the process of the test, where only the test can reach it. The
 * agent's model calls to `MODEL_URL` are forwarded to a socket on which the test listens. Linux only.
 * @param {string} name
 * @param {object} setting
 * @param {Readonly<Record<string, readonly ModelStep[]>>} setting.script
 * @param {Readonly<Record<string, string>>} [setting.files] Texts by path below the home.
 * @returns {Promise<RealAgent & Relayed | string>}
 */
export async function openRelayedAgent(name, { script, files = {} }) {
  const agent = await openRealAgent(name, { files });
  if (typeof agent === "string") return agent;
  const folder = dirname(agent.home);
  /** @type {string[]} */
  const keys = [];
  /** @type {Map<string, { variables: string, arguments: string }>} */
  const seen = new Map();
  const model = await startModelServer({
    ...{ script, journal: join(folder, "requests.jsonl") },
    onRequest(key) {
      keys.push(key);
      for (const found of processesOf(agent.home)) seen.set(found.variables + found.arguments, found);
    },
  });
  let isStopped = false;
  const stopModel = () => {
    if (!isStopped) model.close();
    isStopped = true;
  };
  return {
    ...agent,
    ...{ socketPath: join(folder, "model.sock"), modelUrl: model.url, keys: () => keys, stopModel },
    ledger() {
      const total = { calls: 0, input: 0, output: 0, cached: 0 };
      for (const { step } of agent.requests()) {
        total.calls += 1;
        if (step.error !== undefined) continue;
        const { input, output, cached = 0 } = { cached: 0, ...(step.usage ?? USAGE) };
        total.input += input;
        total.output += output;
        total.cached += cached;
      }
      return total;
    },
    async placesOf(text) {
      const found = new Set(
        [...seen.values()].flatMap((process) => [
          ...(process.variables.includes(text) ? ["variables"] : []),
          ...(process.arguments.includes(text) ? ["arguments"] : []),
        ]),
      );
      for (const place of ["home", "workspace", "tmp"]) {
        for (const entry of await readdir(join(folder, place), { recursive: true, withFileTypes: true })) {
          if (!entry.isFile()) continue;
          const path = join(entry.parentPath, entry.name);
          if ((await readFile(path)).includes(text)) found.add(path.slice(folder.length + 1));
        }
      }
      return [...found].sort();
    },
    async dispose() {
      stopModel();
      await agent.dispose();
    },
  };
}
