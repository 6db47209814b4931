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

/** Behaviour of a recording host. If an error is set for one kind of call, every such call fails with this error. */
export interface RecordingHostOptions {
  /** Function that answers user prompts. `undefined`: prompts are rejected with `prompt.unavailable`. */
  askUser?: ((prompt: UserPrompt) => UserReply | Promise<UserReply>) | undefined;
  /** Interrupt that is already requested when the run starts. */
  interrupt?: Interrupt | undefined;
  /** Error of publishing. */
  publishFailure?: Error | undefined;
  /** Error with which storing a checkpoint fails. */
  checkpointFailure?: Error | undefined;
  /** Error of reporting usage. */
  usageFailure?: Error | undefined;
}

/** A host for tests that records every call. A test can make calls fail, and can start or stop doing so at any time. */
export interface RecordingHost extends Host {
  /** Published envelopes, in order. Envelopes whose publishing failed are not included. */
  readonly envelopes: readonly Envelope[];
  /** Stored checkpoints, in order. */
  readonly checkpoints: readonly Checkpoint[];
  /** Usage reports, in order. */
  readonly usages: readonly Usage[];
  /** User prompts, in order. */
  readonly prompts: readonly UserPrompt[];
  /** Sum of the usage reports. */
  readonly totalUsage: Usage;
  /** Behaviour of the host, which the test can change at any time. */
  readonly options: RecordingHostOptions;
  /** Returns the types of the envelopes, in order. */
  types(): readonly EventType[];
  /** Returns the envelopes of one type. */
  ofType<T extends EventType>(type: T): readonly Extract<Envelope, { type: T }>[];
  /** Requests that the run stops. Only the first interrupt counts. Returns true if this was the first. */
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

/** Resolves with the promise's value, unless the signal fires first. */
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

/** Creates a host for tests that records envelopes, checkpoints, usage and prompts. */
export function recordingHost(options: RecordingHostOptions = {}): RecordingHost {
  return new Recorder(options);
}
