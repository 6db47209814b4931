import { type Engine, EngineError, type Run, type SessionInput } from "@switchyard/contracts";
import { assertBudget, capabilitiesOf, preflight } from "@switchyard/engine";
import { isRecord } from "../input/is-record.ts";
import { describeIssues, invalidInput, problemOfMessages } from "../input/parse-session-input.ts";
import type { SessionOptions } from "../session/session-options.ts";

/** Engine with its name. */
export interface NamedEngine {
  /** Name of the engine for records, results and messages. */
  name: string;
  /** The engine. */
  engine: Engine;
}

/** Checks the options that every session requires, for callers without a type checker. Throws `config.invalid`. */
export function assertOptions(options: SessionOptions): void {
  const given: unknown = options;
  const { engine, environment, stateDirectory, store, retry } = isRecord(given) ? given : {};
  const hasEngine = typeof engine === "string" || (isRecord(engine) && typeof engine["execute"] === "function");
  if (!hasEngine) throw invalidOption("engine", "it is neither an engine nor the name of one");
  if (!isRecord(environment))
    throw invalidOption("environment", "it is neither an environment nor the settings of one");
  assertRetry(retry);
  if (options.budget !== undefined) assertBudget(options.budget);
  const isPath = typeof stateDirectory === "string" && stateDirectory !== "";
  if (store !== undefined && !isRecord(store)) throw invalidOption("store", "it is not a run store");
  if (!isPath && (store === undefined || stateDirectory !== undefined)) {
    throw invalidOption("stateDirectory", "it is not the path of a folder");
  }
}

function assertRetry(retry: unknown): void {
  if (retry === undefined) return;
  const most = isRecord(retry) ? retry["maxAttempts"] : undefined;
  if (typeof most === "number" && Number.isSafeInteger(most) && most >= 1) return;
  throw invalidOption("retry.maxAttempts", "it is not a whole number of 1 or more");
}

function invalidOption(field: string, problem: string): EngineError {
  return new EngineError("config.invalid", { field, problem });
}

/** Returns the engine of a session. Rejects with `engine.not_found`. */
export async function resolveEngine(
  options: Pick<SessionOptions, "engine" | "registry" | "engineName">,
): Promise<NamedEngine> {
  const { engine, registry, engineName } = options;
  if (typeof engine !== "string") return { name: engineName ?? "custom", engine };
  if (registry === undefined) throw new EngineError("engine.not_found", { engine, known: [] });
  return { name: engineName ?? engine, engine: await registry.resolve(engine) };
}

/** Rejects an input that is invalid for every engine. Throws `input.invalid`. */
export async function assertInput(input: SessionInput): Promise<void> {
  if (!isRecord(input) || !isPlainInput(input)) {
    const { sessionInputSchema } = await import("@switchyard/contracts/schemas");
    const parsed = sessionInputSchema.safeParse(input);
    if (!parsed.success) throw invalidInput("of the session", describeIssues(parsed.error.issues));
  }
  const problem = problemOfMessages(input);
  if (problem !== undefined) throw invalidInput("of the session", problem);
}

/**
 * Checks that an engine can run in this environment and can resume from the run's checkpoint. Throws `engine.*` or
 * `checkpoint.*` if not. See architecture: decision 3.
 */
export function assertRunnable({ name, engine }: NamedEngine, run: Run, options: SessionOptions): void {
  assertRetryable({ name, engine }, options);
  const headless = options.userPrompter === undefined && options.isAnswerable !== true;
  preflight(engine, run, { name, headless });
}

/**
 * Rejects retry options if a failed attempt of the engine may already have had side effects. Throws `config.invalid`.
 * See durability promise D9.
 */
export function assertRetryable({ name, engine }: NamedEngine, { retry }: Pick<SessionOptions, "retry">): void {
  if ((retry?.maxAttempts ?? 1) <= 1 || capabilitiesOf(engine).emitsCheckpoint === true) return;
  const problem = `the engine ${name} stores no checkpoints, and may have done something already`;
  throw invalidOption("retry.maxAttempts", problem);
}

/** Recognizes simple valid inputs without loading the schema, which takes time. */
function isPlainInput({ messages, kwargs, max_turns, timeout_seconds, retry_for_seconds }: SessionInput): boolean {
  const isConversation = Array.isArray(messages) && messages.every(isPlainMessage);
  return isConversation && kwargs === undefined && [max_turns, timeout_seconds, retry_for_seconds].every(isLimit);
}

function isPlainMessage(message: unknown): boolean {
  if (!isRecord(message) || typeof message["content"] !== "string" || message["images"] !== undefined) return false;
  return message["role"] === "user" || message["role"] === "assistant" || message["role"] === "system";
}

function isLimit(value: unknown): boolean {
  return value === undefined || (typeof value === "number" && Number.isInteger(value) && value >= 0);
}
