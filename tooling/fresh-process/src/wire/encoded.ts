/** Name of a member: a text, or the name of a symbol that both sides know. */
export type MemberName = string | { readonly symbol: string };

/** A member of an object that stays on its side. */
export type Member =
  | { readonly name: MemberName; readonly is: "method"; readonly isOwn: boolean }
  /** Asked for when it is read: each time where it is live, else once. */
  | { readonly name: MemberName; readonly is: "field"; readonly isLive: boolean; readonly isOwn: boolean }
  /** Sent along, where the other side cannot ask. */
  | { readonly name: MemberName; readonly is: "value"; readonly value: Encoded };

/** An error with everything that is known about it. */
export interface EncodedError {
  readonly is: "error";
  readonly id: number;
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** Fields of its own, `cause` among them where it has one. */
  readonly fields: readonly (readonly [string, Encoded])[];
}

/**
 * A value on its way to the other side. Data is copied; what has an identity (functions, objects with methods, errors,
 * signals, promises) is known by the number that its owner gave it, and is itself again when it comes back.
 */
export type Encoded =
  | undefined
  | null
  | boolean
  | number
  | bigint
  | string
  | { readonly is: "symbol"; readonly name: MemberName }
  /** What the serialiser of the engine copies as it is: dates, bytes, expressions. */
  | { readonly is: "copy"; readonly value: unknown }
  | { readonly is: "list"; readonly items: readonly Encoded[] }
  | { readonly is: "record"; readonly isBare: boolean; readonly entries: readonly (readonly [string, Encoded])[] }
  | { readonly is: "map"; readonly entries: readonly (readonly [Encoded, Encoded])[] }
  | { readonly is: "set"; readonly items: readonly Encoded[] }
  | EncodedError
  | { readonly is: "signal"; readonly id: number; readonly isAborted: boolean; readonly reason: Encoded }
  | { readonly is: "promise"; readonly id: number }
  | { readonly is: "function"; readonly id: number }
  | { readonly is: "object"; readonly id: number; readonly members: readonly Member[] }
  /** The receiver's own. */
  | { readonly is: "yours"; readonly id: number; readonly method?: MemberName | undefined };

/** What a call or a read gave, or what it threw. */
export interface Answer {
  readonly isOk: boolean;
  readonly value: Encoded;
}

/** A call of a function of the receiver, or of a method of one of its objects. */
export interface Call {
  readonly id: number;
  readonly method?: MemberName | undefined;
  readonly args: readonly Encoded[];
}

/** What the asking side waits for, doing nothing else. */
export type Question =
  | ({ readonly type: "call" } & Call)
  | { readonly type: "read"; readonly id: number; readonly name: MemberName };

/** What one side tells the other. */
export type Message =
  /** A call whose answer comes as a message as well. */
  | ({ readonly type: "call"; readonly call: number } & Call)
  | { readonly type: "answered"; readonly call: number; readonly answer: Answer }
  | { readonly type: "settled"; readonly id: number; readonly answer: Answer }
  | { readonly type: "aborted"; readonly id: number; readonly reason: Encoded };

/** A message with its number; each side takes each number once. */
export interface Numbered {
  readonly number: number;
  readonly message: Message;
}
