import type { ApproveToolCall, AskUser } from "../approval/approval-request.ts";
import { createApprovalPolicy } from "../approval/create-approval-policy.ts";
import type { SessionOptions } from "../session/session-options.ts";
import { BoardAllowances } from "./board-allowances.ts";
import type { SessionRun } from "./session-run.ts";

/**
 * Returns a function that asks the user a question through the host of a run. The name of the current step is the
 * `source` of the question. See engine: UserPrompter.
 */
function askHostOf({ host }: SessionRun, step: () => string): AskUser {
  return (prompt, { signal }) => host.askUser({ source: step(), ...prompt }, { signal });
}

/**
 * Returns the approval function of a run. Calls that the user allowed for the session are stored on the board (shared
 * run state), so that they remain allowed after a resume.
 */
function approvalOf({ approval, environment, board, run }: SessionRun, ask: AskUser): ApproveToolCall | undefined {
  if (approval === undefined || typeof approval === "function") return approval;
  const policy = { workspace: environment.workingDirectory, ...approval };
  return createApprovalPolicy({ ...policy, ask, allowed: new BoardAllowances(board, run.id, policy) });
}

/** Returns the session options for questions, approvals and hooks of a run. See loop: §8. */
export function decisionsOf(
  job: SessionRun,
  step: () => string,
): Required<Pick<SessionOptions, "approve" | "askUser" | "hooks" | "attributes">> {
  const ask = askHostOf(job, step);
  return {
    approve: approvalOf(job, ask),
    askUser: job.askUser === true ? ask : undefined,
    hooks: job.hooks,
    attributes: job.run.attributes,
  };
}
