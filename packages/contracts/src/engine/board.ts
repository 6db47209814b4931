import type { Message } from "../model/message.ts";
import type { BoardKey } from "./board-key.ts";

/**
 * Name of the board channel that holds the conversation. Names that begin with `__` are reserved for the platform. See
 * engine: MainChannel.
 */
export const MAIN_CHANNEL = "__main_channel";

/**
 * State of a board (the variables and messages of a run) as plain, frozen, serialisable data. Snapshots share unchanged
 * parts. See engine: BoardSnapshot.
 */
export interface BoardSnapshot {
  /** Variables; always present. */
  readonly vars: Readonly<Record<string, unknown>>;
  /** Message lists by channel. */
  readonly channels?: Readonly<Record<string, readonly Message[]>> | undefined;
}

/**
 * An object that may be stored on a board (the state of a run) although it is not plain data. The board stores the
 * value that `clone` returns. See engine: Cloneable.
 */
export interface Cloneable {
  /** Returns a copy as plain data. */
  clone(): unknown;
}

/**
 * The blackboard of one run: variables, and ordered channels of messages. Contract: values are validated, copied and
 * frozen when they are set, so values that are read never change. See engine: Board.
 */
export interface Board {
  /** Returns the board variable of a key, with the key's type; `undefined` if the variable is not set. */
  get<T>(key: BoardKey<T>): T | undefined;
  /** Sets a typed variable. Throws `board.invalid_value`. */
  set<T>(key: BoardKey<T>, value: T): void;
  /** Returns a board variable by name; `undefined` if the variable is not set. */
  getVar(name: string): unknown;
  /** Returns a board variable by name if its value is a string, else an empty string. */
  getVarString(name: string): string;
  /** Returns true if a variable is set. */
  hasVar(name: string): boolean;
  /** Sets a variable. Throws `board.invalid_value`. */
  setVar(name: string, value: unknown): void;
  /** Removes a board variable; does nothing if the variable is not set. */
  deleteVar(name: string): void;
  /** Appends to a list variable; creates the list if the variable is not set. Throws `board.not_a_list`. */
  appendSliceVar(name: string, value: unknown): void;
  /** Replaces the first item of a list variable that matches; does nothing if no item matches. */
  updateSliceVarItem(name: string, matches: (item: unknown) => boolean, update: (item: unknown) => unknown): void;
  /** Returns all variables. */
  vars(): Readonly<Record<string, unknown>>;
  /** Returns the messages of a channel; empty if the channel does not exist. */
  channel(name: string): readonly Message[];
  /** Appends a message to a channel; creates the channel if it does not exist. */
  appendChannelMessage(name: string, message: Message): void;
  /** Replaces the messages of a channel. */
  setChannel(name: string, messages: readonly Message[]): void;
  /** Returns all channels. */
  channels(): Readonly<Record<string, readonly Message[]>>;
  /** Returns the current state, in constant time. */
  snapshot(): BoardSnapshot;
  /** Replaces the whole state of this board; does nothing if the snapshot is `undefined`. */
  restoreFrom(snapshot: BoardSnapshot | undefined): void;
}
