// @ts-check
// An agent that speaks the Agent Client Protocol and does as a script says: node scripted-acp-agent.mjs FOLDER.
// FOLDER holds `script.json`, a list of turns, and gets `received.jsonl`, a line for every turn.
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const [, , folder = "", ...args] = process.argv;
const log = join(folder, "received.jsonl");
const script = JSON.parse(readFileSync(join(folder, "script.json"), "utf8"));
const note = (/** @type {unknown} */ entry) => appendFileSync(log, `${JSON.stringify(entry)}\n`);
const begun = () =>
  existsSync(log)
    ? readFileSync(log, "utf8")
        .split("\n")
        .filter((line) => line.includes('"args"')).length
    : 0;
const turnAt = (/** @type {number} */ index) => script[Math.min(index, script.length - 1)] ?? { steps: [] };
/** @param {string | Buffer} data */
const write = (data) => new Promise((resolve) => process.stdout.write(data, resolve));
const hang = () => new Promise(() => setInterval(() => {}, 1_000));
const send = (/** @type {Record<string, unknown>} */ message) =>
  write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

const session = { id: "", isLoaded: false, turns: 0, messages: 0 };
/** @type {unknown} */
let open;
/** @type {Promise<unknown>} */
let answered = Promise.resolve();
let answer = () => {};

const update = (/** @type {Record<string, unknown>} */ data) =>
  send({ method: "session/update", params: { sessionId: session.id, update: data } });

/** @param {Record<string, unknown>} message */
async function finish(message) {
  if (open === undefined) return;
  const id = open;
  open = undefined;
  await send({ id, ...message });
}

/** @param {Extract<import("@switchyard/testkit").AgentStep, { do: "end" }>} step */
function endOf(step) {
  if (step.kind === "failure") return { error: { code: -32_603, message: step.problem ?? "no" } };
  const token_count = { input_tokens: step.inputTokens, output_tokens: step.outputTokens };
  const _meta = step.inputTokens === undefined ? {} : { quota: { token_count, model_usage: [] } };
  return { result: { stopReason: "end_turn", _meta } };
}

/** @param {import("@switchyard/testkit").AgentStep} step */
async function doStep(step) {
  switch (step.do) {
    case "say":
      session.messages += 1;
      for (const text of [step.text.slice(0, 3), step.text.slice(3)]) {
        const content = { type: "text", text };
        await update({ sessionUpdate: "agent_message_chunk", messageId: `m${session.messages}`, content });
      }
      return;
    case "tool":
      // The arguments come later, as they do with some agents.
      await update({ sessionUpdate: "tool_call", toolCallId: step.id, title: step.name, status: "pending" });
      await update({
        ...{ sessionUpdate: "tool_call_update", toolCallId: step.id, name: step.name, status: "in_progress" },
        rawInput: step.arguments ?? {},
      });
      return;
    case "tool-end":
      await update({
        ...{ sessionUpdate: "tool_call_update", toolCallId: step.id },
        status: step.isError === true ? "failed" : "completed",
        content: [{ type: "content", content: { type: "text", text: step.output } }],
      });
      return;
    case "ask":
      answered = new Promise((resolve) => {
        answer = () => resolve(undefined);
      });
      await send({ id: "q", method: "elicitation/create", params: { sessionId: session.id, message: step.question } });
      await answered;
      return;
    default:
      await doOutside(step);
  }
}

/** @param {import("@switchyard/testkit").AgentStep} step */
async function doOutside(step) {
  if (step.do === "line") await write(`${step.text}\n`);
  else if (step.do === "bytes") await write(Buffer.from(step.base64, "base64"));
  else if (step.do === "long-line") {
    const part = "x".repeat(64 * 1024);
    await write('{"type":"');
    for (let left = step.bytes; left > 0; left -= part.length) await write(part);
    await write('"}\n');
  } else if (step.do === "stderr") {
    await new Promise((resolve) => process.stderr.write(`${step.text}\n`.repeat(step.times ?? 1), resolve));
  } else if (step.do === "wait") await new Promise((resolve) => setTimeout(resolve, step.ms));
  else if (step.do === "hang") {
    note({ hangs: process.pid });
    await hang();
  } else if (step.do === "child") {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], {
      stdio: ["ignore", "inherit", "inherit"],
      detached: step.detached === true,
    });
    child.unref();
    note({ child: child.pid });
  } else if (step.do === "exit") {
    if (step.signal) process.kill(process.pid, step.signal);
    if (step.signal) await hang();
    process.exit(step.code ?? 0);
  }
}

/** @param {{ steps: readonly import("@switchyard/testkit").AgentStep[], after?: readonly import("@switchyard/testkit").AgentStep[], exitCode?: number, signal?: NodeJS.Signals }} turn */
async function doTurn(turn) {
  /** @type {Record<string, unknown>} */
  let end = { result: { stopReason: "end_turn" } };
  for (const step of turn.steps) {
    if (step.do === "end") end = endOf(step);
    else await doStep(step);
  }
  if (turn.signal) process.kill(process.pid, turn.signal);
  if (turn.signal) await hang();
  if (turn.exitCode) process.exit(turn.exitCode);
  const asked = open;
  await finish(end);
  for (const step of turn.after ?? []) {
    if (step.do === "end") await send({ id: asked, ...endOf(step) });
    else await doStep(step);
  }
}

/** @param {string} prompt */
async function takePrompt(prompt) {
  const turn = turnAt(begun());
  const isResumed = session.isLoaded || session.turns > 0;
  session.turns += 1;
  note({ args, pid: process.pid, cwd: process.cwd(), env: process.env, prompt, sessionId: session.id, isResumed });
  await doTurn(turn);
}

/** @param {{ id?: unknown, method?: string, params?: Record<string, any> }} message */
async function take({ id, method, params = {} }) {
  switch (method) {
    case "initialize":
      await send({ id, result: { protocolVersion: 1, agentCapabilities: { loadSession: true }, authMethods: [] } });
      return;
    case "session/new":
      session.id = crypto.randomUUID();
      await send({ id, result: { sessionId: session.id, modes: null } });
      return;
    case "session/load":
      session.id = params["sessionId"];
      session.isLoaded = true;
      await update({ sessionUpdate: "user_message_chunk", content: { type: "text", text: "What was asked before." } });
      await send({ id, result: {} });
      return;
    case "session/prompt":
      open = id;
      await takePrompt(params["prompt"][0].text);
      return;
    case "session/cancel":
      await finish({ result: { stopReason: "cancelled" } });
      return;
    default:
      if (method === undefined) answer();
  }
}

const first = turnAt(begun());
if (first.ignoresTerm) process.on("SIGTERM", () => {});
const isEarly = first.steps[0]?.do !== "start" && (first.exitCode || first.steps[0]?.do === "hang");
if (isEarly) await doTurn(first);
createInterface({ input: process.stdin }).on("line", (line) => void take(JSON.parse(line)));
