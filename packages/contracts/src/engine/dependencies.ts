import type { Checkpoint } from "./checkpoint.ts";

/** Values that a host provides to a run, by key. See engine: Dependencies. */
export interface Dependencies {
  /** Returns the dependency of a key; `undefined` if the key is not set. */
  get(key: unknown): unknown;
  /** Returns true if a key is set. */
  has(key: unknown): boolean;
  /** Sets a key. */
  set(key: unknown, value: unknown): void;
  /** Removes a dependency by key; does nothing if the key is not set. */
  remove(key: unknown): void;
  /** Returns a separate container with the same values. */
  clone(): Dependencies;
}

/**
 * Names of the dependencies that the platform defines: objects that a host provides to a run.
 * `Capabilities.requiredDependencies` contains such names. A name consists of the defining package, a dot, and a noun.
 * See engine: depname.
 */
export const DEPENDENCY = {
  /** A `Client`. */
  llmClient: "llm.client",
  /** Budget for the model calls of the run: a `ModelBudgetSource`. */
  modelBudget: "llm.budget",
  /** Budget that the run shares with other runs: a `SharedModelBudget`. */
  sharedBudget: "llm.shared_budget",
  /** A function that returns a client for a model reference. */
  llmResolver: "llm.resolver",
  /** Recorder of model calls: a `ModelCallRecorder`. */
  llmRecorder: "llm.recorder",
  /** Additional tools: a `ToolSource`. */
  toolRegistry: "tool.registry",
  /** Names of the tools that the run may use. An empty list allows none. */
  toolAllowedNames: "tool.allowed_names",
  /** Store of the conversation that the run continues: a `HistoryStore`. */
  historyStore: "history.store",
  /** An `ExecutionEnvironment`. */
  environment: "environment.execution",
  /** Source of messages that the user sends to the running engine: a `ControlSource`. */
  control: "session.control",
  /** Secrets by name. */
  secrets: "secrets.values",
  /** Receiver of secrets that are obtained during the run: a `SecretSink`. */
  secretSink: "secrets.sink",
  /** Storage for tool output that is too large for an event: an `OutputSpool`. */
  outputSpool: "tool.output_spool",
  /** Journal of a run's effects, such as tool calls, if the run is executed step by step: an `EffectJournal`. */
  effectJournal: "run.effect_journal",
} as const;

/** Receives secrets that were not known when the run began, such as a refreshed token. Contract: never throws. */
export interface SecretSink {
  /** Adds a secret. From then on, the value is masked in events, reports and recordings of the run. */
  add(value: string): void;
}

/** What a run may still spend on model calls. Absent limits do not apply. */
export interface RemainingModelBudget {
  /** Number of model calls. */
  readonly calls?: number | undefined;
  /** Number of input and output tokens. */
  readonly tokens?: number | undefined;
  /** Cost, in millionths of a US dollar. */
  readonly costMicros?: number | undefined;
}

/** Budget of a run's model calls, for hosts that enforce the budget before each call. */
export interface ModelBudgetSource {
  /** Returns the budget that is left: the limits of the run minus what was used so far. */
  remaining(): RemainingModelBudget;
}

/**
 * Writes the model calls of a run as lines of text. Contract: never throws; callers mask secrets first with `maskData`.
 */
export interface ModelCallRecorder {
  /** Writes one line of output, given without the line ending. */
  write(line: string): void;
  /** Returns the data with secrets masked. */
  maskData<T>(data: T): T;
}

/**
 * Provides the conversation that a run continues. An engine that continues conversations may also store its final state
 * as a checkpoint, so that a later run can continue from there.
 */
export interface HistoryStore {
  /** Resolves with the newest checkpoint of the continued run; `undefined` for a new conversation. */
  load(): Promise<Checkpoint | undefined>;
}

/** A message from the user or host to a running engine. */
export type ControlMessage =
  | { readonly type: "steer"; readonly text: string }
  | { readonly type: "follow_up"; readonly text: string };

/**
 * Source of control messages. Contract: each message is returned once. The engine includes a message in every
 * checkpoint until the message is handled. On resume, the host again delivers each message that is missing from the
 * checkpoint.
 */
export interface ControlSource {
  /** Returns all messages that arrived since the last call, in order. */
  drain(): readonly ControlMessage[];
  /** Calls the listener whenever a message arrives. Returns a function that unsubscribes. */
  onMessage(listener: () => void): () => void;
}
