import type { ExecutionEnvironment } from "../environment/execution-environment.ts";
import type { OutputSpool } from "../tool/output-spool.ts";
import type { ToolSource } from "../tool/tool-source.ts";
import type { ControlSource, HistoryStore, SecretSink } from "./dependencies.ts";

function hasMethods(value: unknown, names: readonly string[]): boolean {
  if (typeof value !== "object" || value === null) return false;
  return names.every((name) => typeof Reflect.get(value, name) === "function");
}

/** Whether a dependency is an environment: the guard for `DEPENDENCY.environment`. */
export function isExecutionEnvironment(value: unknown): value is ExecutionEnvironment {
  return hasMethods(value, ["readFile", "writeFile", "exec", "shell", "grep", "glob"]);
}

/** Whether a dependency is a source of control messages: the guard for `DEPENDENCY.control`. */
export function isControlSource(value: unknown): value is ControlSource {
  return hasMethods(value, ["drain", "onMessage"]);
}

/** Whether a dependency keeps outputs: the guard for `DEPENDENCY.outputSpool`. */
export function isOutputSpool(value: unknown): value is OutputSpool {
  return hasMethods(value, ["open"]);
}

/** Whether a dependency is a history store: the guard for `DEPENDENCY.historyStore`. */
export function isHistoryStore(value: unknown): value is HistoryStore {
  return hasMethods(value, ["load"]);
}

/** Whether a dependency takes secrets: the guard for `DEPENDENCY.secretSink`. */
export function isSecretSink(value: unknown): value is SecretSink {
  return hasMethods(value, ["add"]);
}

/** Whether a dependency offers further tools: the guard for `DEPENDENCY.toolRegistry`. */
export function isToolSource(value: unknown): value is ToolSource {
  return hasMethods(value, ["tools", "onChange"]);
}
