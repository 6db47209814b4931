/** Location of a stored run. */
export interface RunLocation {
  /** State folder: the one that holds run folders, locks and worktrees. */
  readonly state: string;
  /** Id of the run. */
  readonly runId: string;
}
