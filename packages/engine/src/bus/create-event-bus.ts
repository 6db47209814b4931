import { EngineError, type Envelope } from "@switchyard/contracts";
import { assertPattern, assertSubject, matchesPattern } from "../subject/matches-pattern.ts";
import { EnvelopeQueue } from "./envelope-queue.ts";
import type { BusObserver, EventBus } from "./event-bus.ts";

/** Maximum number of event subjects for which the matching subscriptions are cached. */
const ROUTE_CACHE_SIZE = 1024;

/** Options for `createEventBus`. */
export interface EventBusOptions {
  /** Observer of the bus. Its exceptions are ignored. */
  readonly observer?: BusObserver | undefined;
}

/** Wraps an observer so that its exceptions cannot affect the bus. */
function withoutExceptions(observer: BusObserver): BusObserver {
  const ignoreErrors = (call: () => void): void => {
    try {
      call();
    } catch {
      // Failures of an observer must not affect delivery.
    }
  };
  return {
    onPublish: (envelope) => ignoreErrors(() => observer.onPublish?.(envelope)),
    onDeliver: (envelope, pattern) => ignoreErrors(() => observer.onDeliver?.(envelope, pattern)),
    onDrop: (envelope, drop) => ignoreErrors(() => observer.onDrop?.(envelope, drop)),
  };
}

/** Creates an in-memory event bus. Envelopes are not copied, so callers must not change them. See engine: event.Bus. */
export function createEventBus(options: EventBusOptions = {}): EventBus {
  const observer = options.observer === undefined ? {} : withoutExceptions(options.observer);
  const queues = new Set<EnvelopeQueue>();
  const routes = new Map<string, readonly EnvelopeQueue[]>();
  let closed = false;

  function routesOf(subject: string): readonly EnvelopeQueue[] {
    const known = routes.get(subject);
    if (known !== undefined) return known;
    assertSubject(subject);
    const matching = [...queues].filter((queue) => matchesPattern(queue.pattern, subject));
    if (routes.size >= ROUTE_CACHE_SIZE) routes.clear();
    routes.set(subject, matching);
    return matching;
  }

  async function publish(envelope: Envelope, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    if (closed) throw new EngineError("bus.closed");
    const matching = routesOf(envelope.subject);
    observer.onPublish?.(envelope);
    const waits: Promise<void>[] = [];
    for (const queue of matching) {
      const wait = queue.offer(envelope, signal);
      if (wait !== undefined) waits.push(wait);
    }
    if (waits.length > 0) await Promise.all(waits);
  }

  return {
    publish,
    subscribe(pattern, subscriptionOptions = {}) {
      assertPattern(pattern);
      if (closed) throw new EngineError("bus.closed");
      const onClose = (ended: EnvelopeQueue): void => {
        queues.delete(ended);
        routes.clear();
      };
      const queue = new EnvelopeQueue(pattern, subscriptionOptions, { observer, onClose });
      queues.add(queue);
      routes.clear();
      if (subscriptionOptions.signal?.aborted) queue.close();
      return queue;
    },
    close() {
      closed = true;
      for (const queue of [...queues]) queue.finish();
    },
  };
}
