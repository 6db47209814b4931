import type { ExecutionEnvironment } from "@switchyard/contracts";

const bases = new WeakMap<ExecutionEnvironment, ExecutionEnvironment>();

/** Records that an environment is a view of another one. */
export function noteBase(view: ExecutionEnvironment, base: ExecutionEnvironment): void {
  bases.set(view, baseEnvironmentOf(base));
}

/** Returns the environment that a chain of views is based on. Returns the environment itself if it is not a view. */
export function baseEnvironmentOf(environment: ExecutionEnvironment): ExecutionEnvironment {
  return bases.get(environment) ?? environment;
}
