import type {
  ControlMessage,
  Envelope,
  IntendedEffect,
  SessionInput,
  SessionResult,
  Usage,
  UserPrompt,
  UserReply,
  WireError,
} from "@switchyard/contracts";

/** Version of the format of a {@link StepState}. Newer versions are rejected. */
export const STEP_STATE_FORMAT = 1;

/**
 * Status of a run after a step. `working`: the next step continues the run. `waiting`: the run needs answers to its
 * questions. `failed`: the engine failed; another step retries from the last checkpoint. `completed`, `interrupted` and
 * `cancelled` are final.
 */
export type StepStatus = "working" | "waiting" | "completed" | "failed" | "interrupted" | "cancelled";

/** A question of the engine that waits for an answer. */
export interface StepQuestion extends UserPrompt {
  /** Id of the question. A repeated step asks the same question with the same id. */
  id: string;
}

/** An effect that the next step executes, with the key by which other systems can recognise a repetition. */
export interface StepEffect extends IntendedEffect {
  /** Idempotency key: the run's id and the effect's id. The same in every execution of the step. */
  readonly key: string;
}

/** An effect in the state of a run. */
export interface StoredEffect extends IntendedEffect {
  /** `intended`: not started. `started`: the outcome is unknown. `done`: ended with `outcome`. */
  status: "intended" | "started" | "done";
  /** Outcome of the effect, as plain data. `undefined` unless `status` is `done`. */
  outcome?: unknown;
}

/** A message of the user that no checkpoint contains yet. */
export type StoredMessage = ControlMessage;

/**
 * State of a run between two steps, as plain JSON data. The state contains the conversation with all secrets, so
 * protect the stored state as well as the engine's checkpoints. Pass it to `advance` unchanged.
 */
export interface StepState {
  /** Version of the format of this state. */
  readonly format: number;
  /** Id of the run. */
  readonly run_id: string;
  /** Status after the step that returned this state. */
  readonly status: StepStatus;
  /** Number of steps so far. */
  readonly step: number;
  /** 1-based number of the attempt. Increases when a step continues a failed run. */
  readonly attempt: number;
  /** Sequence number of the last event. */
  readonly seq: number;
  /** True once the engine has executed at least one step of the run. */
  readonly is_started: boolean;
  /** Time the run started, ISO 8601. */
  readonly started_at: string;
  /** Input of the run. */
  readonly session: SessionInput;
  /** Last checkpoint of the engine, as JSON data. `undefined` if there is none. */
  readonly checkpoint?: unknown;
  /** Effects whose outcomes the checkpoint does not contain. */
  readonly effects: readonly StoredEffect[];
  /** Ids of tool calls whose start was published, and whose end was not. */
  readonly open_calls: readonly string[];
  /** Questions that wait for answers. */
  readonly questions: readonly StepQuestion[];
  /** Answers that were passed to the engine, but that no checkpoint of the engine contains yet. */
  readonly answers: Readonly<Record<string, UserReply>>;
  /** Messages that the engine has not stored in a checkpoint. */
  readonly messages: readonly StoredMessage[];
  /** Usage of all steps. */
  readonly usage: Usage;
}

/** Input of one step: the task of a new run, or answers, messages and a claim for a run that continues. */
export interface StepInput {
  /** Id of a new run. Default: a random id. Ignored for a run that has a state. */
  readonly runId?: string | undefined;
  /** Task of a new run, as text. Required for a new run, unless `session` is set. */
  readonly prompt?: string | undefined;
  /**
   * Complete input of a new run: the task with the earlier conversation, and settings such as limits. Overrides
   * `prompt`.
   */
  readonly session?: SessionInput | undefined;
  /**
   * Permission for this step to start the effects in the state that have the status `intended`. Created by this process
   * with `claim()`, and stored durably by the caller before this step. Without a valid claim, an earlier process may
   * have started these effects, so the outcomes of `unsafe` effects count as unknown.
   */
  readonly claim?: string | undefined;
  /** Answers to questions, by question id. */
  readonly answers?: Readonly<Record<string, string | UserReply>> | undefined;
  /** Messages of the user to the engine, in order. */
  readonly messages?: readonly ControlMessage[] | undefined;
  /** Aborts when the run is cancelled. */
  readonly signal?: AbortSignal | undefined;
}

/** Outcome of one step. */
export interface Step {
  /** State for the next step. */
  readonly state: StepState;
  /** Status of the run. Equal to `state.status`. */
  readonly status: StepStatus;
  /** Events of the step in order, with sequence numbers. Increments of streamed text are not included. */
  readonly events: readonly Envelope[];
  /** Effects that the next step executes. */
  readonly effects: readonly StepEffect[];
  /**
   * True if one of the effects is `unsafe`. The next step then needs a claim, the permission to start such effects,
   * which `StepRunner.claim` creates.
   */
  readonly needsClaim: boolean;
  /** Questions that wait for answers. Empty unless the status is `waiting`. */
  readonly questions: readonly StepQuestion[];
  /** Result of the run. `undefined` while the run is in progress, and if a failed run has no partial result. */
  readonly result?: SessionResult | undefined;
  /** Error of a failed, interrupted or cancelled run. */
  readonly error?: WireError | undefined;
}
