import type { Envelope } from "../events/envelope.ts";
import type { Usage } from "../model/usage.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { InterruptSource } from "./interrupt.ts";
import type { UserPrompt, UserReply } from "./user-prompt.ts";

/** Publishes events. engine: Publisher. */
export interface Publisher {
  /** Publishes one envelope. Contract: a failure is the host's to record; engines go on. */
  publish(envelope: Envelope): Promise<void>;
}

/** Tells whether the run should stop. engine: Interrupter. */
export interface Interrupter {
  /** Where interrupts come from; nothing means that none ever comes. */
  interrupts(): InterruptSource | undefined;
}

/** Asks the user. engine: UserPrompter. */
export interface UserPrompter {
  /** Waits for the answer. Rejects with `prompt.unavailable` where nobody can answer. */
  askUser(prompt: UserPrompt, options?: { signal?: AbortSignal }): Promise<UserReply>;
}

/** Keeps checkpoints. engine: Checkpointer. */
export interface Checkpointer {
  /** Takes a checkpoint at a safe boundary. Contract: resolves where nothing is kept; proves no durability. */
  checkpoint(checkpoint: Checkpoint): Promise<void>;
}

/** Counts tokens. engine: UsageReporter. */
export interface UsageReporter {
  /** Takes the usage of one model call. Rejects with class `budget_exceeded` when no further call is allowed. */
  reportUsage(usage: Usage): Promise<void>;
}

/** What a runtime offers to a running engine; safe for concurrent use. engine: Host. */
export type Host = Publisher & Interrupter & UserPrompter & Checkpointer & UsageReporter;

/** Wraps a host. engine: HostMiddleware. */
export type HostMiddleware = (inner: Host) => Host;
