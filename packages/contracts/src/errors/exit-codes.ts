/** Meaning of one exit status of the CLI. */
export interface ExitCodeRow {
  /** Exit status. */
  readonly code: number;
  /** Short name, for the list in the CLI help. */
  readonly name: string;
  /** Condition under which a command exits with this status. */
  readonly meaning: string;
  /** What a script can do next. */
  readonly next: string;
}

/**
 * Exit statuses of the CLI; each has the same meaning for all commands. The CLI help and docs/reference/exit-codes.md
 * are generated from this table.
 */
export const EXIT_CODES: readonly ExitCodeRow[] = [
  {
    code: 0,
    name: "done",
    meaning:
      "The command did what it was asked, and its whole output was written. `serve` and `worker` also end with 0 if SIGINT, SIGTERM or SIGHUP stopped them and they stopped cleanly: runs are stored, and tasks of a queue are returned to the queue. A worker that was stopped before `--max-runs` runs had ended exits with 3.",
    next: "Use the output.",
  },
  {
    code: 1,
    name: "failed",
    meaning:
      "The command finished its work, and the outcome is negative: the task failed, an evaluation or a fan-out has failed cases, a tool reported an error, or a check found a problem.",
    next: "Read the result.",
  },
  {
    code: 2,
    name: "nothing started",
    meaning:
      "Nothing was started and nothing was changed. The arguments, the configuration or the input are invalid, the state folder or the output cannot be written, or the command was refused, for example because another run uses the folder, the run is over, its changes cannot be reverted, or the workspace is not trusted.",
    next: "Correct what the message names and run the command again.",
  },
  {
    code: 3,
    name: "incomplete",
    meaning:
      "Work was started but not finished: a model provider, an agent or an environment failed, a limit was reached, a stored run is damaged, or some cases of an evaluation ended in errors or were skipped.",
    next: "Check the results so far; `switchyard resume` continues a run.",
  },
  {
    code: 4,
    name: "output lost",
    meaning:
      "The work was done, but its output could not be written completely, for example because the disk is full or the pipe was closed. A disk that becomes full does not stop a run. The message says where the result is stored.",
    next: "Read the stored result. Do not repeat the work.",
  },
  {
    code: 5,
    name: "regression",
    meaning:
      "`eval compare --gate` compared the results of two evaluations, and the new results are worse: the pass rate fell beyond chance, a limit of cost or time is exceeded, or cases of the base are missing.",
    next: "Read the comparison. It names each reason.",
  },
  {
    code: 129,
    name: "SIGHUP",
    meaning:
      "SIGHUP interrupted the command, and it stopped cleanly. The exit code is 128 plus the number of the signal.",
    next: "`switchyard resume` continues a run.",
  },
  {
    code: 130,
    name: "interrupted",
    meaning:
      "Ctrl-C (SIGINT) interrupted the command, or a run was interrupted for another reason: the reader of its live output closed the pipe, or a question of the agent could not be answered.",
    next: "`switchyard resume` continues a run.",
  },
  {
    code: 143,
    name: "SIGTERM",
    meaning: "SIGTERM interrupted the command, and it stopped cleanly.",
    next: "`switchyard resume` continues a run.",
  },
];
