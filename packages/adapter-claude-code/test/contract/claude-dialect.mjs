// @ts-check
// How the command `claude` 2.1.197 speaks, after its recordings: one JSON object a line.

/**
 * @param {string[]} args
 * @param {string} input
 */
export function read(args, input) {
  const wordAfter = (/** @type {string} */ flag) => (args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined);
  const resumed = wordAfter("--resume");
  return { prompt: input, sessionId: resumed ?? wordAfter("--session-id") ?? "", isResumed: resumed !== undefined };
}

const MODEL = "claude-sonnet-4-5";
let asked = "";

/**
 * @param {import("@switchyard/testkit").AgentStep} step
 * @param {{ sessionId: string, cwd?: string }} context
 */
export function linesOf(step, context) {
  const session_id = context.sessionId;
  const line = (/** @type {Record<string, unknown>} */ data) => [JSON.stringify({ ...data, session_id })];
  const assistant = (/** @type {unknown[]} */ content, /** @type {Record<string, unknown>} */ more = {}) =>
    line({
      type: "assistant",
      message: { id: `msg_${content.length}`, role: "assistant", content, model: MODEL, ...more },
    });
  switch (step.do) {
    case "start":
      return line({ type: "system", subtype: "init", cwd: context.cwd, model: step.model ?? MODEL });
    case "say":
      return assistant([{ type: "text", text: step.text }]);
    case "tool":
      return assistant([{ type: "tool_use", id: step.id, name: step.name, input: step.arguments ?? {} }]);
    case "tool-end": {
      const content = [
        { tool_use_id: step.id, type: "tool_result", content: step.output, is_error: step.isError === true },
      ];
      return line({ type: "user", message: { role: "user", content } });
    }
    case "usage": {
      const usage = { input_tokens: step.inputTokens, output_tokens: step.outputTokens };
      return assistant([], { id: `msg_${step.id}`, usage });
    }
    case "ask":
      asked = step.question;
      return assistant([{ type: "tool_use", id: "toolu_ask", name: "AskUserQuestion", input: {} }]);
    case "end":
      return line(resultOf(step));
    default:
      return [];
  }
}

/** @param {Extract<import("@switchyard/testkit").AgentStep, { do: "end" }>} step */
function resultOf(step) {
  const denial = { tool_name: "AskUserQuestion", tool_input: { questions: [{ question: asked }] } };
  const used = { inputTokens: step.inputTokens, outputTokens: step.outputTokens };
  return {
    ...{ type: "result", subtype: step.kind === "success" ? "success" : "error_during_execution" },
    ...{ is_error: step.kind !== "success", result: step.problem ?? "" },
    modelUsage: step.inputTokens === undefined ? {} : { [MODEL]: used },
    permission_denials: asked === "" ? [] : [denial],
  };
}
