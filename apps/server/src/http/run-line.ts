/** What is logged of a run that is over: nothing of what it was asked and what it answered. */
export interface RunLine {
  /** When it was over, ISO 8601. */
  readonly time: string;
  /** `info`. */
  readonly level: "info";
  /** What the line is about. */
  readonly message: "run";
  /** Id of the run. */
  readonly run_id: string;
  /** How it ended. */
  readonly run_status: string;
  /** Whose it is. */
  readonly owner: string;
}
