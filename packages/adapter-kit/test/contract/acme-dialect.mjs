// @ts-check
// How the command of the fixture adapter speaks: one JSON object a line.

/**
 * @param {string[]} args
 * @param {string} input
 */
export function read(args, input) {
  const at = args.indexOf("--session");
  const resume = args.indexOf("--continue");
  const sessionId = args[(resume >= 0 ? resume : at) + 1] ?? "";
  return { prompt: input, sessionId: at < 0 && resume < 0 ? "" : sessionId, isResumed: resume >= 0 };
}

/**
 * @param {import("@switchyard/testkit").AgentStep} step
 * @param {{ sessionId: string, cwd?: string }} context
 */
export function linesOf(step, context) {
  const line = (/** @type {Record<string, unknown>} */ data) => [JSON.stringify(data)];
  switch (step.do) {
    case "start":
      return line({ type: "hello", session: context.sessionId, model: step.model });
    case "say":
      return line({ type: "text", text: step.text });
    case "tool":
      return line({ type: "call", id: step.id, name: step.name, arguments: step.arguments });
    case "tool-end":
      return line({ type: "called", id: step.id, output: step.output, failed: step.isError === true });
    case "usage":
      return line({ type: "usage", id: step.id, in: step.inputTokens, out: step.outputTokens });
    case "ask":
      return line({ type: "question", text: step.question });
    case "end":
      return line({
        type: "bye",
        ok: step.kind === "success",
        why: step.problem,
        in: step.inputTokens,
        out: step.outputTokens,
      });
    default:
      return [];
  }
}
