// @ts-check
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgentEngine } from "@switchyard/agent";
import { runSession } from "@switchyard/runner";
import { createMemoryStore } from "@switchyard/stores/memory";
import { openEffectLedger, openHostileModelServer } from "@switchyard/testkit";
import { effectProblems, effectTool } from "./effect-tool.mjs";
import { APIS } from "./generated-case.mjs";
import { createModelClient, createModelProfile } from "./model-client.mjs";
import { VirtualTime } from "./virtual-time.mjs";

/** @import { Client, Message, SessionReport } from "@switchyard/contracts" */
/** @import { HostileModelLedger } from "@switchyard/testkit" */
/** @import { HostileCase } from "./generated-case.mjs" */
/** @import { Wrap } from "./run-hostile-suite.mjs" */

const instantly = async () => undefined;

/**
 * Runs a case with the agent, through the runner, in this process.
 * @param {HostileCase} generated
 * @param {Wrap} wrap
 * @returns {Promise<{ problems: string[], ledger: HostileModelLedger }>}
 */
export async function runInPlace(generated, wrap) {
  const { api, script, plan, effects } = generated;
  const time = new VirtualTime();
  const folder = await mkdtemp(join(tmpdir(), "switchyard-hostile-"));
  const server = await openHostileModelServer({
    ...{ script, plan, delay: instantly, now: time.now, onStall: time.passUntil },
  });
  const connection = { now: time.now, schedule: time.schedule };
  const inner = time.timed(createModelClient(api, { ...connection, baseUrl: server.baseUrl(api) }));
  const client = watched(wrap(inner));
  const done = openEffectLedger();
  try {
    const engine = createAgentEngine({
      ...{ client, profile: createModelProfile(api), tools: [effectTool(done)] },
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
    const problems = [
      ...endProblems(generated, report),
      ...effectProblems(done, effects, { missing: plan.completes ? 0 : effects.length }),
      ...ledger.problems,
      ...requestProblems(generated, ledger),
      ...usageProblems(report, ledger),
      ...(await historyProblems(client.conversation)),
    ];
    return { problems, ledger };
  } finally {
    await client.close();
    await server.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Notes the conversation as the last request and its response have it.
 * @param {Client} client
 * @returns {Client & { readonly conversation: readonly Message[] }}
 */
function watched(client) {
  /** @type {readonly Message[]} */
  let conversation = [];
  return {
    complete: (request) => client.complete(request),
    async *stream(request) {
      conversation = structuredClone(request.messages);
      for await (const event of client.stream(request)) {
        if (event.type === "finish" && event.response.message.parts.every(({ type }) => type !== "tool_call"))
          conversation = [...conversation, event.response.message];
        yield event;
      }
    },
    close: () => client.close(),
    get conversation() {
      return conversation;
    },
  };
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
 * Requests that the plan does not explain.
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

/**
 * The report must count what was reported once: of complete responses, and of those that broke off.
 * @param {SessionReport} report
 * @param {HostileModelLedger} ledger
 * @returns {string[]}
 */
function usageProblems({ usage }, { completed, requests }) {
  const broken = requests.filter(({ outcome }) => outcome === "broken");
  return /** @type {const} */ (["inputTokens", "outputTokens"]).flatMap((name) => {
    const most = broken.reduce((sum, request) => sum + (request.usage?.[name] ?? 0), completed[name]);
    const isRight = usage[name] >= completed[name] && usage[name] <= most;
    return isRight ? [] : [`${name}: the report has ${usage[name]}, the server ${completed[name]} to ${most}`];
  });
}

/**
 * Continues the conversation with every API: each must accept it.
 * @param {readonly Message[]} conversation
 * @returns {Promise<string[]>}
 */
async function historyProblems(conversation) {
  if (conversation.length === 0) return [];
  const plan = { seed: 0, turns: [[{ oddities: [], seed: 0 }]], completes: true };
  const server = await openHostileModelServer({
    script: [{ kind: "answer", parts: [{ type: "text", text: "Yes." }] }],
    plan,
  });
  /** @type {Message} */
  const further = { role: "user", parts: [{ type: "text", text: "Are you sure?" }] };
  try {
    for (const api of APIS) {
      const client = createModelClient(api, { baseUrl: server.baseUrl(api) });
      await client.complete({ model: "hostile", messages: [...conversation, further] }).catch(() => undefined);
      await client.close();
    }
    const { requests, problems } = server.ledger();
    const missing = requests.length === APIS.length ? [] : [`${requests.length} of ${APIS.length} APIs were asked`];
    return [...missing, ...problems].map((problem) => `the history of the run: ${problem}`);
  } finally {
    await server.close();
  }
}
