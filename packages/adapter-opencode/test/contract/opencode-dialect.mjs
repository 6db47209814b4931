// @ts-check
// How the command `opencode run` 1.18.33 speaks, after its recordings: one JSON object a line.

/**
 * @param {string[]} args
 * @param {string} input
 */
export function read(args, input) {
  const resumed = args.includes("--session") ? (args[args.indexOf("--session") + 1] ?? "") : "";
  return { prompt: input, sessionId: resumed || `ses_${process.pid}`, isResumed: resumed !== "" };
}

/** @type {Map<string, { name: string, start: number, input: unknown }>} */
const begun = new Map();
/** @type {Set<string>} */
const counted = new Set();
let spent = 0;

/**
 * @param {import("@switchyard/testkit").AgentStep} step
 * @param {{ sessionId: string }} context
 */
export function linesOf(step, { sessionId: sessionID }) {
  const line = (/** @type {string} */ type, /** @type {Record<string, unknown>} */ data) => [
    JSON.stringify({ type, timestamp: Date.now(), sessionID, ...data }),
  ];
  const finish = (/** @type {{ id: string, reason: string }} */ part, /** @type {number} */ input, output = 0) =>
    line("step_finish", { part: { ...part, tokens: { input, output, cache: { read: 0, write: 0 } } } });
  switch (step.do) {
    case "start":
      return line("step_start", { part: { type: "step-start" } });
    case "say":
      return line("text", { part: { type: "text", text: step.text } });
    case "tool": {
      const [start, input] = [Date.now(), step.arguments ?? {}];
      begun.set(step.id, { name: step.name, start, input });
      return line("tool_use", { part: { tool: step.name, callID: step.id, state: { status: "running", input } } });
    }
    case "tool-end": {
      const call = begun.get(step.id);
      const time = { start: call?.start, end: Date.now() };
      const ended = step.isError
        ? { status: "error", error: step.output }
        : { status: "completed", output: step.output };
      const callID = call === undefined ? undefined : step.id;
      return line("tool_use", { part: { tool: call?.name, callID, state: { ...ended, input: call?.input, time } } });
    }
    case "usage":
      if (!counted.has(step.id)) spent += step.inputTokens;
      counted.add(step.id);
      return finish({ id: `prt_${step.id}`, reason: "tool-calls" }, step.inputTokens, step.outputTokens);
    case "ask": {
      const input = { questions: [{ question: step.question }] };
      return line("tool_use", { part: { tool: "question", callID: "call_q", state: { status: "running", input } } });
    }
    case "end": {
      if (step.kind === "failure")
        return line("error", { error: { name: "APIError", data: { message: step.problem } } });
      if (step.inputTokens === undefined || step.inputTokens <= spent) {
        return line("step_finish", { part: { id: "prt_end", reason: "stop" } });
      }
      return finish({ id: "prt_end", reason: "stop" }, step.inputTokens - spent, step.outputTokens);
    }
    default:
      return [];
  }
}
