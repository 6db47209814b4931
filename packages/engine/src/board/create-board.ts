import { type Board, type BoardKey, type BoardSnapshot, EngineError, type Message } from "@switchyard/contracts";
import {
  type BoardState,
  emptyState,
  listChannels,
  listVars,
  ownStateOf,
  readVariable,
  snapshotOf,
  stateOf,
} from "./board-state.ts";
import { freezeCopy, freezeItem } from "./freeze-copy.ts";
import { SharedList } from "./shared-list.ts";

const NO_MESSAGES: readonly Message[] = Object.freeze([]);

class SharedBoard implements Board {
  #state: BoardState;
  // Snapshot of the current state; `undefined` until a snapshot is requested.
  #snapshot: BoardSnapshot | undefined;

  constructor(state: BoardState, snapshot?: BoardSnapshot) {
    this.#state = state;
    this.#snapshot = snapshot;
  }

  get<T>(key: BoardKey<T>): T | undefined;
  get(key: BoardKey<unknown>): unknown {
    return this.getVar(key.name);
  }

  set<T>(key: BoardKey<T>, value: T): void {
    this.setVar(key.name, value);
  }

  getVar(name: string): unknown {
    return readVariable(this.#state.vars.get(name));
  }

  getVarString(name: string): string {
    const value = this.#state.vars.get(name);
    return typeof value === "string" ? value : "";
  }

  hasVar(name: string): boolean {
    return this.#state.vars.get(name) !== undefined;
  }

  setVar(name: string, value: unknown): void {
    this.#hold(name, freezeCopy(value, name));
  }

  deleteVar(name: string): void {
    if (this.hasVar(name)) this.#become({ ...this.#state, vars: this.#state.vars.without(name) });
  }

  appendSliceVar(name: string, value: unknown): void {
    const list = this.#listVariable(name);
    if (list === undefined && this.hasVar(name)) throw new EngineError("board.not_a_list", { key: name });
    const item = freezeItem(value, name);
    this.#hold(name, (list ?? SharedList.of<unknown>([])).append(item));
  }

  updateSliceVarItem(name: string, matches: (item: unknown) => boolean, update: (item: unknown) => unknown): void {
    const list = this.#listVariable(name)?.replaceFirst(matches, (item) => freezeItem(update(item), name));
    if (list !== undefined) this.#hold(name, list);
  }

  vars(): Readonly<Record<string, unknown>> {
    return listVars(this.#state);
  }

  channel(name: string): readonly Message[] {
    return this.#state.channels.get(name)?.items() ?? NO_MESSAGES;
  }

  appendChannelMessage(name: string, message: Message): void {
    const list = this.#state.channels.get(name) ?? SharedList.of<Message>([]);
    this.#holdMessages(name, list.append(freezeItem(message, name)));
  }

  setChannel(name: string, messages: readonly Message[]): void {
    this.#holdMessages(name, SharedList.of(freezeCopy(messages, name)));
  }

  channels(): Readonly<Record<string, readonly Message[]>> {
    return listChannels(this.#state);
  }

  snapshot(): BoardSnapshot {
    this.#snapshot ??= snapshotOf(this.#state);
    return this.#snapshot;
  }

  restoreFrom(snapshot: BoardSnapshot | undefined): void {
    if (snapshot !== undefined) this.#become(stateOf(snapshot));
  }

  #hold(name: string, held: unknown): void {
    const { vars, channels } = this.#state;
    this.#become({ vars: vars.with(name, held), channels });
  }

  #holdMessages(name: string, list: SharedList<Message>): void {
    const { vars, channels } = this.#state;
    this.#become({ vars, channels: channels.with(name, list) });
  }

  #become(state: BoardState): void {
    this.#state = state;
    this.#snapshot = undefined;
  }

  #listVariable(name: string): SharedList<unknown> | undefined {
    const held = this.#state.vars.get(name);
    if (held instanceof SharedList) return held;
    return Array.isArray(held) ? SharedList.of<unknown>(held) : undefined;
  }
}

/**
 * Creates a board (shared state of a run) that is empty or has the state of a snapshot. Values are validated, copied
 * once and frozen when they are set; snapshots share them. Throws `board.invalid_value` if a snapshot that was not
 * created by this module contains a value that a board cannot store. See engine: NewBoard, RestoreBoard.
 */
export function createBoard(snapshot?: BoardSnapshot): Board {
  if (snapshot === undefined) return new SharedBoard(emptyState());
  const own = ownStateOf(snapshot);
  // The snapshot from which the board was created describes the state until the first change.
  return own === undefined ? new SharedBoard(stateOf(snapshot)) : new SharedBoard(own, snapshot);
}

/**
 * Returns a board variable if its value passes the type guard. `undefined` if it is not set or has another type. See
 * engine: GetTyped.
 */
export function getTyped<T>(board: Board, name: string, guard: (value: unknown) => value is T): T | undefined {
  const value = board.getVar(name);
  return guard(value) ? value : undefined;
}
