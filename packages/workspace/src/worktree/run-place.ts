/** Where a run is kept. */
export interface RunPlace {
  /** Folder with the run folders. */
  readonly state: string;
  /** Id of the run. */
  readonly runId: string;
}
