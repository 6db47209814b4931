import { EngineError, type Envelope } from "@switchyard/contracts";
import type {
  ContractBus,
  ContractBusObserver,
  ContractSubscription,
  ContractSubscriptionOptions,
} from "../../src/index.ts";

/** Flags from which the faults of wrong buses are built. */
export interface BusFaults {
  readonly matches?: (pattern: string, subject: string) => boolean;
  readonly patternProblem?: (pattern: string) => boolean;
  readonly subjectProblem?: (subject: string) => boolean;
  readonly defaults?: ContractSubscriptionOptions;
  readonly subscriptionOptions?: (options: ContractSubscriptionOptions) => ContractSubscriptionOptions;
  readonly admitsLast?: boolean;
  readonly guardsPredicate?: boolean;
}

function isRefusedText(text: string): boolean {
  return text === "" || text.split(".").includes("") || new TextEncoder().encode(text).length > 1_024;
}

function isBadPattern(pattern: string): boolean {
  if (isRefusedText(pattern)) return true;
  const segments = pattern.split(".");
  return segments.some((segment, index) => {
    if (segment === "*") return false;
    if (segment === ">") return index < segments.length - 1;
    return /[*>]/.test(segment);
  });
}

function matchesPattern(pattern: string, subject: string): boolean {
  const segments = subject.split(".");
  const expected = pattern.split(".");
  if (expected.at(-1) === ">") return segments.length >= expected.length && matchesAll(expected.slice(0, -1), segments);
  return segments.length === expected.length && matchesAll(expected, segments);
}

function matchesAll(expected: readonly string[], segments: readonly string[]): boolean {
  return expected.every((part, index) => part === "*" || part === segments[index]);
}

interface Queue extends ContractSubscription {
  offer(envelope: Envelope, signal?: AbortSignal): Promise<void> | undefined;
  finish(): void;
}

interface Context {
  readonly pattern: string;
  readonly options: ContractSubscriptionOptions;
  readonly observer: ContractBusObserver;
  readonly faults: BusFaults;
  onEnd(queue: Queue): void;
}

function createQueue({ pattern, options, observer, faults, onEnd }: Context): Queue {
  const { bufferSize = 64, backpressure = "drop_newest", sampleRate = 1, keep = () => false, signal } = options;
  const waiting: Envelope[] = [];
  const parked: { envelope: Envelope; wake: () => void }[] = [];
  const readers: (() => void)[] = [];
  let closed = false;
  let dropped = 0;
  let sampled = 0;

  function drop(envelope: Envelope, reason: string): undefined {
    dropped += 1;
    observer.onDrop?.(envelope, { pattern, reason });
  }

  function take(envelope: Envelope): undefined {
    waiting.push(envelope);
    observer.onDeliver?.(envelope, pattern);
    readers.shift()?.();
  }

  function admits(envelope: Envelope): boolean {
    try {
      return options.predicate?.(envelope) ?? true;
    } catch (error) {
      if (faults.guardsPredicate === false) throw error;
      return false;
    }
  }

  function park(envelope: Envelope, publisher?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry = { envelope, wake: resolve };
      const cancel = (): void => {
        if (parked.includes(entry)) parked.splice(parked.indexOf(entry), 1);
        reject(new EngineError("run.cancelled"));
      };
      if (publisher?.aborted) return cancel();
      publisher?.addEventListener("abort", cancel, { once: true });
      parked.push(entry);
    });
  }

  function offer(envelope: Envelope, publisher?: AbortSignal): Promise<void> | undefined {
    if (closed || !admits(envelope)) return undefined;
    sampled += backpressure === "sample" && !keep(envelope) ? sampleRate : 1;
    if (sampled < 1) return drop(envelope, "sampled");
    sampled -= 1;
    if (waiting.length < bufferSize || keep(envelope)) return take(envelope);
    if (backpressure === "block") return park(envelope, publisher);
    const oldest = backpressure === "drop_oldest" ? waiting.findIndex((one) => !keep(one)) : -1;
    if (oldest === -1) return drop(envelope, "buffer_full");
    for (const one of waiting.splice(oldest, 1)) drop(one, "buffer_full");
    return take(envelope);
  }

  function finish(): void {
    if (closed) return;
    closed = true;
    for (const { wake } of parked.splice(0)) wake();
    for (const wake of readers.splice(0)) wake();
    onEnd(queue);
  }

  function close(): void {
    waiting.length = 0;
    finish();
  }

  async function* read(): AsyncGenerator<Envelope> {
    try {
      while (true) {
        const next = waiting.shift();
        if (next !== undefined) {
          const admitted = faults.admitsLast === true ? parked.pop() : parked.shift();
          if (admitted !== undefined) take(admitted.envelope);
          admitted?.wake();
          yield next;
        } else if (closed) return;
        else await new Promise<void>((resolve) => readers.push(resolve));
      }
    } finally {
      close();
    }
  }

  const reading = read();
  const queue: Queue = {
    get dropped() {
      return dropped;
    },
    offer,
    close,
    finish,
    [Symbol.asyncIterator]: () => (closed && waiting.length === 0 ? read() : reading),
  };
  if (signal?.aborted) closed = true;
  signal?.addEventListener("abort", close, { once: true });
  return queue;
}

/** A correct bus, as short as possible. The given faults make it wrong. */
export function simpleBus(
  extra: { observer?: ContractBusObserver | undefined } = {},
  faults: BusFaults = {},
): ContractBus {
  const quiet = (callback: () => void): void => {
    try {
      callback();
    } catch {
      // An observer is not part of the delivery.
    }
  };
  const observer: ContractBusObserver = {
    onPublish: (envelope) => quiet(() => extra.observer?.onPublish?.(envelope)),
    onDeliver: (envelope, pattern) => quiet(() => extra.observer?.onDeliver?.(envelope, pattern)),
    onDrop: (envelope, drop) => quiet(() => extra.observer?.onDrop?.(envelope, drop)),
  };
  const { matches = matchesPattern, patternProblem = isBadPattern } = faults;
  const { subjectProblem = (subject) => isRefusedText(subject) || /[*>]/.test(subject) } = faults;
  const queues = new Map<Queue, string>();
  let closed = false;
  return {
    async publish(envelope, { signal } = {}) {
      if (closed) throw new EngineError("bus.closed");
      if (subjectProblem(envelope.subject)) throw new EngineError("subject.invalid", { subject: "", problem: "bad" });
      observer.onPublish?.(envelope);
      const matching = [...queues].filter(([, pattern]) => matches(pattern, envelope.subject));
      await Promise.all(matching.map(([queue]) => queue.offer(envelope, signal)));
    },
    subscribe(pattern, requestedOptions = {}) {
      if (closed) throw new EngineError("bus.closed");
      if (patternProblem(pattern)) throw new EngineError("pattern.invalid", { pattern: "", problem: "bad" });
      const options = { ...faults.defaults, ...(faults.subscriptionOptions?.(requestedOptions) ?? requestedOptions) };
      const onEnd = (ended: Queue): void => void queues.delete(ended);
      const queue = createQueue({ pattern, options, observer, faults, onEnd });
      queues.set(queue, pattern);
      return queue;
    },
    close() {
      closed = true;
      for (const queue of [...queues.keys()]) queue.finish();
    },
  };
}
