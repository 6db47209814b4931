import { type Settler, ValueDecoder } from "./decode-value.ts";
import { ValueEncoder } from "./encode-value.ts";
import type { Answer, Call, Message, Question } from "./encoded.ts";
import { decodeName } from "./member-name.ts";
import { ObjectTable } from "./object-table.ts";

/** The way to the other side. */
export interface Channel {
  /** Tells the other side something. Contract: in order, and nothing is lost while both sides live. */
  tell(message: Message): void;
  /** Waits for an answer and does nothing else meanwhile; a side without it gets promises instead of values. */
  readonly ask?: ((question: Question) => Answer) | undefined;
}

/**
 * One of two sides that work with each other's objects.
 *
 * The side that can ask calls as if the other's objects were here: what a function does before its first `await` is
 * done, and all that it brought about here has happened, before the call returns. To the other side every call of this
 * one's functions gives a promise.
 */
export class Peer {
  readonly #channel: Channel;
  readonly #table = new ObjectTable();
  readonly #encoder: ValueEncoder;
  readonly #decoder: ValueDecoder;
  readonly #calls = new Map<number, Settler>();
  readonly #promises = new Map<number, Settler>();
  readonly #signals = new Map<number, AbortController>();
  readonly #followed = new Map<AbortSignal, () => void>();
  #count = 0;

  /** Begins with one object of each side, `root` here, that the other knows from the beginning by the number 0. */
  constructor(channel: Channel, root: object = {}) {
    this.#channel = channel;
    this.#table.numberOf(root);
    this.#encoder = new ValueEncoder({
      table: this.#table,
      otherSideAsks: channel.ask === undefined,
      follow: (sent, id) =>
        sent instanceof AbortSignal ? this.#followSignal(sent, id) : this.#followPromise(sent, id),
    });
    this.#decoder = new ValueDecoder({
      table: this.#table,
      call: (call, args) => this.#call({ ...call, args: args.map((arg) => this.#encoder.encode(arg)) }),
      read: (id, name) => this.#decoder.valueOf(this.#ask({ type: "read", id, name })),
      expect: (id, settler) => this.#promises.set(id, settler),
      hear: (id, controller) => this.#signals.set(id, controller),
    });
  }

  /** Calls a method of the object that the other side began with. */
  callRoot(method: string, ...args: readonly unknown[]): unknown {
    return this.#call({ id: 0, method, args: args.map((arg) => this.#encoder.encode(arg)) });
  }

  /** Follows no signal any more: the other side is gone. */
  close(): void {
    for (const [signal, tell] of this.#followed) signal.removeEventListener("abort", tell);
    this.#followed.clear();
  }

  /** Takes what the other side told. */
  take(message: Message): void {
    switch (message.type) {
      case "call":
        this.#channel.tell({ type: "answered", call: message.call, answer: this.#perform(message) });
        break;
      case "answered":
        this.#settle(this.#calls, message.call, message.answer);
        break;
      case "settled":
        this.#settle(this.#promises, message.id, message.answer);
        break;
      case "aborted":
        this.#signals.get(message.id)?.abort(this.#decoder.decode(message.reason));
        this.#signals.delete(message.id);
        break;
    }
  }

  /** Answers what the other side waits for. */
  answer(question: Question): Answer {
    if (question.type === "call") return this.#perform(question);
    return this.#attempt(() => Reflect.get(this.#table.own(question.id), decodeName(question.name)));
  }

  #perform({ id, method, args }: Call): Answer {
    return this.#attempt(() => {
      const target = this.#table.own(id);
      const called: unknown = method === undefined ? target : Reflect.get(target, decodeName(method));
      if (typeof called !== "function") throw new TypeError(`${String(method)} is no function of the other side.`);
      const values = args.map((arg) => this.#decoder.decode(arg));
      return Reflect.apply(called, method === undefined ? undefined : target, values);
    });
  }

  #attempt(act: () => unknown): Answer {
    try {
      return { isOk: true, value: this.#encoder.encode(act()) };
    } catch (error) {
      return { isOk: false, value: this.#encoder.encode(error) };
    }
  }

  #call(call: Call): unknown {
    if (this.#channel.ask !== undefined) return this.#decoder.valueOf(this.#ask({ type: "call", ...call }));
    this.#count += 1;
    const number = this.#count;
    return new Promise((resolve, reject) => {
      this.#calls.set(number, { resolve, reject });
      this.#channel.tell({ type: "call", call: number, ...call });
    });
  }

  #ask(question: Question): Answer {
    if (this.#channel.ask === undefined) throw new TypeError("This side cannot wait for an answer.");
    return this.#channel.ask(question);
  }

  #settle(waiting: Map<number, Settler>, id: number, { isOk, value }: Answer): void {
    const settler = waiting.get(id);
    waiting.delete(id);
    const decoded = this.#decoder.decode(value);
    if (isOk) settler?.resolve(decoded);
    else settler?.reject(decoded);
  }

  #followPromise(promise: Promise<unknown>, id: number): void {
    const tell = (answer: Answer): void => this.#channel.tell({ type: "settled", id, answer });
    promise.then(
      (value) => tell(this.#attempt(() => value)),
      (error: unknown) => tell({ isOk: false, value: this.#encoder.encode(error) }),
    );
  }

  #followSignal(signal: AbortSignal, id: number): void {
    const tell = (): void => this.#channel.tell({ type: "aborted", id, reason: this.#encoder.encode(signal.reason) });
    if (signal.aborted) return;
    signal.addEventListener("abort", tell, { once: true });
    this.#followed.set(signal, tell);
  }
}
