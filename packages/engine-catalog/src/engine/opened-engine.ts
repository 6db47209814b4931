import type { StartSessionOptions } from "@switchyard/runner";

/** Opened engine with the related session options. */
export type OpenedEngine = Pick<
  StartSessionOptions,
  "engine" | "engineName" | "model" | "secrets" | "createdBy" | "retry"
>;
