// @ts-check
// One attempt of a run that may be killed: `node session-worker.mjs ATTEMPT.json` starts or resumes it.
import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import { createAgentEngine } from "@switchyard/agent";
import { resumeSession, startSession } from "@switchyard/runner";
import { openEffectLedger } from "@switchyard/testkit";
import { effectTool } from "./effect-tool.mjs";
import { createModelClient, createModelProfile } from "./model-client.mjs";

/** @import { WorkerAttempt } from "./run-killed.mjs" */

/** @type {WorkerAttempt} */
const { api, baseUrl, runId, resumes, stateDirectory, workspace, effects, report } = JSON.parse(
  readFileSync(argv[2] ?? "", "utf8"),
);
const engine = createAgentEngine({
  client: createModelClient(api, { baseUrl }),
  profile: createModelProfile(api),
  tools: [effectTool(openEffectLedger({ path: effects }))],
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
writeFileSync(report, JSON.stringify(await handle.result));
