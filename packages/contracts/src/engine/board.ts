import type { Message } from "../model/message.ts";
import type { BoardKey } from "./board-key.ts";

/** The channel of the conversation. Names that begin with `__` belong to the platform. engine: MainChannel. */
export const MAIN_CHANNEL = "__main_channel";

/** State of a board as plain data: serialisable, shared structure, frozen. engine: BoardSnapshot. */
export interface BoardSnapshot {
  /** Variables; always present. */
  readonly vars: Readonly<Record<string, unknown>>;
  /** Message lists by channel. */
  readonly channels?: Readonly<Record<string, readonly Message[]>> | undefined;
}

/** May be stored on a board although it is no plain data: the clone is stored. engine: Cloneable. */
export interface Cloneable {
  /** A copy made of plain data. */
  clone(): unknown;
}

/**
 * The blackboard of one run: variables and ordered message channels. Contract: what goes in is validated, copied
 * and frozen, so what comes out is never changed by anybody. engine: Board.
 */
export interface Board {
  /** A variable, typed by its key; nothing when it is not set. */
  get<T>(key: BoardKey<T>): T | undefined;
  /** Sets a typed variable. Throws `board.invalid_value`. */
  set<T>(key: BoardKey<T>, value: T): void;
  /** A variable by name. */
  getVar(name: string): unknown;
  /** A variable by name when it is a text, else the empty text. */
  getVarString(name: string): string;
  /** Whether a variable is set. */
  hasVar(name: string): boolean;
  /** Sets a variable. Throws `board.invalid_value`. */
  setVar(name: string, value: unknown): void;
  /** Removes a variable; a missing one is ignored. */
  deleteVar(name: string): void;
  /** Appends to a list variable, making it on demand. Throws `board.not_a_list`. */
  appendSliceVar(name: string, value: unknown): void;
  /** Replaces the first item of a list variable that matches; nothing happens when there is none. */
  updateSliceVarItem(name: string, matches: (item: unknown) => boolean, update: (item: unknown) => unknown): void;
  /** All variables. */
  vars(): Readonly<Record<string, unknown>>;
  /** Messages of a channel; empty when there is none. */
  channel(name: string): readonly Message[];
  /** Appends a message, making the channel on demand. */
  appendChannelMessage(name: string, message: Message): void;
  /** Replaces the messages of a channel. */
  setChannel(name: string, messages: readonly Message[]): void;
  /** All channels. */
  channels(): Readonly<Record<string, readonly Message[]>>;
  /** The state now; costs nothing that grows with the board. */
  snapshot(): BoardSnapshot;
  /** Replaces the whole state, keeping the board's identity; nothing happens without a snapshot. */
  restoreFrom(snapshot: BoardSnapshot | undefined): void;
}
