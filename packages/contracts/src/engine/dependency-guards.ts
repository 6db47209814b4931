import type { ExecutionEnvironment } from "../environment/execution-environment.ts";
import type { OutputSpool } from "../tool/output-spool.ts";
import type { ToolSource } from "../tool/tool-source.ts";
import type { ControlSource, HistoryStore, ModelBudgetSource, SecretSink } from "./dependencies.ts";
import type { EffectJournal } from "./effect-journal.ts";
import type { SharedModelBudget } from "./shared-budget.ts";

function hasMethods(value: unknown, names: readonly string[]): boolean {
  if (typeof value !== "object" || value === null) return false;
  return names.every((name) => typeof Reflect.get(value, name) === "function");
}

/** Returns true if a value is an execution environment, the type of the dependency `DEPENDENCY.environment`. */
export function isExecutionEnvironment(value: unknown): value is ExecutionEnvironment {
  return hasMethods(value, ["readFile", "writeFile", "exec", "shell", "grep", "glob"]);
}

/** Returns true if a value is a source of control messages, the type of the dependency `DEPENDENCY.control`. */
export function isControlSource(value: unknown): value is ControlSource {
  return hasMethods(value, ["drain", "onMessage"]);
}

/** Returns true if a value is a budget of model calls, the type of the dependency `DEPENDENCY.modelBudget`. */
export function isModelBudgetSource(value: unknown): value is ModelBudgetSource {
  return hasMethods(value, ["remaining"]);
}

/** Returns true if a value is a shared budget, the type of the dependency `DEPENDENCY.sharedBudget`. */
export function isSharedModelBudget(value: unknown): value is SharedModelBudget {
  return hasMethods(value, ["reserve", "refusal"]);
}

/**
 * Returns true if a value is an output spool (storage for large tool output), the type of the dependency
 * `DEPENDENCY.outputSpool`.
 */
export function isOutputSpool(value: unknown): value is OutputSpool {
  return hasMethods(value, ["open"]);
}

/** Returns true if a value is a history store, the type of the dependency `DEPENDENCY.historyStore`. */
export function isHistoryStore(value: unknown): value is HistoryStore {
  return hasMethods(value, ["load"]);
}

/** Returns true if a value is a secret sink, the type of the dependency `DEPENDENCY.secretSink`. */
export function isSecretSink(value: unknown): value is SecretSink {
  return hasMethods(value, ["add"]);
}

/** Returns true if a value is a tool source, the type of the dependency `DEPENDENCY.toolRegistry`. */
export function isToolSource(value: unknown): value is ToolSource {
  return hasMethods(value, ["tools", "onChange"]);
}

/**
 * Returns true if a value is an effect journal (which tool calls may have been started), the type of the dependency
 * `DEPENDENCY.effectJournal`.
 */
export function isEffectJournal(value: unknown): value is EffectJournal {
  return hasMethods(value, ["find", "intend", "begin", "end", "forget"]);
}
