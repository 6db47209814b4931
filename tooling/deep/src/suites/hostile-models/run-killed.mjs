// @ts-check
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleFromSource } from "@switchyard/suite/load-from-source";
import { openEffectLedger, openHostileModelServer } from "@switchyard/testkit";
import { effectProblems, failedKeys } from "./effect-tool.mjs";
import { historyProblems } from "./history-check.mjs";
import { endProblems } from "./run-in-place.mjs";
import { checkUsage, mayHaveLostUsage } from "./usage-check.mjs";

/** @import { Message, SessionReport } from "@switchyard/contracts" */
/** @import { HostileModelServer, ModelApi } from "@switchyard/testkit" */
/** @import { FaultyClient } from "./faulty-client.mjs" */
/** @import { HostileCase } from "./generated-case.mjs" */
/** @import { CaseOutcome } from "./run-hostile-suite.mjs" */

/** Path of the bundled program of the processes. @type {Promise<string> | undefined} */
let program;
const KILLS = 2;
const RUN_ID = "hostile";

/**
 * Work of a process.
 * @typedef {object} WorkerAttempt
 * @property {ModelApi} api
 * @property {string} baseUrl
 * @property {boolean} isStreamed
 * @property {string} runId
 * @property {boolean} resumes
 * @property {string} stateDirectory
 * @property {string} workspace
 * @property {string} effects File for effects.
 * @property {number} killAtEffect The effect before or after which it kills itself, in half steps; 0 for none.
 * @property {string} report File for the outcome.
 * @property {FaultyClient | undefined} faulty
 */

/** @typedef {{ report: SessionReport, conversation: readonly Message[] }} KilledReport */

/**
 * A run and the files of its processes.
 * @typedef {object} KilledRun
 * @property {HostileCase} generated
 * @property {HostileModelServer} server
 * @property {string} folder
 * @property {KillOptions} options
 * @property {{ strike: () => void }} hooks `strike` is called at each request and between pieces of responses.
 */

/**
 * Wrong implementations, to prove that they are detected: a client, or a host that starts over instead of resuming.
 * @typedef {{ faulty?: FaultyClient | undefined, startsOver?: boolean | undefined }} KillOptions
 */

/**
 * Runs a case in processes that are killed with SIGKILL: on receipt of a request, in the middle of a response, before
 * or after an effect. Then it resumes the run.
 * @param {HostileCase} generated
 * @param {KillOptions} options
 * @returns {Promise<CaseOutcome>}
 */
export async function runKilled(generated, options) {
  const { script, plan, effects } = generated;
  const folder = await mkdtemp(join(tmpdir(), "switchyard-hostile-"));
  const hooks = { strike: () => undefined };
  const onRequest = () => hooks.strike();
  const server = await openHostileModelServer({ script, plan, onRequest, delay: async () => hooks.strike() });
  await mkdir(join(folder, "workspace"));
  try {
    const { kills, inFlight, problems: broken } = await runAttempts({ generated, server, folder, options, hooks });
    const ledger = server.ledger();
    if (broken.length > 0) return { problems: broken, ledger, kills };
    /** @type {KilledReport} */
    const { report, conversation } = JSON.parse(readFileSync(join(folder, "report.json"), "utf8"));
    const usage = checkUsage(
      report.usage,
      ledger.requests,
      (request) => mayHaveLostUsage(request) || inFlight.has(request.number),
    );
    const failed = failedKeys(conversation);
    const done = openEffectLedger({ path: join(folder, "effects") });
    const problems = [
      ...endProblems(generated, report),
      ...effectProblems(done, effects, { mayLack: (key) => kills > 0 && failed.has(key) }),
      ...ledger.problems,
      ...usage.problems,
      ...(await historyProblems(conversation)),
    ];
    return { problems, ledger, kills, uncertainUsage: usage.uncertain };
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Starts processes until one exits by itself.
 * @param {KilledRun} run
 * @returns {Promise<{ kills: number, inFlight: ReadonlySet<number>, problems: string[] }>} `inFlight`: numbers of the
 * requests that a process had made last when it was killed.
 */
async function runAttempts(run) {
  const { generated, server, folder } = run;
  /** @type {Set<number>} */
  const inFlight = new Set();
  let kills = 0;
  for (let attempt = 0; attempt <= KILLS && !existsSync(join(folder, "report.json")); attempt += 1) {
    const isLast = attempt === KILLS;
    const isAtEffect = generated.random() < 0.3;
    const count = 1 + Math.floor(generated.random() * (isAtEffect ? 6 : 12));
    const { signal, problem } = await runAttempt(run, attempt, {
      killAtEffect: isAtEffect && !isLast ? count : 0,
      killAtStrike: isAtEffect || isLast ? 0 : count,
    });
    if (problem !== undefined) return { kills, inFlight, problems: [problem] };
    if (signal !== "SIGKILL") continue;
    kills += 1;
    inFlight.add(server.ledger().requests.length);
  }
  return { kills, inFlight, problems: [] };
}

/** @returns {Promise<string>} */
function bundleWorker() {
  program ??= bundleFromSource(new URL("./session-worker.mjs", import.meta.url), new URL("../../../", import.meta.url));
  return program;
}

/**
 * @param {KilledRun} run
 * @param {number} attempt
 * @param {{ killAtEffect: number, killAtStrike: number }} kill
 * @returns {Promise<{ signal: string | null, problem: string | undefined }>}
 */
async function runAttempt({ generated, server, folder, options, hooks }, attempt, { killAtEffect, killAtStrike }) {
  const { api, isStreamed } = generated;
  const [stateDirectory, workspace] = [join(folder, "state"), join(folder, "workspace")];
  const { faulty, startsOver = false } = options;
  const runs = join(stateDirectory, "runs");
  const hasRun = existsSync(runs) && readdirSync(runs).length > 0;
  const runId = startsOver ? `${RUN_ID}-${attempt}` : RUN_ID;
  /** @type {WorkerAttempt} */
  const worker = {
    ...{ api, baseUrl: server.baseUrl(api), isStreamed, runId, resumes: hasRun && !startsOver, stateDirectory },
    ...{ workspace, effects: join(folder, "effects"), killAtEffect, report: join(folder, "report.json"), faulty },
  };
  const path = join(folder, `attempt-${attempt}.json`);
  writeFileSync(path, JSON.stringify(worker));
  const child = fork(await bundleWorker(), [path], { execArgv: [], stdio: ["ignore", "ignore", "pipe", "ipc"] });
  let output = "";
  child.stderr?.on("data", (piece) => {
    output += piece;
  });
  let left = killAtStrike;
  hooks.strike = () => {
    left -= 1;
    if (left === 0) child.kill("SIGKILL");
  };
  const [code, signal] = await once(child, "exit");
  const isExpected = signal === "SIGKILL" || code === 0;
  return { signal, problem: isExpected ? undefined : `a process ended with ${code}: ${output}` };
}
