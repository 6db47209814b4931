import { type Dependencies, type Engine, EngineError, type SessionInput } from "@switchyard/contracts";
import { capabilitiesOf } from "@switchyard/engine";
import { describeIssues, invalidInput, problemOfMessages } from "../input/parse-session-input.ts";
import { isRecord } from "../run-store/event-line.ts";
import type { StartSessionOptions } from "../session/start-session-options.ts";

/** The name of an engine and the engine itself. */
export interface NamedEngine {
  /** Name for records, results and messages. */
  name: string;
  /** The engine. */
  engine: Engine;
}

/**
 * Refuses options that lack what every session needs; the compiler says it first, unless there is none. Throws
 * `config.invalid`.
 */
export function assertOptions(options: StartSessionOptions): void {
  const given: unknown = options;
  const { engine, environment, stateDirectory } = isRecord(given) ? given : {};
  const hasEngine = typeof engine === "string" || (isRecord(engine) && typeof engine["execute"] === "function");
  if (!hasEngine) throw invalidOption("engine", "it is neither an engine nor the name of one");
  if (!isRecord(environment))
    throw invalidOption("environment", "it is neither an environment nor the settings of one");
  if (typeof stateDirectory !== "string" || stateDirectory === "") {
    throw invalidOption("stateDirectory", "it is no path of a folder");
  }
}

function invalidOption(field: string, problem: string): EngineError {
  return new EngineError("config.invalid", { field, problem });
}

/** Finds the engine of a session. Rejects with `engine.not_found`. architecture: flow 1. */
export async function resolveEngine(options: StartSessionOptions): Promise<NamedEngine> {
  const { engine, registry, engineName } = options;
  if (typeof engine !== "string") return { name: engineName ?? "custom", engine };
  if (registry === undefined) throw new EngineError("engine.not_found", { engine, known: [] });
  return { name: engineName ?? engine, engine: await registry.resolve(engine) };
}

/** Refuses an input that no engine could work on. Throws `input.invalid`. architecture: flow 3. */
export async function assertInput(input: SessionInput): Promise<void> {
  if (!isRecord(input) || !isPlainInput(input)) {
    const { sessionInputSchema } = await import("@switchyard/contracts/schemas");
    const parsed = sessionInputSchema.safeParse(input);
    if (!parsed.success) throw invalidInput("of the session", describeIssues(parsed.error.issues));
  }
  const problem = problemOfMessages(input);
  if (problem !== undefined) throw invalidInput("of the session", problem);
}

/** Refuses an engine that cannot run here. Throws `engine.*`. architecture: flow 3. */
export function assertRunnable({ name, engine }: NamedEngine, deps: Dependencies, options: StartSessionOptions): void {
  const capabilities = capabilitiesOf(engine);
  for (const dependency of capabilities.requiredDependencies ?? []) {
    if (!deps.has(dependency)) throw new EngineError("engine.missing_dependency", { engine: name, dependency });
  }
  const isHeadless = options.userPrompter === undefined && options.isAnswerable !== true;
  if (capabilities.emitsUserPrompt === true && isHeadless) throw new EngineError("engine.needs_user", { engine: name });
}

/** The usual input needs no schema, which takes a while to load. */
function isPlainInput({ messages, kwargs, max_turns, timeout_seconds }: SessionInput): boolean {
  const isConversation = Array.isArray(messages) && messages.every(isPlainMessage);
  return isConversation && kwargs === undefined && isLimit(max_turns) && isLimit(timeout_seconds);
}

function isPlainMessage(message: unknown): boolean {
  if (!isRecord(message) || typeof message["content"] !== "string") return false;
  return message["role"] === "user" || message["role"] === "assistant" || message["role"] === "system";
}

function isLimit(value: unknown): boolean {
  return value === undefined || (typeof value === "number" && Number.isInteger(value) && value >= 0);
}
