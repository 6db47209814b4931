import type { EnvironmentVariables } from "@switchyard/contracts";

/** Milliseconds between SIGTERM and SIGKILL. See loop: §5.4. */
export const DEFAULT_KILL_GRACE_MS = 2000;
/** Default time, in milliseconds, to wait for processes that a finished command left running. */
export const DEFAULT_DRAIN_MS = 250;
/** Default maximum number of bytes that one read returns. */
export const DEFAULT_READ_BYTES: number = 50 * 1024 * 1024;

/** Options of every environment that runs real processes, as opposed to an emulated shell. */
export interface EnvironmentOptions {
  /**
   * Rules that select which environment variables commands see, and additional variables. Default: all variables of the
   * environment except secrets. See loop: §4.2.
   */
  readonly environmentVariables?: EnvironmentVariables | undefined;
  /** Milliseconds between SIGTERM and SIGKILL. Default: 2,000. See loop: §5.4. */
  readonly killGraceMs?: number | undefined;
  /**
   * Time, in milliseconds, to wait for the output of a finished command and for processes that the command left
   * running. Default: 250.
   */
  readonly drainMs?: number | undefined;
  /** Maximum number of bytes that one read returns. Default: 50 MiB. */
  readonly maxReadBytes?: number | undefined;
}

/** An HTTP proxy outside an environment. The environment closes the proxy when it is closed itself. */
export interface EnvironmentProxy extends AsyncDisposable {
  /** Absolute path of the Unix socket on which the proxy listens, on this machine. */
  readonly socketPath: string;
}
