// @ts-check
// How the command `copilot` 1.0.102 speaks, after its recordings: one JSON object a line, and the tokens of its session
// in a file of its own folder.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** @param {string[]} args */
export function read(args) {
  const wordOf = (/** @type {string} */ flag) => args.find((arg) => arg.startsWith(`${flag}=`))?.slice(flag.length + 1);
  const resumed = wordOf("--resume");
  const sessionId = resumed ?? wordOf("--session-id") ?? "";
  return { prompt: wordOf("--prompt") ?? "", sessionId, isResumed: resumed !== undefined };
}

const MODEL = "mock-model";

/** @param {string} sessionId @param {{ inputTokens: number, outputTokens: number }} used */
function keepTokens(sessionId, { inputTokens, outputTokens }) {
  const folder = join(process.env["COPILOT_HOME"] ?? "", "session-state", sessionId);
  const file = join(folder, "events.jsonl");
  mkdirSync(folder, { recursive: true });
  const before = existsSync(file)
    ? JSON.parse(readFileSync(file, "utf8").trim().split("\n").at(-1) ?? "").data
    : undefined;
  const old = before?.modelMetrics[MODEL].usage ?? { inputTokens: 0, outputTokens: 0 };
  const usage = { inputTokens: old.inputTokens + inputTokens, outputTokens: old.outputTokens + outputTokens };
  const data = { modelMetrics: { [MODEL]: { usage } } };
  appendFileSync(file, `${JSON.stringify({ type: "session.shutdown", data })}\n`);
}

/**
 * @param {import("@switchyard/testkit").AgentStep} step
 * @param {{ sessionId: string, cwd?: string }} context
 */
export function linesOf(step, context) {
  const line = (/** @type {string} */ type, /** @type {Record<string, unknown>} */ data) => [
    JSON.stringify({ type, data }),
  ];
  switch (step.do) {
    case "start":
      return line("session.tools_updated", { model: step.model ?? MODEL });
    case "say":
      return line("assistant.message", { content: step.text, model: MODEL, toolRequests: [] });
    case "tool":
      return line("tool.execution_start", {
        ...{ toolCallId: step.id, toolName: step.name, arguments: step.arguments ?? {} },
      });
    case "tool-end": {
      const result = { content: step.output };
      const success = step.isError !== true;
      return line("tool.execution_complete", {
        ...{ toolCallId: step.id, success, ...(success ? { result } : { error: { message: step.output } }) },
      });
    }
    case "ask":
      return line("user_input.requested", { question: step.question });
    case "end": {
      const { inputTokens, outputTokens = 0 } = step;
      if (inputTokens !== undefined) keepTokens(context.sessionId, { inputTokens, outputTokens });
      const isGood = step.kind === "success";
      const error = isGood ? [] : line("session.error", { message: step.problem ?? "no" });
      return [...error, JSON.stringify({ type: "result", sessionId: context.sessionId, exitCode: isGood ? 0 : 1 })];
    }
    default:
      return [];
  }
}
