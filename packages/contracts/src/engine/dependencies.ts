import type { Checkpoint } from "./checkpoint.ts";

/** Typed things a host hands to a run, by key. engine: Dependencies. */
export interface Dependencies {
  /** The value of a key. */
  get(key: unknown): unknown;
  /** Whether a key is set. */
  has(key: unknown): boolean;
  /** Sets a key. */
  set(key: unknown, value: unknown): void;
  /** Removes a key; a missing one is ignored. */
  remove(key: unknown): void;
  /** A container of its own with the same values. */
  clone(): Dependencies;
}

/**
 * Names of conventional dependencies, the vocabulary of `Capabilities.requiredDependencies`: the package that defines
 * the value, a dot, and a noun. engine: depname.
 */
export const DEPENDENCY = {
  /** A `Client`. */
  llmClient: "llm.client",
  /** A function that finds a client for a model reference. */
  llmResolver: "llm.resolver",
  /** Where model calls are recorded: `ModelCallRecorder`. */
  llmRecorder: "llm.recorder",
  /** Additional tools: a `ToolSource`. */
  toolRegistry: "tool.registry",
  /** Names of the tools the run may use; an empty list permits none. */
  toolAllowedNames: "tool.allowed_names",
  /** The conversation that a run continues: `HistoryStore`. */
  historyStore: "history.store",
  /** An `ExecutionEnvironment`. */
  environment: "environment.execution",
  /** A source of steering and follow-up messages: `ControlSource`. */
  control: "session.control",
  /** Secrets by name. */
  secrets: "secrets.values",
  /** Where secrets go that the run comes by on its way: `SecretSink`. */
  secretSink: "secrets.sink",
  /** Where outputs of tools go that are too large for an event: `OutputSpool`. */
  outputSpool: "tool.output_spool",
} as const;

/** Takes secrets that nobody knew when the run began, such as a token that was refreshed. Contract: never throws. */
export interface SecretSink {
  /** From now on the value appears in no event, report or recording of the run. */
  add(value: string): void;
}

/** Takes a recording of the run's model calls, line by line. Contract: never throws; masking is done by whoever writes. */
export interface ModelCallRecorder {
  /** Takes one line without its end. */
  write(line: string): void;
  /** The line's data without secrets. */
  maskData<T>(data: T): T;
}

/**
 * The conversation that a run continues. An engine that is given one may also store its state at the end of the run as a
 * checkpoint, so that a later run can continue it.
 */
export interface HistoryStore {
  /** Newest checkpoint of the run whose conversation is continued; `undefined` for a new conversation. */
  load(): Promise<Checkpoint | undefined>;
}

/** What a person says to a running engine. */
export type ControlMessage =
  | { readonly type: "steer"; readonly text: string }
  | { readonly type: "follow_up"; readonly text: string };

/**
 * Where control messages come from. Contract: each message is handed out once; an engine that takes one has it in
 * every checkpoint from then on until it was dealt with, since a host gives those again that no checkpoint knows of.
 */
export interface ControlSource {
  /** Everything that arrived since the last call, in order. */
  drain(): readonly ControlMessage[];
  /** Calls back whenever something arrives; the returned function ends that. */
  onMessage(listener: () => void): () => void;
}
