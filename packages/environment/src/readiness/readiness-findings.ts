import type { EnvironmentConfig } from "../environment-config.ts";
import type { MissingPart } from "../local/sandbox/sandbox-readiness.ts";

/** Whether environments of a type can be opened on this machine. */
export interface EnvironmentReadiness {
  /** Environment type. */
  readonly type: EnvironmentConfig["type"];
  /**
   * True if all local prerequisites are present. Problems inside a remote environment are found only when the
   * environment is opened.
   */
  readonly ok: boolean;
  /** Prerequisites found, one short phrase each: `Docker 27.1`, `/usr/bin/ssh`. */
  readonly found: readonly string[];
  /** Prerequisites to fix first. */
  readonly missing: readonly MissingPart[];
}

/** Result of checking one environment type. */
export type ReadinessFindings = Pick<EnvironmentReadiness, "found" | "missing">;
