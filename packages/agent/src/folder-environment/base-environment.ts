import type { ExecutionEnvironment } from "@switchyard/contracts";

const bases = new WeakMap<ExecutionEnvironment, ExecutionEnvironment>();

/** Notes that an environment is a view of another one. */
export function noteBase(view: ExecutionEnvironment, base: ExecutionEnvironment): void {
  bases.set(view, baseEnvironmentOf(base));
}

/** The environment behind the views of it; the environment itself when it is none. */
export function baseEnvironmentOf(environment: ExecutionEnvironment): ExecutionEnvironment {
  return bases.get(environment) ?? environment;
}
