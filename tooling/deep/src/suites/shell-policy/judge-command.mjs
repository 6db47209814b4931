// @ts-check
import { createApprovalPolicy } from "@switchyard/agent";
import { openLocalEnvironment } from "@switchyard/environment/local";

/** @import { ApprovalPolicy } from "@switchyard/agent" */

/**
 * Returns whether a command line runs without approval under a policy.
 * @typedef {(policy: ApprovalPolicy, line: string) => Promise<boolean>} JudgeCommand
 */

/**
 * Returns a user rule that allows commands; everything else is denied.
 * @param {string} rule
 * @returns {ApprovalPolicy}
 */
export function allowing(rule) {
  return { rules: [{ tool: "shell", command: rule, outcome: "allow" }], otherwise: "deny" };
}

/**
 * Returns a user rule that denies commands; everything else is allowed.
 * @param {string} rule
 * @returns {ApprovalPolicy}
 */
export function denying(rule) {
  return { rules: [{ tool: "shell", command: rule, outcome: "deny" }], otherwise: "allow" };
}

/**
 * Opens a judge that uses the agent loop's policy like a session without terminal: what is not allowed is denied.
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
