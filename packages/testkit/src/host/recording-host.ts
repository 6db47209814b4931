import {
  addUsage,
  type Checkpoint,
  EngineError,
  type Envelope,
  type EventType,
  type Host,
  type Interrupt,
  type InterruptSource,
  NO_USAGE,
  type Usage,
  type UserPrompt,
  type UserReply,
} from "@switchyard/contracts";

/** What a recording host does besides recording. Each failure is thrown by every call until it is taken away. */
export interface RecordingHostOptions {
  /** Answers questions; without it they are refused with `prompt.unavailable`. */
  askUser?: ((prompt: UserPrompt) => UserReply | Promise<UserReply>) | undefined;
  /** An interrupt that is there from the beginning. */
  interrupt?: Interrupt | undefined;
  /** What publishing fails with. */
  publishFailure?: Error | undefined;
  /** What taking a checkpoint fails with. */
  checkpointFailure?: Error | undefined;
  /** What reporting usage fails with. */
  usageFailure?: Error | undefined;
}

/** A host that keeps everything it is told. Its failures can be set and taken away at any time. */
export interface RecordingHost extends Host {
  /** Every envelope, in order; those whose publishing failed are not among them. */
  readonly envelopes: readonly Envelope[];
  /** Every checkpoint that was taken, in order. */
  readonly checkpoints: readonly Checkpoint[];
  /** Every usage report, in order. */
  readonly usages: readonly Usage[];
  /** Every question, in order. */
  readonly prompts: readonly UserPrompt[];
  /** Sum of the usage reports. */
  readonly totalUsage: Usage;
  /** What it does besides recording; change it whenever the test needs it. */
  readonly options: RecordingHostOptions;
  /** The types of the envelopes, in order. */
  types(): readonly EventType[];
  /** The envelopes of one type. */
  ofType<T extends EventType>(type: T): readonly Extract<Envelope, { type: T }>[];
  /** Asks the run to stop; the first interrupt stays. Says whether it was the first. */
  interrupt(interrupt: Interrupt): boolean;
}

function isOfType<T extends EventType>(envelope: Envelope, type: T): envelope is Extract<Envelope, { type: T }> {
  return envelope.type === type;
}

interface Latch {
  readonly source: InterruptSource;
  set(interrupt: Interrupt): boolean;
}

function latch(): Latch {
  let first: Interrupt | undefined;
  const waiting = new Set<() => void>();

  function receive(signal: AbortSignal): Promise<Interrupt | undefined> {
    if (first !== undefined || signal.aborted) return Promise.resolve(first);
    return new Promise((resolve) => {
      const wake = (): void => {
        waiting.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve(first);
      };
      waiting.add(wake);
      signal.addEventListener("abort", wake, { once: true });
    });
  }

  return {
    source: { tryReceive: () => first, receive },
    set(interrupt) {
      if (first !== undefined) return false;
      first = interrupt;
      for (const wake of [...waiting]) wake();
      return true;
    },
  };
}

/** What a promise gives, unless the signal fires first. */
function untilAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

class Recorder implements RecordingHost {
  readonly envelopes: Envelope[] = [];
  readonly checkpoints: Checkpoint[] = [];
  readonly usages: Usage[] = [];
  readonly prompts: UserPrompt[] = [];
  readonly options: RecordingHostOptions;
  readonly #latch = latch();

  constructor(options: RecordingHostOptions) {
    this.options = { ...options };
    if (options.interrupt !== undefined) this.#latch.set(options.interrupt);
  }

  get totalUsage(): Usage {
    return this.usages.reduce<Usage>((sum, usage) => addUsage(sum, usage), NO_USAGE);
  }

  types(): readonly EventType[] {
    return this.envelopes.map((envelope) => envelope.type);
  }

  ofType<T extends EventType>(type: T): readonly Extract<Envelope, { type: T }>[] {
    return this.envelopes.filter((envelope) => isOfType(envelope, type));
  }

  interrupt(interrupt: Interrupt): boolean {
    return this.#latch.set(interrupt);
  }

  async publish(envelope: Envelope): Promise<void> {
    if (this.options.publishFailure !== undefined) throw this.options.publishFailure;
    this.envelopes.push(envelope);
  }

  interrupts(): InterruptSource {
    return this.#latch.source;
  }

  async askUser(prompt: UserPrompt, options: { signal?: AbortSignal } = {}): Promise<UserReply> {
    options.signal?.throwIfAborted();
    this.prompts.push(prompt);
    if (this.options.askUser === undefined) throw new EngineError("prompt.unavailable");
    return untilAborted(Promise.resolve(this.options.askUser(prompt)), options.signal);
  }

  async checkpoint(checkpoint: Checkpoint): Promise<void> {
    if (this.options.checkpointFailure !== undefined) throw this.options.checkpointFailure;
    this.checkpoints.push(checkpoint);
  }

  async reportUsage(usage: Usage): Promise<void> {
    this.usages.push(usage);
    if (this.options.usageFailure !== undefined) throw this.options.usageFailure;
  }
}

/** Makes a host for tests that records envelopes, checkpoints, usage and questions. */
export function recordingHost(options: RecordingHostOptions = {}): RecordingHost {
  return new Recorder(options);
}
