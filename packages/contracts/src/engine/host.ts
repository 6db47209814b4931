import type { Envelope } from "../events/envelope.ts";
import type { Usage } from "../model/usage.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { InterruptSource } from "./interrupt.ts";
import type { UserPrompt, UserReply } from "./user-prompt.ts";

/** Publishes events. See engine: Publisher. */
export interface Publisher {
  /**
   * Publishes one envelope. Contract: never rejects if publishing fails; the host records the failure and the engine
   * continues.
   */
  publish(envelope: Envelope): Promise<void>;
}

/** Tells the engine that the run should stop. See engine: Interrupter. */
export interface Interrupter {
  /** Returns the source of interrupts; `undefined` if the run cannot be interrupted. */
  interrupts(): InterruptSource | undefined;
}

/** Asks the user questions. See engine: UserPrompter. */
export interface UserPrompter {
  /** Asks a question and resolves with the answer. Rejects with `prompt.unavailable` if no user is available. */
  askUser(prompt: UserPrompt, options?: { signal?: AbortSignal }): Promise<UserReply>;
}

/** Stores checkpoints. See engine: Checkpointer. */
export interface Checkpointer {
  /**
   * Stores a checkpoint. Engines call this method between steps, when their state is consistent. Contract: also
   * resolves if the host stores nothing, so resolving does not prove durability.
   */
  checkpoint(checkpoint: Checkpoint): Promise<void>;
}

/** Receives token usage. See engine: UsageReporter. */
export interface UsageReporter {
  /** Reports the usage of one model call. Rejects with class `budget_exceeded` if no further call is allowed. */
  reportUsage(usage: Usage): Promise<void>;
}

/** Services that a runtime provides to a running engine; safe for concurrent use. See engine: Host. */
export type Host = Publisher & Interrupter & UserPrompter & Checkpointer & UsageReporter;

/** Wraps a host to change its behaviour. See engine: HostMiddleware. */
export type HostMiddleware = (inner: Host) => Host;
