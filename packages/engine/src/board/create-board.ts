import { type Board, type BoardKey, type BoardSnapshot, EngineError, type Message } from "@switchyard/contracts";
import { AppendList } from "./append-list.ts";
import {
  type BoardState,
  emptyState,
  forkState,
  listChannels,
  listVars,
  readVariable,
  snapshotOf,
  stateOf,
} from "./board-state.ts";
import { freezeCopy } from "./freeze-copy.ts";
import { ListVariable } from "./list-variable.ts";

const NO_MESSAGES: readonly Message[] = Object.freeze([]);

class SharedBoard implements Board {
  #state: BoardState;
  // The snapshot of the state as it is; while there is one, the state belongs to it.
  #snapshot: BoardSnapshot | undefined;

  constructor(state: BoardState) {
    this.#state = state;
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
    return this.#state.vars.has(name);
  }

  setVar(name: string, value: unknown): void {
    const frozen = freezeCopy(value, name);
    this.#own().vars.set(name, frozen);
  }

  deleteVar(name: string): void {
    if (this.hasVar(name)) this.#own().vars.delete(name);
  }

  appendSliceVar(name: string, value: unknown): void {
    const list = this.#listVariable(name);
    if (list === undefined && this.hasVar(name)) throw new EngineError("board.not_a_list", { key: name });
    const item = freezeCopy(value, name);
    this.#own().vars.set(name, (list ?? ListVariable.of([])).append(item));
  }

  updateSliceVarItem(name: string, matches: (item: unknown) => boolean, update: (item: unknown) => unknown): void {
    const list = this.#listVariable(name)?.replaceFirst(matches, (item) => freezeCopy(update(item), name));
    if (list !== undefined) this.#own().vars.set(name, list);
  }

  vars(): Readonly<Record<string, unknown>> {
    return listVars(this.#state);
  }

  channel(name: string): readonly Message[] {
    return this.#state.channels.get(name)?.items() ?? NO_MESSAGES;
  }

  appendChannelMessage(name: string, message: Message): void {
    const list = this.#state.channels.get(name) ?? AppendList.of<Message>([]);
    const frozen = freezeCopy(message, name);
    this.#own().channels.set(name, list.append(frozen));
  }

  setChannel(name: string, messages: readonly Message[]): void {
    const frozen = freezeCopy(messages, name);
    this.#own().channels.set(name, AppendList.of(frozen));
  }

  channels(): Readonly<Record<string, readonly Message[]>> {
    return listChannels(this.#state);
  }

  snapshot(): BoardSnapshot {
    this.#snapshot ??= snapshotOf(this.#state);
    return this.#snapshot;
  }

  restoreFrom(snapshot: BoardSnapshot | undefined): void {
    if (snapshot === undefined) return;
    this.#state = stateOf(snapshot);
    this.#snapshot = undefined;
  }

  /** The state, to be changed: one of its own from the first change after a snapshot on. */
  #own(): BoardState {
    if (this.#snapshot !== undefined) {
      this.#state = forkState(this.#state);
      this.#snapshot = undefined;
    }
    return this.#state;
  }

  #listVariable(name: string): ListVariable | undefined {
    const held = this.#state.vars.get(name);
    if (held instanceof ListVariable) return held;
    return Array.isArray(held) ? ListVariable.of(held) : undefined;
  }
}

/**
 * Makes a board: empty, or in the state of a snapshot. Values are validated, copied once and frozen when they are
 * set; snapshots share them. Throws `board.invalid_value` when a foreign snapshot holds what no board can.
 * engine: NewBoard, RestoreBoard.
 */
export function createBoard(snapshot?: BoardSnapshot): Board {
  return new SharedBoard(snapshot === undefined ? emptyState() : stateOf(snapshot));
}

/** A variable by name when the guard knows it; nothing when it is missing or of another type. engine: GetTyped. */
export function getTyped<T>(board: Board, name: string, guard: (value: unknown) => value is T): T | undefined {
  const value = board.getVar(name);
  return guard(value) ? value : undefined;
}
