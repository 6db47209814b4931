import type { Broker } from "./broker.ts";
import { isWriteConflict, toStoreFailure } from "./broker-failure.ts";
import { HEADERS, lastMessage } from "./stored-message.ts";

/** A message to write. */
export interface Entry {
  readonly data: Uint8Array | string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Options for writing to a NATS subject as its only writer. */
export interface FencedSubjectOptions {
  readonly stream: string;
  readonly subject: string;
  /** Path or URL of the written data, for error messages. */
  readonly path: string;
  /** Globally unique id of this writer. The ids of its messages start with it. */
  readonly writerId: string;
  /** Sequence number of the last known message; 0 if there is none. */
  readonly last: number;
}

/** Thrown if another client wrote to the subject. */
export class WriteConflict extends Error {}

interface Attempt {
  readonly entry: Entry;
  readonly messageId: string;
}

/**
 * Writes messages to a NATS subject, until another client writes to the same subject. Each message contains the
 * sequence number of its predecessor. The broker rejects a message with a wrong number, so only one of two concurrent
 * writers succeeds. A message whose response was lost is sent again under the same id, and is stored only once.
 * Contract: one call at a time.
 */
export class FencedSubject {
  readonly #broker: Broker;
  readonly #options: FencedSubjectOptions;
  #last: number;
  #count = 0;
  #unanswered: Attempt | undefined;

  constructor(broker: Broker, options: FencedSubjectOptions) {
    this.#broker = broker;
    this.#options = options;
    this.#last = options.last;
  }

  /** Sequence number of the last message that this writer wrote or read. */
  get last(): number {
    return this.#last;
  }

  /**
   * If it is unknown whether the broker has stored the last message, sends the message again, and resolves with it when
   * it is stored. Otherwise resolves with `undefined`. Rejects like `append`.
   */
  async settle(): Promise<Entry | undefined> {
    const attempt = this.#unanswered;
    if (attempt === undefined) return undefined;
    await this.#send(attempt);
    return attempt.entry;
  }

  /** Writes a message and resolves with its sequence number. Rejects with `WriteConflict` or `run.store_failed`. */
  async append(entry: Entry): Promise<number> {
    await this.settle();
    this.#count += 1;
    return await this.#send({ entry, messageId: `${this.#options.writerId}.${this.#count}` });
  }

  async #send(attempt: Attempt): Promise<number> {
    const { subject, path } = this.#options;
    const { entry, messageId } = attempt;
    const message = { ...entry, messageId, last: this.#last };
    try {
      return this.#recordSequence(await this.#broker.retry(() => this.#broker.publish(subject, message)));
    } catch (error) {
      if (isWriteConflict(error)) return this.#recordSequence(await this.#ownSequence(messageId));
      // It is unknown whether the broker has stored this message. The next message must name its sequence number, so
      // this message is sent again first.
      this.#unanswered = attempt;
      throw toStoreFailure(error, path);
    }
  }

  #recordSequence(sequence: number): number {
    this.#unanswered = undefined;
    this.#last = sequence;
    return sequence;
  }

  /**
   * Resolves with the sequence number of the last stored message if it has this id. Otherwise rejects with
   * `WriteConflict`. Needed if the message was stored so long ago that the broker no longer detects the duplicate id.
   */
  async #ownSequence(messageId: string): Promise<number> {
    const found = await lastMessage(this.#broker, this.#options);
    if (found?.header(HEADERS.messageId) === messageId) return found.sequence;
    this.#unanswered = undefined;
    throw new WriteConflict();
  }
}
