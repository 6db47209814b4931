import {
  type Board,
  type BoardKey,
  type BoardSnapshot,
  EngineError,
  MAIN_CHANNEL,
  type Message,
} from "@switchyard/contracts";
import { plainCopy } from "./plain-copy.ts";

/** A simple, slow board (the state of a run) that copies every value when it is stored and when it is read. */
class PlainBoard implements Board {
  #vars = new Map<string, unknown>();
  #channels = new Map<string, readonly Message[]>([[MAIN_CHANNEL, []]]);

  get<T>(key: BoardKey<T>): T | undefined;
  get(key: BoardKey<unknown>): unknown {
    return this.getVar(key.name);
  }

  set<T>(key: BoardKey<T>, value: T): void {
    this.setVar(key.name, value);
  }

  getVar(name: string): unknown {
    return this.#vars.has(name) ? plainCopy(this.#vars.get(name), name) : undefined;
  }

  getVarString(name: string): string {
    const value = this.#vars.get(name);
    return typeof value === "string" ? value : "";
  }

  hasVar(name: string): boolean {
    return this.#vars.has(name);
  }

  setVar(name: string, value: unknown): void {
    this.#vars.set(name, plainCopy(value, name));
  }

  deleteVar(name: string): void {
    this.#vars.delete(name);
  }

  appendSliceVar(name: string, value: unknown): void {
    const list = this.#vars.has(name) ? this.#vars.get(name) : [];
    if (!Array.isArray(list)) throw new EngineError("board.not_a_list", { key: name });
    this.setVar(name, [...list, value]);
  }

  updateSliceVarItem(name: string, matches: (item: unknown) => boolean, update: (item: unknown) => unknown): void {
    const list = this.getVar(name);
    if (!Array.isArray(list)) return;
    const index = list.findIndex((item: unknown) => matches(item));
    if (index !== -1) this.setVar(name, list.with(index, update(list[index])));
  }

  vars(): Record<string, unknown> {
    return Object.fromEntries([...this.#vars].map(([name, value]) => [name, plainCopy(value, name)]));
  }

  channel(name: string): readonly Message[] {
    return plainCopy(this.#channels.get(name) ?? [], name);
  }

  appendChannelMessage(name: string, message: Message): void {
    this.setChannel(name, [...(this.#channels.get(name) ?? []), message]);
  }

  setChannel(name: string, messages: readonly Message[]): void {
    this.#channels.set(name, plainCopy(messages, name));
  }

  channels(): Record<string, readonly Message[]> {
    return Object.fromEntries([...this.#channels].map(([name, messages]) => [name, plainCopy(messages, name)]));
  }

  snapshot(): BoardSnapshot {
    return Object.freeze({ vars: this.vars(), channels: this.channels() });
  }

  restoreFrom(snapshot: BoardSnapshot | undefined): void {
    if (snapshot === undefined) return;
    const { vars, channels = {} } = plainCopy(snapshot, "the snapshot");
    this.#vars = new Map(Object.entries(vars));
    this.#channels = new Map([[MAIN_CHANNEL, []], ...Object.entries(channels)]);
  }
}

/** Creates a board, empty or from a snapshot, for tests that do not depend on the implementation. See engine: Board. */
export function plainBoard(snapshot?: BoardSnapshot): Board {
  const board = new PlainBoard();
  board.restoreFrom(snapshot);
  return board;
}
