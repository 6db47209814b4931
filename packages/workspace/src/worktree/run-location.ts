/** State folder and id of a stored run. */
export interface RunLocation {
  /** State folder, which contains the run folders, locks and worktrees. */
  readonly state: string;
  /** Id of the run. */
  readonly runId: string;
}
