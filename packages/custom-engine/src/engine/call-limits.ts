import type { ConversationState } from "./conversation.ts";
import type { Job } from "./job.ts";

/** Time limit of one call of the custom engine. */
export interface Limits {
  readonly timeoutMs?: number | undefined;
  /** True if the time limit is the remaining time of the whole run, not the engine's limit per call. */
  readonly isCase: boolean;
}

/** Longest delay of a timer, about 24 days. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * Returns the smaller of the engine's time limit per call and the remaining time of the run. See custom-engine: process
 * and time bounds.
 */
export function limitsOf({ config, input, startedMs }: Job, { usedMs }: ConversationState): Limits {
  const configuredMs = config.timeoutSeconds === undefined ? undefined : config.timeoutSeconds * 1000;
  const { timeout_seconds: seconds = 0 } = input;
  if (seconds === 0)
    return {
      timeoutMs: configuredMs === undefined ? undefined : Math.min(configuredMs, MAX_TIMEOUT_MS),
      isCase: false,
    };
  const ofThis = usedMs === 0 ? performance.now() - startedMs : 0;
  const remainingMs = Math.min(MAX_TIMEOUT_MS, Math.max(1, Math.ceil(seconds * 1000 - usedMs - ofThis)));
  return configuredMs !== undefined && configuredMs < remainingMs
    ? { timeoutMs: configuredMs, isCase: false }
    : { timeoutMs: remainingMs, isCase: true };
}
