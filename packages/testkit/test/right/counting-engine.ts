import {
  type Board,
  type Checkpoint,
  type Engine,
  EngineError,
  type Envelope,
  EVENT_TABLE,
  type EventPayloads,
  type EventType,
  findEngineError,
  HEADER,
  type Host,
  type Run,
  SESSION_RESULT,
} from "@switchyard/contracts";
import type { EngineSubject } from "../../src/index.ts";

/** Behaviour at the second of its three steps. */
export type CountingMode = "counts" | "waits" | "fails" | "asks";

const STEPS = 3;
const STEP_BY = "counter.step";
const VERSION = "1";

function subjectOf(type: EventType, runId: string, actor: string): string {
  const prefix = `engine.run.${runId}`;
  const kind = EVENT_TABLE[type].subject;
  if (kind.startsWith("run.")) return `${prefix}.${kind.slice(4)}`;
  if (kind.startsWith("step.")) return `${prefix}.step.${actor}.${kind.slice(5)}`;
  return kind === "stream.delta" ? `${prefix}.stream.${actor}.delta` : `${prefix}.session.${actor}.${type}`;
}

/** One execution of the engine, with every step of the contract. */
class Counting {
  readonly #mode: CountingMode;
  readonly #run: Run;
  readonly #host: Host;
  readonly #board: Board;
  #events = 0;

  constructor(mode: CountingMode, run: Run, { host, board }: { host: Host; board: Board }) {
    this.#mode = mode;
    this.#run = run;
    this.#host = host;
    this.#board = board;
  }

  async execute(): Promise<Board> {
    await this.#publish("run_start", { resumed: this.#run.resumeFrom !== undefined });
    try {
      await this.#count();
      await this.#publish("run_end", { outcome: "completed" });
      return this.#board;
    } catch (thrown) {
      const error = this.#classify(thrown);
      const stopped = error.class === "interrupted" ? "interrupted" : "failed";
      const outcome = error.class === "aborted" ? "cancelled" : stopped;
      await this.#publish("run_end", { outcome, error: error.toWire() });
      throw error;
    }
  }

  async #count(): Promise<void> {
    checkResume(this.#run);
    this.#board.restoreFrom(this.#run.resumeFrom?.board);
    const by: unknown = this.#run.deps.get(STEP_BY);
    if (typeof by !== "number") throw new EngineError("dependency.not_found", { dependency: STEP_BY });
    for (let step = (this.#run.resumeFrom?.iteration ?? 0) + 1; step <= STEPS; step += 1) {
      this.#stopIfRequested();
      await this.#step(step, by);
    }
    const numbers = this.#board.getVar("numbers");
    this.#board.set(SESSION_RESULT, { exit_code: 0, final_message: JSON.stringify(numbers) });
  }

  async #step(step: number, by: number): Promise<void> {
    const actor = this.#actor(step);
    await this.#publish("step_start", { step: actor }, actor);
    try {
      await this.#publish("assistant_text_delta", { type: "token", content: `${step}` }, actor);
      if (step === 2) await this.#special(actor);
      this.#board.appendSliceVar("numbers", step * by);
      await this.#reportUsage();
      await this.#host.checkpoint(this.#checkpoint(step));
    } catch (error) {
      await this.#publish("step_error", { step: actor }, actor);
      throw error;
    }
    await this.#publish("step_complete", { step: actor }, actor);
  }

  async #special(actor: string): Promise<void> {
    const { signal } = this.#run;
    if (this.#mode === "fails") throw new TypeError("the counter is broken");
    if (this.#mode === "asks") {
      await this.#host.askUser({ parts: [{ type: "text", text: "Go on?" }], source: actor }, { signal });
    }
    if (this.#mode !== "waits") return;
    const interrupt = await this.#host.interrupts()?.receive(signal);
    signal.throwIfAborted();
    throw new EngineError("run.interrupted", { ...interrupt });
  }

  async #reportUsage(): Promise<void> {
    try {
      await this.#host.reportUsage({ inputTokens: 2, outputTokens: 1, totalTokens: 3 });
    } catch (error) {
      if (findEngineError(error, (found) => found.class === "budget_exceeded") !== undefined) throw error;
    }
  }

  #checkpoint(step: number): Checkpoint {
    return {
      execId: this.#run.id,
      step: `step ${step}`,
      iteration: step,
      board: this.#board.snapshot(),
      payload: { next: step + 1 },
      attributes: { ...this.#run.attributes },
      timestamp: new Date().toISOString(),
      originalStartedAt: this.#run.resume?.startedAt,
      specVersion: VERSION,
    };
  }

  #stopIfRequested(): void {
    this.#run.signal.throwIfAborted();
    const interrupt = this.#host.interrupts()?.tryReceive();
    if (interrupt !== undefined) throw new EngineError("run.interrupted", { ...interrupt });
  }

  #classify(thrown: unknown): EngineError {
    const { signal } = this.#run;
    const found = findEngineError(thrown);
    if (found !== undefined && found.class !== "aborted") return found;
    if (!signal.aborted)
      return found ?? new EngineError("engine.failed", { problem: String(thrown) }, { cause: thrown });
    const isLate = signal.reason instanceof DOMException && signal.reason.name === "TimeoutError";
    return new EngineError(isLate ? "run.timed_out" : "run.cancelled", {}, { cause: thrown });
  }

  #actor(step: number): string {
    return `${this.#run.attributes["agent.id"] ?? "counter"}_${step}`;
  }

  async #publish<T extends EventType>(type: T, payload: EventPayloads[T], actor = this.#actor(0)): Promise<void> {
    this.#events += 1;
    const envelope = {
      id: `${this.#run.id}-${this.#events}`,
      type,
      subject: subjectOf(type, this.#run.id, actor),
      time: new Date().toISOString(),
      attempt: this.#run.resume?.attempt ?? 1,
      headers: { [HEADER.runId]: this.#run.id, [HEADER.agentId]: this.#run.attributes["agent.id"] ?? "counter" },
      payload,
    };
    await this.#host.publish(isEnvelope(envelope) ? envelope : never()).catch(() => undefined);
  }
}

function isEnvelope(value: { type: EventType; payload: unknown }): value is Envelope {
  return typeof value.payload === "object";
}

function never(): never {
  throw new Error("a payload is an object");
}

function checkResume({ id, resumeFrom }: Run): void {
  if (resumeFrom === undefined) return;
  if (resumeFrom.execId !== id) throw new EngineError("checkpoint.foreign", { execId: resumeFrom.execId, runId: id });
  canResume(resumeFrom);
}

function canResume({ payload, specVersion = "" }: Checkpoint): void {
  if (specVersion !== "" && specVersion !== VERSION) {
    throw new EngineError("checkpoint.drifted", { found: specVersion, expected: VERSION });
  }
  if (typeof payload !== "object" || payload === null || !("next" in payload) || typeof payload.next !== "number") {
    throw new EngineError("engine.invalid_middleware", { index: 0 });
  }
}

/** A correct engine that counts to three and uses every capability that an engine can declare. */
export function countingEngine(mode: CountingMode = "counts"): Engine {
  return {
    execute: async (run, host, board) => new Counting(mode, run, { host, board }).execute(),
    capabilities: () => ({
      supportsResume: true,
      emitsCheckpoint: true,
      emitsUserPrompt: mode === "asks",
      requiredDependencies: [STEP_BY],
    }),
    canResume,
    suggestCheckpoint: () => {},
  };
}

/** A correct engine that declares no capabilities, and refuses every checkpoint. */
export function modestEngine(mode: CountingMode = "counts"): Engine {
  const inner = countingEngine(mode);
  return {
    execute: async (run, host, board) => {
      const { resumeFrom } = run;
      if (resumeFrom === undefined || resumeFrom.execId !== run.id) {
        return inner.execute({ ...run, deps: fixed(run) }, withoutCheckpoints(host), board);
      }
      // Like the inner engine, which refuses the checkpoint of another run.
      const refusing = { ...run, resumeFrom: { ...resumeFrom, specVersion: "of a modest engine" } };
      return inner.execute(refusing, host, board);
    },
  };
}

function fixed({ deps }: Run): Run["deps"] {
  const clone = deps.clone();
  clone.set(STEP_BY, 1);
  return clone;
}

function withoutCheckpoints(host: Host): Host {
  return {
    publish: (envelope) => host.publish(envelope),
    interrupts: () => host.interrupts(),
    askUser: (prompt, options) => host.askUser(prompt, options),
    reportUsage: (usage) => host.reportUsage(usage),
    checkpoint: async () => {},
  };
}

/** The subject of an engine and its situations. */
export function countingSubject(
  change: (right: Engine, mode: CountingMode) => Engine = (engine) => engine,
): EngineSubject {
  const dependencies = (): [string, unknown][] => [
    [STEP_BY, 1],
    ["counter.unused", true],
  ];
  const situation = (mode: CountingMode): { engine: Engine; dependencies: typeof dependencies } => {
    return { engine: change(countingEngine(mode), mode), dependencies };
  };
  return {
    ...situation("counts"),
    waiting: situation("waits"),
    failing: situation("fails"),
    asking: situation("asks"),
  };
}
