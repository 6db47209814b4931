// @ts-check
// A stand-in for `codex app-server` 0.169.0, after its recordings, that does as a script says: node codex-server.mjs
// FOLDER [arguments of the command]. FOLDER holds `script.json`, a list of turns, and gets `received.jsonl`, a line for
// every turn.
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** @import { AgentStep } from "@switchyard/testkit" */

const [, , folder = "", ...args] = process.argv;
const log = join(folder, "received.jsonl");
const MODEL = "gpt-5.5";

/** @param {unknown} entry */
const note = (entry) => appendFileSync(log, `${JSON.stringify(entry)}\n`);
/** @param {string | Buffer} data */
const write = (data) => new Promise((resolve) => process.stdout.write(data, resolve));
/** @param {Record<string, unknown>} message */
const send = (message) => write(`${JSON.stringify(message)}\n`);
const hang = () => new Promise(() => setInterval(() => {}, 1_000));

const script = JSON.parse(readFileSync(join(folder, "script.json"), "utf8"));
const before = existsSync(log) ? readFileSync(log, "utf8").split("\n") : [];
let turns = before.filter((line) => line.includes('"args"')).length;
let threadId = "";
let isResumed = false;
let asked = 100;
/** @type {Map<string, number>} */
const begun = new Map();
const totals = { inputTokens: 0, outputTokens: 0 };
note({ pid: process.pid });

const scriptOf = () => script[Math.min(turns, script.length - 1)] ?? { steps: [] };
const first = scriptOf();
if (first.ignoresTerm) process.on("SIGTERM", () => {});

/** @param {{ inputTokens: number, outputTokens: number }} last @param {string} turnId */
function tellUsage(last, turnId) {
  totals.inputTokens += last.inputTokens;
  totals.outputTokens += last.outputTokens;
  const tokenUsage = { total: { ...totals }, last };
  return send({ method: "thread/tokenUsage/updated", params: { threadId, turnId, tokenUsage } });
}

/**
 * What a step is in the words of the command.
 * @param {AgentStep} step
 * @param {{ turnId: string, used: Map<string, { inputTokens: number, outputTokens: number }> }} turn
 */
async function say(step, { turnId, used }) {
  const place = { threadId, turnId };
  const item = (/** @type {string} */ state, /** @type {Record<string, unknown>} */ given) =>
    send({ method: `item/${state}`, params: { ...place, item: given } });
  switch (step.do) {
    case "say":
      return item("completed", { type: "agentMessage", id: `msg_${step.text.length}`, text: step.text });
    case "tool": {
      const { id, name: tool, arguments: given = {} } = step;
      begun.set(id, Date.now());
      return item("started", { type: "dynamicToolCall", id, tool, arguments: given, status: "inProgress" });
    }
    case "tool-end": {
      const status = step.isError ? "failed" : "completed";
      const contentItems = [{ type: "inputText", text: step.output }];
      const durationMs = Date.now() - (begun.get(step.id) ?? Date.now());
      return item("completed", { type: "dynamicToolCall", id: step.id, status, contentItems, durationMs });
    }
    case "usage": {
      const isTold = used.has(step.id);
      const last = { inputTokens: step.inputTokens, outputTokens: step.outputTokens };
      used.set(step.id, last);
      if (!isTold) return tellUsage(last, turnId);
      const tokenUsage = { total: { ...totals }, last };
      return send({ method: "thread/tokenUsage/updated", params: { ...place, tokenUsage } });
    }
    case "ask": {
      const questions = [{ id: "q", header: "h", question: step.question, options: null }];
      return send({ id: asked++, method: "item/tool/requestUserInput", params: { ...place, itemId: "i", questions } });
    }
    default:
      return undefined;
  }
}

/**
 * What does not depend on the agent.
 * @param {AgentStep} step
 */
async function act(step) {
  switch (step.do) {
    case "line":
      return write(`${step.text}\n`);
    case "bytes":
      return write(Buffer.from(step.base64, "base64"));
    case "long-line": {
      const part = "x".repeat(64 * 1024);
      await write('{"type":"');
      for (let left = step.bytes; left > 0; left -= part.length) await write(part);
      return write('"}\n');
    }
    case "stderr":
      process.stderr.write(`${step.text}\n`.repeat(step.times ?? 1));
      return;
    case "wait":
      return new Promise((resolve) => setTimeout(resolve, step.ms));
    case "hang":
      note({ hangs: process.pid });
      return hang();
    case "child": {
      const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], {
        stdio: ["ignore", "inherit", "inherit"],
        detached: step.detached === true,
      });
      child.unref();
      note({ child: child.pid });
      return;
    }
    case "exit":
      return breakOff({ exitCode: step.code, signal: step.signal });
    default:
      return;
  }
}

/** @param {{ exitCode?: number | undefined, signal?: string | undefined }} turn */
async function breakOff({ exitCode, signal }) {
  if (signal !== undefined) {
    process.kill(process.pid, signal);
    await hang();
  }
  if (exitCode !== undefined) process.exit(exitCode);
}

/** @param {string} turnId */
async function play(turnId) {
  const turn = script[Math.min(turns - 1, script.length - 1)] ?? { steps: [] };
  /** @type {Extract<AgentStep, { do: "end" }> | undefined} */
  let end;
  const used = new Map();
  for (const step of turn.steps) {
    if (step.do === "end") end = step;
    await act(step);
    await say(step, { turnId, used });
  }
  if (end === undefined) await breakOff(turn);
  const counted = [...used.values()].reduce((sum, one) => sum + one.inputTokens, 0);
  if (end?.inputTokens !== undefined && counted < end.inputTokens) {
    await tellUsage({ inputTokens: end.inputTokens - counted, outputTokens: end.outputTokens ?? 0 }, turnId);
  }
  const failed = end?.kind === "failure";
  const error = failed ? { message: end?.problem, codexErrorInfo: "other", additionalDetails: null } : null;
  await complete(turnId, failed ? "failed" : "completed", error);
  for (const step of turn.after ?? []) {
    if (step.do === "end") await complete(turnId, "completed");
    await act(step);
  }
  await breakOff(turn);
}

/** @param {string} turnId @param {string} status @param {unknown} [error] */
function complete(turnId, status, error = null) {
  return send({ method: "turn/completed", params: { threadId, turn: { id: turnId, items: [], status, error } } });
}

/** @type {Record<string, (params: any, id: unknown) => Promise<unknown>>} */
const ANSWERS = {
  initialize: (_, id) => send({ id, result: { userAgent: "stand-in/0.169.0" } }),
  "account/read": (_, id) => send({ id, result: { account: null, requiresOpenaiAuth: false } }),
  async "thread/start"(_, id) {
    threadId = `thread-${process.pid}`;
    const thread = { id: threadId, model: MODEL };
    await send({ id, result: { thread, model: MODEL } });
    await send({ method: "thread/started", params: { thread } });
  },
  async "thread/resume"(params, id) {
    threadId = params.threadId;
    isResumed = true;
    await send({ id, result: { thread: { id: threadId }, model: MODEL } });
  },
  async "turn/start"(params, id) {
    turns += 1;
    const turnId = `turn-${turns}`;
    const prompt = params.input[0].text;
    const sessionId = isResumed ? threadId : "";
    note({ args, pid: process.pid, cwd: process.cwd(), env: process.env, prompt, sessionId, isResumed });
    isResumed = true;
    await send({ id, result: { turn: { id: turnId, items: [], status: "inProgress", error: null } } });
    await send({ method: "turn/started", params: { threadId, turn: { id: turnId } } });
    await play(turnId);
  },
  async "turn/interrupt"(params, id) {
    if (first.ignoresTerm) return;
    await send({ id, result: {} });
    await complete(params.turnId, "interrupted");
  },
};

// An agent that ends or hangs before its first word does so before it is asked anything.
const isMute = first.steps[0]?.do !== "start" && (first.exitCode !== undefined || first.steps[0]?.do === "hang");
if (isMute) {
  for (const step of first.steps) await act(step);
  await breakOff(first);
}
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  void ANSWERS[method]?.(params, id);
});
