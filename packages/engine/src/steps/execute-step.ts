import {
  addUsage,
  type Board,
  type Checkpoint,
  DEPENDENCY,
  type Dependencies,
  type Engine,
  EngineError,
  type Host,
  hasErrorClass,
  type Run,
  SESSION_INPUT,
  toEngineError,
  type Usage,
  type UserPrompt,
  type UserReply,
} from "@switchyard/contracts";
import { createBoard } from "../board/create-board.ts";
import { EffectRecords, stepEnded } from "./effect-records.ts";
import { checkpointIn } from "./parse-step-state.ts";
import { toJson } from "./plain-json.ts";
import { StepEvents, type StepEventsOptions } from "./step-events.ts";
import { createStepMessages } from "./step-messages.ts";
import { StepQuestions } from "./step-questions.ts";
import { stepResultOf } from "./step-result.ts";
import type { Step, StepState, StepStatus } from "./step-state.ts";

/** How a step is executed. */
export interface StepExecutionOptions extends Omit<StepEventsOptions, "state"> {
  /** Engine that continues the run. */
  readonly engine: Engine;
  /** Dependencies of the run. */
  readonly deps: Dependencies;
  /** Attributes of the run. */
  readonly attributes: Readonly<Record<string, string>>;
  /**
   * True if the engine can resume from its checkpoints, so that a checkpoint or a question to the user ends the step.
   * If false, the engine runs to its end in one step, and its questions are rejected.
   */
  readonly isStepwise: boolean;
  /**
   * True if the caller holds a claim. A claim is the permission to start effects (actions such as tool calls) that an
   * earlier step has declared.
   */
  readonly hasClaim: boolean;
  /**
   * Maximum time to wait at the end of a step for effects that are still running, in milliseconds. The engine then has
   * the same time to stop.
   */
  readonly graceMs: number;
  /** Aborts when the run is cancelled. */
  readonly signal: AbortSignal | undefined;
}

/** What ended a step. */
type End =
  | { readonly kind: "checkpoint"; readonly checkpoint: Checkpoint }
  | { readonly kind: "question" }
  | { readonly kind: "returned" }
  | { readonly kind: "threw"; readonly error: EngineError };

/** Fields of a step whose values depend on how the step ended. */
type Ended = Pick<Step, "status" | "result" | "error">;

const FINAL: Readonly<Partial<Record<EngineError["class"], StepStatus>>> = {
  interrupted: "interrupted",
  aborted: "cancelled",
};

/**
 * One execution of an engine, from the state before a step to its next boundary: a checkpoint, a question or the end of
 * the run.
 */
export class StepExecution {
  readonly #state: StepState;
  readonly #options: StepExecutionOptions;
  readonly #checkpoint: Checkpoint | undefined;
  readonly #events: StepEvents;
  readonly #effects: EffectRecords;
  readonly #questions: StepQuestions;
  readonly #messages: ReturnType<typeof createStepMessages>;
  readonly #stop = new AbortController();
  readonly #board: Board;
  #usage: Usage;
  #end: (end: End) => void = () => {};

  /** Prepares a step. Throws `checkpoint.*` if the state is invalid. */
  constructor(state: StepState, options: StepExecutionOptions) {
    this.#state = state;
    this.#options = options;
    this.#checkpoint = checkpointIn(state);
    this.#events = new StepEvents({ ...options, state });
    this.#effects = new EffectRecords(state.effects, options.hasClaim);
    this.#questions = new StepQuestions(state.answers);
    this.#messages = createStepMessages(state.messages);
    this.#usage = state.usage;
    this.#board = createBoard();
    this.#board.set(SESSION_INPUT, state.session);
  }

  /**
   * Runs the engine until its next boundary: a checkpoint, a question or the end of the run. Never rejects because of
   * the engine.
   */
  async run(): Promise<Step> {
    const ended = new Promise<End>((resolve) => {
      this.#end = resolve;
    });
    for (const id of Object.keys(this.#state.answers)) this.#reportReply(id);
    const execution = this.#execute();
    const end = await Promise.race([ended, execution]);
    if (end.kind === "checkpoint" || end.kind === "question") {
      await this.#effects.idle(AbortSignal.timeout(this.#options.graceMs));
      return this.#leave(end, execution);
    }
    return this.#toStep(end);
  }

  /**
   * Ends the step at a boundary, such as a checkpoint, and stops the engine. Waits at most `graceMs` for the engine to
   * stop. Events and effects of the engine after the boundary are not part of the step.
   */
  async #leave(end: End, execution: Promise<End>): Promise<Step> {
    this.#events.close();
    const step = this.#toStep(end);
    this.#stop.abort(stepEnded());
    const late = new AbortController();
    const waited = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#options.graceMs);
      late.signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
    });
    await Promise.race([execution, waited]);
    late.abort();
    return step;
  }

  async #execute(): Promise<End> {
    const { engine } = this.#options;
    try {
      const board = await engine.execute(this.#run(), this.#host(), this.#board);
      if (board !== this.#board) this.#board.restoreFrom(board.snapshot());
      return { kind: "returned" };
    } catch (error) {
      return { kind: "threw", error: toEngineError(error) };
    }
  }

  #run(): Run {
    const { run_id: id, attempt, started_at: startedAt } = this.#state;
    const { attributes, signal } = this.#options;
    const checkpoint = this.#checkpoint;
    const deps = this.#options.deps.clone();
    deps.set(DEPENDENCY.effectJournal, this.#effects);
    deps.set(DEPENDENCY.control, this.#messages.source);
    const signals = signal === undefined ? this.#stop.signal : AbortSignal.any([signal, this.#stop.signal]);
    const run = { id, attributes, deps, signal: signals };
    const resume = { attempt, startedAt, signal: attempt === 1 ? "step" : "retry" };
    if (checkpoint === undefined) return attempt === 1 ? run : { ...run, resume };
    return { ...run, resume: { ...resume, checkpointAt: checkpoint.timestamp }, resumeFrom: checkpoint };
  }

  #host(): Host {
    return {
      publish: async (envelope) => this.#events.publish(envelope),
      interrupts: () => undefined,
      askUser: (prompt) => this.#ask(prompt),
      checkpoint: (checkpoint) => this.#reach(checkpoint),
      reportUsage: async (usage) => {
        this.#usage = addUsage(this.#usage, usage);
      },
    };
  }

  /** Ends the step at a checkpoint. The engine never continues past the checkpoint in this step. */
  #reach(checkpoint: Checkpoint): Promise<void> {
    // The engine of a cancelled run saves its last state before it ends, and must not be held back.
    if (!this.#options.isStepwise || this.#options.signal?.aborted) return Promise.resolve();
    if (this.#stop.signal.aborted) return Promise.reject(stepEnded());
    this.#effects.capture();
    // The checkpoint is copied now, because the engine may change what it passed.
    this.#end({ kind: "checkpoint", checkpoint: structuredClone(checkpoint) });
    return this.#untilStopped();
  }

  #ask(prompt: UserPrompt): Promise<UserReply> {
    if (!this.#options.isStepwise) return Promise.reject(new EngineError("prompt.unavailable"));
    if (this.#stop.signal.aborted) return Promise.reject(stepEnded());
    const { question, reply } = this.#questions.ask(prompt);
    if (reply !== undefined) return Promise.resolve(reply);
    const isNew = !this.#state.questions.some(({ id }) => id === question.id);
    if (isNew) this.#events.reportQuestion(question);
    this.#end({ kind: "question" });
    return this.#untilStopped();
  }

  /** Returns a promise that never resolves, and rejects when the step ends. */
  #untilStopped(): Promise<never> {
    return new Promise((_, reject) => {
      this.#stop.signal.addEventListener("abort", () => reject(stepEnded()), { once: true });
    });
  }

  #reportReply(id: string): void {
    const reply = this.#state.answers[id];
    const isAsked = this.#state.questions.some((question) => question.id === id);
    if (isAsked && reply !== undefined) this.#events.reportReply(id, reply);
  }

  #toStep(end: End): Step {
    const effects = this.#effects.close();
    const { status, ...more } = this.#outcomeOf(end);
    const questions = status === "waiting" ? this.#questions.open : [];
    const atCheckpoint = end.kind === "checkpoint";
    const state: StepState = {
      ...this.#state,
      status,
      step: this.#state.step + 1,
      seq: this.#events.seq,
      is_started: true,
      ...(atCheckpoint ? { checkpoint: toJson(end.checkpoint) } : {}),
      effects,
      open_calls: this.#events.openCalls,
      questions,
      answers: atCheckpoint ? {} : this.#state.answers,
      messages: atCheckpoint ? this.#messages.waiting : this.#state.messages,
      usage: this.#usage,
    };
    // A failed run can be continued by another step.
    const isFinal = status === "completed" || status === "interrupted" || status === "cancelled";
    const next = isFinal ? [] : effects.filter(({ status: kind }) => kind === "intended");
    return {
      ...{ state, status, events: this.#events.list, questions },
      effects: next.map(({ status: _, ...effect }) => ({ ...effect, key: `${state.run_id}/${effect.id}` })),
      needsClaim: next.some(({ effects: kind }) => kind === "unsafe"),
      ...more,
    };
  }

  #outcomeOf(end: End): Ended {
    if (end.kind === "checkpoint") return { status: "working" };
    if (end.kind === "question") return { status: "waiting" };
    const result = stepResultOf(this.#board);
    const found = result === undefined ? {} : { result };
    if (end.kind === "returned") return { status: "completed", ...found };
    const isTimeLimit = hasErrorClass(end.error, "timeout") && this.#options.signal?.aborted === true;
    const status = isTimeLimit ? "cancelled" : (FINAL[end.error.class] ?? "failed");
    return { status, error: end.error.toWire(), ...found };
  }
}
