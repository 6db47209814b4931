import type { EnvironmentConfig } from "../environment-config.ts";
import type { MissingPart } from "../local/sandbox/sandbox-readiness.ts";

/** Whether environments of a type can be opened on this machine. */
export interface EnvironmentReadiness {
  /** The type. */
  readonly type: EnvironmentConfig["type"];
  /** Whether everything it needs here is there. What a place itself is like, shows when it is opened. */
  readonly ok: boolean;
  /** What was found, one short phrase each: `Docker 27.1`, `/usr/bin/ssh`. */
  readonly found: readonly string[];
  /** What has to be put right first. */
  readonly missing: readonly MissingPart[];
}

/** Findings of the check of one environment type. */
export type ReadinessFindings = Pick<EnvironmentReadiness, "found" | "missing">;
