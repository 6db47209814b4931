import type { ApproveToolCall, AskUser } from "../approval/approval-request.ts";
import { createApprovalPolicy } from "../approval/create-approval-policy.ts";
import type { SessionOptions } from "../session/session-options.ts";
import { BoardAllowances } from "./board-allowances.ts";
import type { SessionRun } from "./session-run.ts";

/** Asks the host of a run, in the name of the step that is going on. engine: UserPrompter. */
function askHostOf({ host }: SessionRun, step: () => string): AskUser {
  return (prompt, { signal }) => host.askUser({ source: step(), ...prompt }, { signal });
}

/** The policy of a run; one that is data remembers what was allowed for as long as the run goes on, wherever. */
function approvalOf({ approval, environment, board, run }: SessionRun, ask: AskUser): ApproveToolCall | undefined {
  if (approval === undefined || typeof approval === "function") return approval;
  const policy = { workspace: environment.workingDirectory, ...approval };
  return createApprovalPolicy({ ...policy, ask, allowed: new BoardAllowances(board, run.id, policy) });
}

/** How the session of a run asks and decides, and what its hooks are told of the run. loop: §8. */
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
