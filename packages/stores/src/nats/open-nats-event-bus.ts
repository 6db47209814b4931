import { randomUUID } from "node:crypto";
import type { Consumer, ConsumerMessages, JsMsg } from "@nats-io/jetstream";
import { EngineError, type Envelope } from "@switchyard/contracts";
import {
  assertPattern,
  assertSubject,
  type BusObserver,
  createEventBus,
  type EventBus,
  errorOfSignal,
  matchesPattern,
} from "@switchyard/engine";
import { isEnvelope } from "../codec/event-line.ts";
import { type Broker, openBroker } from "./broker/broker.ts";
import type { BrokerOptions } from "./broker/broker-options.ts";
import { toBrokerPattern, toBrokerSubject } from "./broker/broker-subject.ts";
import { assertStreamName, openStream } from "./broker/open-stream.ts";
import { sendMessage } from "./broker/send-message.ts";

/** Options for `openNatsEventBus`. */
export interface NatsEventBusOptions extends BrokerOptions {
  /**
   * Prefix in the names of the bus's stream and subjects. Buses with the same prefix are connected. Default:
   * `switchyard`.
   */
  readonly name?: string | undefined;
  /**
   * Pattern that selects the envelopes that this process receives, by subject. Publishing is not restricted. Default:
   * all.
   */
  readonly pattern?: string | undefined;
  /**
   * Time, in milliseconds, for which the broker stores envelopes, so that a process that lost the connection receives
   * them later. Default: 10 minutes.
   */
  readonly retainMs?: number | undefined;
  /** Observer of this process's bus. Its exceptions are ignored. */
  readonly observer?: BusObserver | undefined;
}

/** A bus with subscribers in several processes. */
export interface NatsEventBus extends EventBus, AsyncDisposable {
  /** Resolves when the bus is closed and pending envelopes were sent. */
  readonly closed: Promise<void>;
}

const RETAIN_MS = 600_000;
const NANOSECONDS = 1e6;
/**
 * Duration of one pull request to the broker, in milliseconds. If the broker sends no heartbeat for about this time, a
 * new consumer is opened.
 */
const PULL_MS = 4_000;
/**
 * Maximum number of envelopes that wait for local subscribers with the overflow policy `block`. Above this number, no
 * more envelopes are read from the broker.
 */
const MAX_WAITING = 256;

interface Publication {
  readonly signal: AbortSignal | undefined;
  readonly settle: (outcome: { error?: unknown }) => void;
}

function parseEnvelope(message: JsMsg): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(message.string());
    return isEnvelope(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Delivers envelopes from the broker to the subscribers of this process, in the broker's order. */
class LocalDelivery {
  readonly #bus: EventBus;
  readonly #publications = new Map<string, Publication>();
  readonly #waiting = new Set<Promise<void>>();

  constructor(bus: EventBus) {
    this.#bus = bus;
  }

  /**
   * Resolves when this process has received the envelope with this message id from the broker, and all local
   * subscribers have accepted or dropped it.
   */
  expect(messageId: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = (): void => settle({ error: signal === undefined ? undefined : errorOfSignal(signal) });
      const settle = (outcome: { error?: unknown }): void => {
        signal?.removeEventListener("abort", abort);
        if ("error" in outcome) reject(outcome.error);
        else resolve();
      };
      signal?.addEventListener("abort", abort, { once: true });
      this.#publications.set(messageId, { signal, settle });
    });
  }

  /** Stops waiting for the envelope with this message id. */
  forget(messageId: string): void {
    this.#publications.get(messageId)?.settle({});
    this.#publications.delete(messageId);
  }

  async deliver(message: JsMsg): Promise<void> {
    const messageId = message.headers?.get("Nats-Msg-Id") ?? "";
    const publication = this.#publications.get(messageId);
    this.#publications.delete(messageId);
    const envelope = parseEnvelope(message);
    // The publisher may have stopped waiting in the meantime.
    if (envelope === undefined || publication?.signal?.aborted === true) return publication?.settle({});
    const published = this.#bus.publish(envelope, { signal: publication?.signal }).then(
      () => publication?.settle({}),
      (error: unknown) => publication?.settle({ error }),
    );
    this.#waiting.add(published);
    void published.finally(() => this.#waiting.delete(published));
    if (this.#waiting.size >= MAX_WAITING) await Promise.race(this.#waiting);
  }

  close(): void {
    this.#bus.close();
    for (const messageId of [...this.#publications.keys()]) this.forget(messageId);
  }
}

/** Opens a consumer that receives the envelopes that are stored from now on. */
async function openReader(broker: Broker, stream: string, filter: string): Promise<Consumer> {
  return await broker.ask(async () => {
    const { state } = await broker.jsm.streams.info(stream);
    const position = { deliver_policy: "by_start_sequence", opt_start_seq: state.last_seq + 1 } as const;
    return await broker.js.consumers.get(stream, { filter_subjects: filter, ...position });
  });
}

/**
 * Creates the local bus that delivers envelopes to the subscribers of this process. Its observer is not notified of
 * published envelopes, because this was done when they were sent to the broker.
 */
function createLocalBus(observer: BusObserver | undefined): EventBus {
  if (observer === undefined) return createEventBus();
  return createEventBus({
    observer: {
      onDeliver: (envelope, pattern) => observer.onDeliver?.(envelope, pattern),
      onDrop: (envelope, drop) => observer.onDrop?.(envelope, drop),
    },
  });
}

function notifyObserver(observer: BusObserver | undefined, envelope: Envelope): void {
  try {
    observer?.onPublish?.(envelope);
  } catch {
    // Exceptions of an observer must not affect delivery.
  }
}

/** Broker, local bus and settings that a connected bus consists of. */
interface BusParts {
  readonly broker: Broker;
  readonly name: string;
  readonly pattern: string;
  readonly observer: BusObserver | undefined;
  readonly messages: ConsumerMessages;
}

function createBus({ broker, name, pattern, observer, messages }: BusParts): NatsEventBus {
  const local = createLocalBus(observer);
  const delivery = new LocalDelivery(local);
  let isClosed = false;

  async function read(): Promise<void> {
    for await (const message of messages) await delivery.deliver(message);
  }
  const reading = read().finally(() => delivery.close());

  async function publish(envelope: Envelope, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    assertSubject(envelope.subject);
    if (isClosed) throw new EngineError("bus.closed");
    if (signal?.aborted === true) throw errorOfSignal(signal);
    notifyObserver(observer, envelope);
    const messageId = randomUUID();
    const back = delivery.expect(messageId, signal);
    // Avoids an unhandled rejection: the caller may stop waiting before the envelope was sent.
    back.catch(() => undefined);
    const subject = `${name}.event.${toBrokerSubject(envelope.subject)}`;
    try {
      await sendMessage(broker, { subject, data: JSON.stringify(envelope), messageId });
    } catch (error) {
      delivery.forget(messageId);
      throw error;
    }
    if (!matchesPattern(pattern, envelope.subject)) delivery.forget(messageId);
    await back;
  }
  async function end(): Promise<void> {
    delivery.close();
    messages.stop();
    await Promise.allSettled([messages.close(), reading]);
    await broker.close();
  }
  let resolveClosed: (ending: Promise<void>) => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    resolveClosed = resolve;
  });
  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    resolveClosed(end());
  };
  return {
    publish,
    subscribe: (pattern, options) => local.subscribe(pattern, options),
    close,
    closed,
    [Symbol.asyncDispose]: async () => {
      close();
      await closed;
    },
  };
}

/**
 * Opens a bus over a NATS server with JetStream. Subscribers of all processes with a bus of this name receive all
 * envelopes, in one order. `publish` resolves when the broker has stored the envelope and every subscription of this
 * process has accepted or dropped it; other processes receive it later. If the broker is unavailable, calls wait, and
 * no stored envelope is lost. Rejects with `store.driver_missing`, `config.invalid`, `pattern.invalid` or
 * `broker.unreachable`. See engine: event.Bus.
 */
export async function openNatsEventBus(options: NatsEventBusOptions): Promise<NatsEventBus> {
  const { name = "switchyard", pattern = ">", retainMs = RETAIN_MS, observer } = options;
  assertStreamName(name);
  assertPattern(pattern);
  const broker = await openBroker(options);
  try {
    const stream = `${name}_events`;
    const max_age = retainMs * NANOSECONDS;
    await openStream(broker, { name: stream, subjects: [`${name}.event.>`], storage: "file", discard: "old", max_age });
    const reader = await openReader(broker, stream, `${name}.event.${toBrokerPattern(pattern)}`);
    const messages = await reader.consume({ expires: PULL_MS });
    return createBus({ broker, name, pattern, observer, messages });
  } catch (error) {
    await broker.close();
    throw error;
  }
}
