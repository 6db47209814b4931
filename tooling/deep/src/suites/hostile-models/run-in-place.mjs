// @ts-check
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgentEngine } from "@switchyard/agent";
import { runSession } from "@switchyard/runner";
import { createMemoryStore } from "@switchyard/stores/memory";
import { openEffectLedger, openHostileModelServer } from "@switchyard/testkit";
import { effectProblems, effectTool } from "./effect-tool.mjs";
import { historyProblems, watchConversation } from "./history-check.mjs";
import { createModelClient, createModelProfile } from "./model-client.mjs";
import { checkUsage } from "./usage-check.mjs";
import { VirtualTime } from "./virtual-time.mjs";

/** @import { SessionReport } from "@switchyard/contracts" */
/** @import { HostileModelLedger } from "@switchyard/testkit" */
/** @import { HostileCase } from "./generated-case.mjs" */
/** @import { Wrap } from "./faulty-client.mjs" */
/** @import { CaseOutcome } from "./run-hostile-suite.mjs" */

const instantly = async () => undefined;

/**
 * Runs a case with the agent through the runner, in this process.
 * @param {HostileCase} generated
 * @param {Wrap} wrap
 * @returns {Promise<CaseOutcome>}
 */
export async function runInPlace(generated, wrap) {
  const { api, script, plan, effects, isStreamed } = generated;
  const time = new VirtualTime();
  const folder = await mkdtemp(join(tmpdir(), "switchyard-hostile-"));
  const server = await openHostileModelServer({
    ...{ script, plan, delay: instantly, now: time.now, onStall: time.passUntil },
  });
  const connection = { now: time.now, schedule: time.schedule };
  const inner = time.timed(createModelClient(api, { ...connection, baseUrl: server.baseUrl(api) }));
  const client = watchConversation(wrap(inner));
  const done = openEffectLedger();
  try {
    const engine = createAgentEngine({
      ...{ client, profile: createModelProfile(api, isStreamed), tools: [effectTool(done)] },
      turnRetry: { jitter: 0, delay: instantly },
    });
    const input = { messages: [{ role: /** @type {const} */ ("user"), content: "Have the effects." }] };
    const root = join(folder, "workspace");
    await mkdir(root);
    const environment = { type: /** @type {const} */ ("local"), root };
    const store = createMemoryStore({ directory: join(folder, "runs") });
    const options = { engine, environment, store, workspaceDiff: false };
    const report = await runSession(input, options);
    const ledger = server.ledger();
    const usage = checkUsage(report.usage, ledger.requests);
    const problems = [
      ...endProblems(generated, report),
      ...effectProblems(done, effects, { mayLack: () => !plan.completes }),
      ...ledger.problems,
      ...requestProblems(generated, ledger),
      ...usage.problems,
      ...(await historyProblems(client.conversation)),
    ];
    return { problems, ledger, uncertainUsage: usage.uncertain };
  } finally {
    await client.close();
    await server.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * @param {HostileCase} generated
 * @param {SessionReport} report
 * @returns {string[]}
 */
export function endProblems({ plan, script }, { status, result, error }) {
  const isDone = status === "completed" && result?.exit_code === 0;
  const said = `${status}, exit code ${result?.exit_code}, ${error?.code ?? result?.stderr ?? "no error"}`;
  if (!plan.completes) return isDone ? [`completed, although ${plan.reason}`] : [];
  if (!isDone) return [`did not complete: ${said}`];
  const last =
    script
      .at(-1)
      ?.parts.flatMap((part) => (part.type === "text" ? [part.text] : []))
      .join("") ?? "";
  return result?.final_message.includes(last) === true ? [] : [`the final message is ${result?.final_message}`];
}

/**
 * Returns requests that the plan does not explain.
 * @param {HostileCase} generated
 * @param {HostileModelLedger} ledger
 * @returns {string[]}
 */
function requestProblems({ plan }, { requests }) {
  return plan.turns.flatMap((responses, index) => {
    const count = requests.filter(({ turn }) => turn === index + 1).length;
    return count > responses.length ? [`turn ${index + 1} was asked for ${count} times, not ${responses.length}`] : [];
  });
}
