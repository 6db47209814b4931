import { type Settler, ValueDecoder } from "./decode-value.ts";
import { ValueEncoder } from "./encode-value.ts";
import type { Answer, Call, Message, Question } from "./encoded.ts";
import { decodeName } from "./member-name.ts";
import { ObjectTable } from "./object-table.ts";

/** Connection to the other side. */
export interface Channel {
  /** Sends a message. Contract: messages are ordered and not lost while both sides live. */
  tell(message: Message): void;
  /** Sends a question and blocks until the answer. Without it, a side gets promises instead of values. */
  readonly ask?: ((question: Question) => Answer) | undefined;
}

/**
 * One of two sides that use each other's objects.
 *
 * The side that can ask calls remote objects as if they were local: when a call returns, the function has run to its
 * first `await`, and its effects on this side have happened. The other side gets a promise from every call.
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

  /** Creates a peer with one initial object on each side, `root` here, which both know by the number 0. */
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

  /** Calls a method of the other side's initial object. */
  callRoot(method: string, ...args: readonly unknown[]): unknown {
    return this.#call({ id: 0, method, args: args.map((arg) => this.#encoder.encode(arg)) });
  }

  /** Stops following signals, because the other side is gone. */
  close(): void {
    for (const [signal, tell] of this.#followed) signal.removeEventListener("abort", tell);
    this.#followed.clear();
  }

  /** Handles a message from the other side. */
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

  /** Answers a question of the other side. */
  answer(question: Question): Answer {
    if (question.type === "call") return this.#perform(question);
    return this.#attempt(() => Reflect.get(this.#table.own(question.id), decodeName(question.name)));
  }

  #perform({ id, method, args }: Call): Answer {
    return this.#attempt(() => {
      const target = this.#table.own(id);
      const called: unknown = method === undefined ? target : Reflect.get(target, decodeName(method));
      if (typeof called !== "function") throw new TypeError(`${String(method)} is not a function of the other side.`);
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
