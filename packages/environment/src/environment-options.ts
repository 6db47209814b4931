import type { EnvironmentVariables } from "@switchyard/contracts";

/** From SIGTERM to SIGKILL. loop: §5.4. */
export const DEFAULT_KILL_GRACE_MS = 2000;
/** How long what a finished command left behind is waited for. */
export const DEFAULT_DRAIN_MS = 250;
/** Most bytes that one read hands out. */
export const DEFAULT_READ_BYTES: number = 50 * 1024 * 1024;

/** What every environment of real processes may be given. */
export interface EnvironmentOptions {
  /** Which variables of its place commands see, and what is set on top; everything but secrets by default. loop: §4.2. */
  readonly environmentVariables?: EnvironmentVariables | undefined;
  /** Milliseconds from SIGTERM to SIGKILL; 2,000 by default. loop: §5.4. */
  readonly killGraceMs?: number | undefined;
  /** Milliseconds that what a finished command left behind, and its output, is waited for; 250 by default. */
  readonly drainMs?: number | undefined;
  /** Most bytes that one read hands out; 50 MiB by default. */
  readonly maxReadBytes?: number | undefined;
}
