import type { MsgHdrs } from "@nats-io/transport-node";
import type { Broker } from "./broker.ts";
import { isOvertaken, toStoreFailure } from "./broker-failure.ts";
import { HEADERS, lastMessage } from "./stored-message.ts";

/** What is written in one go. */
export interface Entry {
  readonly data: Uint8Array | string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Where is written, and behind what. */
export interface FencedSubjectOptions {
  readonly stream: string;
  readonly subject: string;
  /** What errors call the place. */
  readonly path: string;
  /** Of this writer alone, among all that ever were. */
  readonly writerId: string;
  /** Place of the last message that was seen; 0 when there is none. */
  readonly last: number;
}

/** Somebody else wrote to the subject. */
export class Overtaken extends Error {}

interface Attempt {
  readonly entry: Entry;
  readonly messageId: string;
}

/**
 * Writes to a subject as long as nobody else does: the broker compares each message's predecessor, so that of two
 * writers who saw the same one exactly one comes through. A message whose answer got lost is sent again under the same
 * id and kept once. Contract: one call at a time.
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

  /** Place of the last message that was written or seen. */
  get last(): number {
    return this.#last;
  }

  /**
   * Finds out what became of a message for which there was no answer: it is kept when this resolves, and given.
   * Rejects like `append`.
   */
  async settle(): Promise<Entry | undefined> {
    const attempt = this.#unanswered;
    if (attempt === undefined) return undefined;
    await this.#send(attempt);
    return attempt.entry;
  }

  /** Writes; gives the message's place. Rejects with `Overtaken`, or with `run.store_failed`. */
  async append(entry: Entry): Promise<number> {
    await this.settle();
    this.#count += 1;
    return await this.#send({ entry, messageId: `${this.#options.writerId}.${this.#count}` });
  }

  async #send(attempt: Attempt): Promise<number> {
    const { js } = this.#broker;
    const { subject, path } = this.#options;
    const { entry, messageId } = attempt;
    const options = {
      headers: await headersOf(entry.headers),
      msgID: messageId,
      expect: { lastSubjectSequence: this.#last },
    };
    try {
      const { seq } = await this.#broker.keep(() => js.publish(subject, entry.data, options));
      return this.#keep(seq);
    } catch (error) {
      if (isOvertaken(error)) return this.#keep(await this.#ownPlace(messageId));
      // It may still be on its way.
      this.#unanswered = attempt;
      throw toStoreFailure(error, path);
    }
  }

  #keep(place: number): number {
    this.#unanswered = undefined;
    this.#last = place;
    return place;
  }

  /** The broker may have kept this very message longer ago than it remembers ids. */
  async #ownPlace(messageId: string): Promise<number> {
    const found = await lastMessage(this.#broker, this.#options);
    if (found?.header(HEADERS.messageId) === messageId) return found.sequence;
    this.#unanswered = undefined;
    throw new Overtaken();
  }
}

/** Headers as the client sends them. */
export async function headersOf(headers: Entry["headers"]): Promise<MsgHdrs> {
  // Loaded by now: there is a connection.
  const { headers: createHeaders } = await import("@nats-io/transport-node");
  const made = createHeaders();
  for (const [name, value] of Object.entries(headers)) if (value !== "") made.set(name, value);
  return made;
}
