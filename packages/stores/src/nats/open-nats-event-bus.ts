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
import { assertStreamName, openStream } from "./broker/open-stream.ts";
import { sendMessage } from "./broker/send-message.ts";
import { toBrokerPattern, toBrokerSubject } from "./broker/subject-words.ts";

/** How a bus over a broker is opened. */
export interface NatsEventBusOptions extends BrokerOptions {
  /** First word of its stream and subjects; `switchyard` by default. Buses of one name carry to each other. */
  readonly name?: string | undefined;
  /** Subjects that are carried to this process; all by default. What it publishes goes out whatever this is. */
  readonly pattern?: string | undefined;
  /** Milliseconds for which the broker keeps envelopes, for processes that lost it; 10 minutes by default. */
  readonly retainMs?: number | undefined;
  /** Is told of everything the bus does in this process; what it throws is ignored. */
  readonly observer?: BusObserver | undefined;
}

/** A bus whose subscribers may be in other processes. */
export interface NatsEventBus extends EventBus, AsyncDisposable {
  /** Resolves when it was closed and what was published has left. */
  readonly closed: Promise<void>;
}

const RETAIN_MS = 600_000;
const NANOSECONDS = 1e6;
/** Milliseconds of one request for more: after about as long without a sign of the broker, reading begins anew. */
const PULL_MS = 4_000;
/** Envelopes that wait for subscribers of this process that asked to block; then it takes no more. */
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

/** Hands what the broker carries to the subscribers of this process, in the broker's order. */
class LocalDelivery {
  readonly #bus: EventBus;
  readonly #publications = new Map<string, Publication>();
  readonly #waiting = new Set<Promise<void>>();

  constructor(bus: EventBus) {
    this.#bus = bus;
  }

  /** Resolves when what is published under this id has come back, and been taken or dropped here. */
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

  /** Nothing more comes back under this id. */
  forget(messageId: string): void {
    this.#publications.get(messageId)?.settle({});
    this.#publications.delete(messageId);
  }

  async deliver(message: JsMsg): Promise<void> {
    const messageId = message.headers?.get("Nats-Msg-Id") ?? "";
    const publication = this.#publications.get(messageId);
    this.#publications.delete(messageId);
    const envelope = parseEnvelope(message);
    // Who published it has given it up meanwhile.
    if (envelope === undefined || publication?.signal?.aborted === true) return publication?.settle({});
    const taken = this.#bus.publish(envelope, { signal: publication?.signal }).then(
      () => publication?.settle({}),
      (error: unknown) => publication?.settle({ error }),
    );
    this.#waiting.add(taken);
    void taken.finally(() => this.#waiting.delete(taken));
    if (this.#waiting.size >= MAX_WAITING) await Promise.race(this.#waiting);
  }

  close(): void {
    this.#bus.close();
    for (const messageId of [...this.#publications.keys()]) this.forget(messageId);
  }
}

/** Begins to read behind what the stream holds by now. */
async function openReader(broker: Broker, stream: string, filter: string): Promise<Consumer> {
  return await broker.ask(async () => {
    const { state } = await broker.jsm.streams.info(stream);
    const behind = { deliver_policy: "by_start_sequence", opt_start_seq: state.last_seq + 1 } as const;
    return await broker.js.consumers.get(stream, { filter_subjects: filter, ...behind });
  });
}

/** A bus that publishes nothing of its own to its observer: that is told when it is published, not when it comes back. */
function createLocalBus(observer: BusObserver | undefined): EventBus {
  if (observer === undefined) return createEventBus();
  return createEventBus({
    observer: {
      onDeliver: (envelope, pattern) => observer.onDeliver?.(envelope, pattern),
      onDrop: (envelope, drop) => observer.onDrop?.(envelope, drop),
    },
  });
}

/** What a bus is made of once it is connected. */
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

  function tell(envelope: Envelope): void {
    try {
      observer?.onPublish?.(envelope);
    } catch {
      // An observer is no part of the delivery.
    }
  }
  async function publish(envelope: Envelope, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    assertSubject(envelope.subject);
    if (isClosed) throw new EngineError("bus.closed");
    if (signal?.aborted === true) throw errorOfSignal(signal);
    tell(envelope);
    const messageId = randomUUID();
    const back = delivery.expect(messageId, signal);
    // It may be given up before it has left.
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
    subscribe: (asked, options) => local.subscribe(asked, options),
    close,
    closed,
    [Symbol.asyncDispose]: async () => {
      close();
      await closed;
    },
  };
}

/**
 * Opens a bus over a NATS server with JetStream: subscribers of all processes with a bus of this name get what any of
 * them publishes, in one order. `publish` resolves when the broker has the envelope and every subscription of this
 * process has taken or dropped it; subscribers elsewhere get it when they get to it. A broker that goes away is waited
 * for, and nothing is lost that it kept. Rejects with `store.driver_missing`, `config.invalid`, `pattern.invalid` or
 * `broker.unreachable`. engine: event.Bus.
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
