import type { ExecutionEnvironment } from "@switchyard/contracts";

const bases = new WeakMap<ExecutionEnvironment, ExecutionEnvironment>();

/** Remembers that an environment is a restricted view of a base environment. */
export function noteBase(view: ExecutionEnvironment, base: ExecutionEnvironment): void {
  bases.set(view, baseEnvironmentOf(base));
}

/**
 * Returns the environment on which a restricted view is based, also if views are nested. Returns any other environment
 * unchanged.
 */
export function baseEnvironmentOf(environment: ExecutionEnvironment): ExecutionEnvironment {
  return bases.get(environment) ?? environment;
}
