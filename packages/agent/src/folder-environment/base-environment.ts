import type { ExecutionEnvironment } from "@switchyard/contracts";

const bases = new WeakMap<ExecutionEnvironment, ExecutionEnvironment>();

/** Records that an environment is a view of another one. */
export function noteBase(view: ExecutionEnvironment, base: ExecutionEnvironment): void {
  bases.set(view, baseEnvironmentOf(base));
}

/** Returns the environment below all views, or the environment itself. */
export function baseEnvironmentOf(environment: ExecutionEnvironment): ExecutionEnvironment {
  return bases.get(environment) ?? environment;
}
