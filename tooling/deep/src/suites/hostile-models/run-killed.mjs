// @ts-check
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEffectLedger, openHostileModelServer } from "@switchyard/testkit";
import { effectProblems } from "./effect-tool.mjs";
import { endProblems } from "./run-in-place.mjs";

/** @import { ModelApi, HostileModelLedger } from "@switchyard/testkit" */
/** @import { HostileCase } from "./generated-case.mjs" */

const WORKER = new URL("./session-worker.mjs", import.meta.url);
const KILLS = 2;
const RUN_ID = "hostile";

/**
 * What a process is to do.
 * @typedef {object} WorkerAttempt
 * @property {ModelApi} api
 * @property {string} baseUrl
 * @property {string} runId
 * @property {boolean} resumes
 * @property {string} stateDirectory
 * @property {string} workspace
 * @property {string} effects File for effects.
 * @property {string} report File for the report.
 */

/**
 * Runs a case in processes that are killed with SIGKILL, when a request has come or in the middle of a response, and
 * resumes it.
 * @param {HostileCase} generated
 * @returns {Promise<{ problems: string[], ledger: HostileModelLedger, kills: number }>}
 */
export async function runKilled(generated) {
  const { api, script, plan, effects, random } = generated;
  const folder = await mkdtemp(join(tmpdir(), "switchyard-hostile-"));
  /** @type {() => void} */
  let strike = () => undefined;
  const options = { script, plan, onRequest: () => strike(), delay: async () => strike() };
  const server = await openHostileModelServer(options);
  const stateDirectory = join(folder, "state");
  const workspace = join(folder, "workspace");
  await mkdir(workspace);
  const ledgerPath = join(folder, "effects");
  const report = join(folder, "report.json");
  let kills = 0;
  try {
    for (let attempt = 0; attempt <= KILLS && !existsSync(report); attempt += 1) {
      const worker = { api, baseUrl: server.baseUrl(api), stateDirectory, workspace, effects: ledgerPath, report };
      const path = join(folder, `attempt-${attempt}.json`);
      const resumes = existsSync(join(stateDirectory, "runs")) && readdirSync(join(stateDirectory, "runs")).length > 0;
      writeFileSync(path, JSON.stringify({ ...worker, runId: RUN_ID, resumes }));
      const child = fork(WORKER, [path], { execArgv: [], stdio: ["ignore", "ignore", "pipe", "ipc"] });
      let said = "";
      child.stderr?.on("data", (piece) => {
        said += piece;
      });
      let left = attempt === KILLS ? Number.POSITIVE_INFINITY : 1 + Math.floor(random() * 12);
      strike = () => {
        left -= 1;
        if (left === 0) child.kill("SIGKILL");
      };
      const [code, signal] = await once(child, "exit");
      if (signal === "SIGKILL") kills += 1;
      else if (code !== 0)
        return { problems: [`a process ended with ${code}: ${said}`], ledger: server.ledger(), kills };
    }
    const ledger = server.ledger();
    const done = openEffectLedger({ path: ledgerPath });
    const problems = [
      ...endProblems(generated, JSON.parse(readFileSync(report, "utf8"))),
      // A call that was cut off has an unknown outcome, and may have had no effect.
      ...effectProblems(done, effects, { missing: kills * 3 }),
      ...ledger.problems,
    ];
    return { problems, ledger, kills };
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
