// @ts-check
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { agentPackages, folderOf } from "./real-agents.mjs";

/** @import { ModelRequest, ModelStep } from "./model-server.mjs" */

/** Address of the model for the agent. Each process has an isolated network. */
export const MODEL_URL = "http://127.0.0.1:4010";

const RUNNER = fileURLToPath(new URL("./run-offline.mjs", import.meta.url));

/**
 * A request received by the model, and its response.
 * @typedef {ModelRequest & { path: string, step: ModelStep }} SeenRequest
 */

/**
 * A real agent's command, ready to run.
 * @typedef {object} RealAgent
 * @property {readonly string[]} command Starts it without a network, with the scripted model.
 * @property {string} workspace Empty folder to work in.
 * @property {string} home
 * @property {Readonly<Record<string, string>>} env Its own home and folder for temporary files.
 * @property {() => SeenRequest[]} requests Requests that the model has received so far.
 * @property {() => Promise<void>} dispose
 */

/**
 * Returns why the command cannot run here. `undefined` if it can.
 * @param {string} name
 * @returns {string | undefined}
 */
function problemOf(name) {
  const wanted = agentPackages()[name];
  if (wanted === undefined) return `there is no agent ${name} in tooling/real-agents/src/agents.json`;
  const manifest = join(folderOf(name), "node_modules", wanted.package, "package.json");
  const hint = `node tooling/real-agents/src/install-agents.mjs ${name}`;
  if (!existsSync(manifest)) return `${wanted.package} is not installed: ${hint}`;
  const { version } = JSON.parse(readFileSync(manifest, "utf8"));
  if (version !== wanted.version) return `${wanted.package} is ${version} in place of ${wanted.version}: ${hint}`;
  try {
    execFileSync("bwrap", ["--dev-bind", "/", "/", "--unshare-net", "--unshare-pid", "true"], { stdio: "ignore" });
    return undefined;
  } catch {
    return "bubblewrap cannot create a network namespace";
  }
}

/**
 * Prepares a real agent's command: a home with the given files, an empty workspace, and a model that follows the
 * script, by cases named in a prompt as `CASE:name`. Resolves with the reason if it cannot run here.
 * @param {string} name
 * @param {object} setting
 * @param {Readonly<Record<string, readonly ModelStep[]>>} [setting.script] Default: there is no model, and connections to
 * `MODEL_URL` are forwarded to the socket `model.sock` beside the home.
 * @param {Readonly<Record<string, string>>} [setting.files] Texts by path below the home.
 * @returns {Promise<RealAgent | string>}
 */
export async function openRealAgent(name, { script, files = {} }) {
  const problem = problemOf(name);
  if (problem !== undefined) return problem;
  const folder = await realpath(await mkdtemp(join(tmpdir(), `switchyard-real-${name}-`)));
  const [home, workspace, log] = [join(folder, "home"), join(folder, "workspace"), join(folder, "requests.jsonl")];
  const temporary = join(folder, "tmp");
  for (const made of [home, workspace, temporary]) await mkdir(made);
  if (script !== undefined) await writeFile(join(folder, "script.json"), JSON.stringify(script));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), text);
  }
  const program = join(folderOf(name), "node_modules", ".bin", agentPackages()[name]?.command ?? name);
  return {
    ...{ home, workspace, command: [process.execPath, RUNNER, folder, program] },
    // Not the machine's temporary folder, in which some agents refuse to put helpers.
    env: { HOME: home, TMPDIR: temporary },
    requests() {
      const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n") : [];
      return lines.flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
    },
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}
