import type { ToolEffects } from "../tool/registered-tool.ts";

/** An effect that an engine will start after its next checkpoint, such as a tool call. */
export interface IntendedEffect {
  /** Id of the effect, unique within the run. */
  readonly id: string;
  /** Name of what is executed, such as the name of a tool. */
  readonly name: string;
  /** Kind of the effect. Only `unsafe` effects need protection from repetition. */
  readonly effects: ToolEffects;
  /** Arguments of the call as JSON text. `undefined` if the effect has no arguments. */
  readonly arguments?: string | undefined;
}

/**
 * What a host knows about an effect. `new`: the engine has not declared the effect. `intended`: declared, and no
 * process has started it. `unknown`: a process may have started the effect, and its outcome is not recorded. `done`:
 * ended, with the recorded outcome.
 */
export type EffectStatus =
  | { readonly kind: "new" | "intended" | "unknown" }
  | { readonly kind: "done"; readonly outcome: unknown };

/**
 * Journal of a run's effects, provided as the dependency `DEPENDENCY.effectJournal`. A host provides a journal if it
 * executes the run step by step. Without a journal, an engine that resumes from a checkpoint cannot tell which effects
 * an earlier process has started, and must assume that all of them were started.
 *
 * Contract for engines: call `intend` before the checkpoint that precedes an effect, `begin` immediately before an
 * `unsafe` effect, `end` when an effect has ended, and `forget` when the effect's outcome is part of the state that the
 * next checkpoint contains. Start an `unsafe` effect only if `find` returned `intended`.
 */
export interface EffectJournal {
  /** Returns what is known about an effect. */
  find(id: string): EffectStatus;
  /** Declares the effects, such as tool calls, that the engine will start after its next checkpoint. */
  intend(effects: readonly IntendedEffect[]): void;
  /** Called when an effect starts. Throws `run.interrupted` if the effect must not start, because the step ends. */
  begin(id: string): void;
  /** Stores the outcome of an effect, as plain data. */
  end(id: string, outcome: unknown): void;
  /** Removes effects from the journal, because the next checkpoint contains their outcomes. */
  forget(ids: readonly string[]): void;
}
