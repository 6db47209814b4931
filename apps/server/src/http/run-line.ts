/** Log line of a finished run, without its input and output. */
export interface RunLine {
  /** End time, ISO 8601. */
  readonly time: string;
  /** Log level. */
  readonly level: "info";
  /** Type of the log line. */
  readonly message: "run";
  /** Id of the run. */
  readonly run_id: string;
  /** Final status. */
  readonly run_status: string;
  /** Owner of the run. */
  readonly owner: string;
}
