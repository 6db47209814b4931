// @ts-check
// One attempt of a run that may be killed: `node session-worker.mjs ATTEMPT.json` starts or resumes it.
import { readFileSync, writeFileSync } from "node:fs";
import process, { argv, kill, pid } from "node:process";
import { createAgentEngine } from "@switchyard/agent";
import { resumeSession, startSession } from "@switchyard/runner";
import { openEffectLedger } from "@switchyard/testkit";
import { effectTool } from "./effect-tool.mjs";
import { loadWrap } from "./faulty-client.mjs";
import { watchConversation } from "./history-check.mjs";
import { createModelClient, createModelProfile } from "./model-client.mjs";

/** @import { KilledReport, WorkerAttempt } from "./run-killed.mjs" */

/** @type {WorkerAttempt} */
const attempt = JSON.parse(readFileSync(argv[2] ?? "", "utf8"));
const { api, baseUrl, isStreamed, runId, resumes, stateDirectory, workspace, effects, report, faulty } = attempt;
void work();

/** @returns {Promise<void>} */
async function work() {
  // The exit code of a process whose work never finishes.
  process.exitCode = 13;
  const wrap = await loadWrap(faulty);
  const client = watchConversation(wrap(createModelClient(api, { baseUrl })));
  let effectsLeft = attempt.killAtEffect;
  const onEffect = () => {
    effectsLeft -= 1;
    if (effectsLeft === 0) kill(pid, "SIGKILL");
  };
  const engine = createAgentEngine({
    client,
    profile: createModelProfile(api, isStreamed),
    tools: [effectTool(openEffectLedger({ path: effects }), onEffect)],
    turnRetry: { jitter: 0, delay: async () => undefined },
  });
  const options = {
    engine,
    environment: { type: /** @type {const} */ ("local"), root: workspace },
    stateDirectory,
    workspaceDiff: false,
  };
  const input = { messages: [{ role: /** @type {const} */ ("user"), content: "Have the effects." }] };
  const handle = resumes
    ? await resumeSession(runId, { ...options, reason: "crash" })
    : await startSession(input, { ...options, runId });
  /** @type {KilledReport} */
  const outcome = { report: await handle.result, conversation: client.conversation };
  writeFileSync(report, JSON.stringify(outcome));
  process.exitCode = 0;
}
