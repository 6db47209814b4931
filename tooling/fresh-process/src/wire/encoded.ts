/** Name of a member: a string, or a symbol known to both sides. */
export type MemberName = string | { readonly symbol: string };

/** A member of an object that stays on its side. */
export type Member =
  | { readonly name: MemberName; readonly is: "method"; readonly isOwn: boolean }
  /** Read on demand: every time if it is live, otherwise once. */
  | { readonly name: MemberName; readonly is: "field"; readonly isLive: boolean; readonly isOwn: boolean }
  /** Sent with the object, if the other side cannot ask. */
  | { readonly name: MemberName; readonly is: "value"; readonly value: Encoded };

/** An encoded error. */
export interface EncodedError {
  readonly is: "error";
  readonly id: number;
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** Own fields, including `cause` if present. */
  readonly fields: readonly (readonly [string, Encoded])[];
}

/**
 * An encoded value. Data is copied. Values with identity (functions, objects with methods, errors, signals, promises)
 * are represented by their owner's number, and restored when they return.
 */
export type Encoded =
  | undefined
  | null
  | boolean
  | number
  | bigint
  | string
  | { readonly is: "symbol"; readonly name: MemberName }
  /** Values that the engine's serialiser copies: dates, bytes, regular expressions. */
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
  /** A value that belongs to the receiver. */
  | { readonly is: "yours"; readonly id: number; readonly method?: MemberName | undefined };

/** Result of a call or read: a value or an error. */
export interface Answer {
  readonly isOk: boolean;
  readonly value: Encoded;
}

/** A call of a receiver's function, or of a method of one of its objects. */
export interface Call {
  readonly id: number;
  readonly method?: MemberName | undefined;
  readonly args: readonly Encoded[];
}

/** A question that blocks the asking side. */
export type Question =
  | ({ readonly type: "call" } & Call)
  | { readonly type: "read"; readonly id: number; readonly name: MemberName };

/** A message between the sides. */
export type Message =
  /** A call whose answer is a message too. */
  | ({ readonly type: "call"; readonly call: number } & Call)
  | { readonly type: "answered"; readonly call: number; readonly answer: Answer }
  | { readonly type: "settled"; readonly id: number; readonly answer: Answer }
  | { readonly type: "aborted"; readonly id: number; readonly reason: Encoded };

/** A numbered message. Each side handles each number once. */
export interface Numbered {
  readonly number: number;
  readonly message: Message;
}
