import { EngineError } from "@switchyard/contracts";
import type { EvalCase } from "../suite/eval-suite.ts";
import type { HarborTask, HarborVariables } from "./harbor-task.ts";

/** Variables of the host, in the format of `process.env`. */
export type HostVariables = Readonly<Record<string, string | undefined>>;

const REFERENCE = /^\$\{(?<name>[A-Za-z_]\w*)(?::-(?<fallback>.*))?\}$/su;

/**
 * Replaces values that refer to a variable of the host. If the host's variable is not set and the reference has no
 * default, the variable is omitted.
 */
export function resolveVariables(variables: HarborVariables, host: HostVariables): Record<string, string> {
  const resolved = Object.entries(variables).map(([name, value]) => [name, resolve(value, host)] as const);
  return Object.fromEntries(resolved.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
}

function resolve(value: string, host: HostVariables): string | undefined {
  const { name, fallback } = REFERENCE.exec(value)?.groups ?? {};
  if (name === undefined) return value;
  return (Object.hasOwn(host, name) ? host[name] : undefined) ?? fallback;
}

/** Throws `config.invalid_eval` if a task refers to variables of the host that are not set. */
export function assertVariables(cases: readonly EvalCase[], host: HostVariables, suite: string): void {
  const problems = cases.flatMap(({ id, task }) =>
    task === undefined ? [] : missingOf(task, host).map((problem) => `${id}/task.toml: ${problem}`),
  );
  if (problems.length > 0) throw new EngineError("config.invalid_eval", { path: suite, problems: problems.join("\n") });
}

function missingOf({ variables, agent, verifier, solution }: HarborTask, host: HostVariables): string[] {
  const tables = {
    "environment.env": variables,
    "agent.env": agent.variables,
    "verifier.env": verifier.variables,
    "solution.env": solution?.variables ?? {},
  };
  return Object.entries(tables).flatMap(([table, values]) =>
    Object.entries(values)
      .filter(([, value]) => resolve(value, host) === undefined)
      .map(([name, value]) => `${table}.${name} refers to ${value}, which is not set`),
  );
}
