// @ts-check
// A stand-in for `codex app-server` that behaves as a plan says, for what no recording has: node planned-codex.mjs LOG
// PLAN [arguments of the command]. PLAN is JSON: answers by method, messages `before` the answer to a turn, and those
// of the `turn`; what is asked in these is waited for. LOG gets a line with every message of ours.
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [, , log = "", planned = "{}", ...args] = process.argv;
const plan = JSON.parse(planned);
const note = (/** @type {unknown} */ entry) => appendFileSync(log, `${JSON.stringify(entry)}\n`);
const send = (/** @type {unknown} */ message) => process.stdout.write(`${JSON.stringify(message)}\n`);
note({ args, pid: process.pid });

/** @type {Record<string, unknown>} */
const ANSWERS = {
  initialize: { result: {} },
  "account/read": { result: { account: null, requiresOpenaiAuth: false } },
  "account/login/start": { result: { type: "apiKey" } },
  "thread/start": { result: { thread: { id: "thread-new" }, model: "gpt-5.5" } },
  "thread/resume": { result: { thread: { id: "thread-old" }, model: "gpt-5.5" } },
  "turn/start": { result: { turn: { id: "turn-1" } } },
  ...plan.answers,
  ...(plan.before !== undefined && plan.hasNoResponse ? { "turn/start": undefined } : {}),
};
const AFTER = {
  "thread/start": [{ method: "thread/started", params: { thread: { id: "thread-new", model: "gpt-5.5" } } }],
  ...plan.after,
};
/** @type {Map<unknown, () => void>} */
const waiting = new Map();

/** @param {Record<string, any>[]} messages */
async function say(messages) {
  for (const { big, ...message } of messages) {
    if (big !== undefined) message["params"].item.text = "x".repeat(big);
    const answered = new Promise((resolve) => waiting.set(message["id"], () => resolve(undefined)));
    send(message);
    if (message["id"] !== undefined) await answered;
  }
}

createInterface({ input: process.stdin }).on("line", async (line) => {
  const message = JSON.parse(line);
  note(message);
  if (message.method === undefined) return waiting.get(message.id)?.();
  const answer = ANSWERS[message.method];
  if (message.method === "turn/start") await say(plan.before ?? []);
  if (answer === undefined) return;
  send({ id: message.id, ...answer });
  await say(message.method === "turn/start" ? (plan.turn ?? []) : (AFTER[message.method] ?? []));
});
