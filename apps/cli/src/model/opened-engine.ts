import type { StartSessionOptions } from "@switchyard/runner";

/** An engine, as the options of a session. */
export type OpenedEngine = Pick<
  StartSessionOptions,
  "engine" | "engineName" | "model" | "secrets" | "createdBy" | "retry"
>;
