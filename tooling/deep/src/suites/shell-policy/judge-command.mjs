// @ts-check
import { createApprovalPolicy } from "@switchyard/agent";
import { openLocalEnvironment } from "@switchyard/environment/local";

/** @import { ApprovalPolicy } from "@switchyard/agent" */

/**
 * Decides whether a command line runs without a question under a policy.
 * @typedef {(policy: ApprovalPolicy, line: string) => Promise<boolean>} JudgeCommand
 */

/**
 * A rule of the user that allows commands; everything else is denied.
 * @param {string} rule
 * @returns {ApprovalPolicy}
 */
export function allowing(rule) {
  return { rules: [{ tool: "shell", command: rule, outcome: "allow" }], otherwise: "deny" };
}

/**
 * A rule of the user that denies commands; everything else is allowed.
 * @param {string} rule
 * @returns {ApprovalPolicy}
 */
export function denying(rule) {
  return { rules: [{ tool: "shell", command: rule, outcome: "deny" }], otherwise: "allow" };
}

/**
 * Judges by the policy of the agent loop, as a session without a terminal does: what is not allowed is denied.
 * @param {string} workspace
 * @returns {Promise<{ judge: JudgeCommand, close: () => Promise<void> }>}
 */
export async function openPolicyJudge(workspace) {
  const environment = await openLocalEnvironment({ root: workspace });
  const { signal } = new AbortController();
  const context = { environment, signal, turn: () => Promise.resolve() };
  /** @type {JudgeCommand} */
  const judge = async (rules, line) => {
    const approve = createApprovalPolicy(rules);
    const request = {
      ...{ callId: "c", tool: "shell", sessionId: "s", effects: /** @type {const} */ ("unsafe") },
      ...{ args: { command: line }, targets: { command: line } },
    };
    return (await approve(request, context)).decision === "allow";
  };
  return { judge, close: async () => await environment[Symbol.asyncDispose]() };
}
