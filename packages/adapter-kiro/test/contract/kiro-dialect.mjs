// @ts-check
// How the command `kiro-cli` is described to speak; it was never recorded. Text for people, and a trailer on standard
// error for turns that were worked on.

/** @param {string[]} args */
export function read(args) {
  return { prompt: args.at(-1) ?? "", sessionId: "", isResumed: args.includes("--resume") };
}

/** @param {import("@switchyard/testkit").AgentStep} step */
export function linesOf(step) {
  switch (step.do) {
    case "say":
      return [`\u001B[32m> ${step.text}\u001B[0m`];
    case "tool":
      return [`\u001B[90mUsing tool: ${step.name}\u001B[0m`];
    case "tool-end":
      return [step.output];
    case "end":
      if (step.kind === "success") process.stderr.write("\u001B[90m▸ Credits: 0.05 • Time: 2s\u001B[0m\n");
      return step.problem === undefined ? [] : [step.problem];
    default:
      return [];
  }
}
