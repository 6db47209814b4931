import type { RunCommandOptions } from "../run/run-command-options.ts";

/** Options of the command `chat`: the options of `run` that are useful for a conversation. */
export type ChatCommandOptions = Omit<
  RunCommandOptions,
  "input" | "output" | "outputSchema" | "events" | "json" | "image" | "patch" | "forkedFrom" | "keepRawOutput"
>;
