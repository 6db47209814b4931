import { RESUMABLE_RUN_STATUSES, type RunStatus } from "@switchyard/contracts";

/** The command that goes on with a run; `state` is the option the run was started with. */
export function resumeCommand(runId: string, state: string | undefined): string {
  return `switchyard resume ${runId}${state === undefined ? "" : ` --state ${quote(state)}`}`;
}

/** Whether a run in that state can be gone on with once nobody works on it. */
export function isResumable(status: RunStatus): boolean {
  return RESUMABLE_RUN_STATUSES.includes(status);
}

function quote(path: string): string {
  return /^[\w./~:@%+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
