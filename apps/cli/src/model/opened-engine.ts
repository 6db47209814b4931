import type { StartSessionOptions } from "@switchyard/runner";

/** Engine options of a session. */
export type OpenedEngine = Pick<
  StartSessionOptions,
  "engine" | "engineName" | "model" | "secrets" | "createdBy" | "retry"
>;
