import { type BoardSnapshot, MAIN_CHANNEL, type Message } from "@switchyard/contracts";
import { createObjectMetadata } from "./create-object-metadata.ts";
import { copyForReader, freezeCopy } from "./freeze-copy.ts";
import { SharedList } from "./shared-list.ts";
import { SharedMap } from "./shared-map.ts";

/**
 * Content of a board, the shared state of a run. The state is immutable: a change creates a new state that shares all
 * unchanged values. Values are frozen. Once a part of a list has been changed, the list is stored as a {@link
 * SharedList}.
 */
export interface BoardState {
  readonly vars: SharedMap<unknown>;
  readonly channels: SharedMap<SharedList<Message>>;
}

/** Content of a snapshot of a board (shared run state). It is converted to plain records on first access. */
class Contents {
  readonly state: BoardState;
  #vars: BoardSnapshot["vars"] | undefined;
  #channels: BoardSnapshot["channels"];

  constructor(state: BoardState) {
    this.state = state;
  }

  get vars(): BoardSnapshot["vars"] {
    this.#vars ??= Object.freeze(listVars(this.state));
    return this.#vars;
  }

  get channels(): BoardSnapshot["channels"] {
    this.#channels ??= Object.freeze(listChannels(this.state));
    return this.#channels;
  }
}

// Content of snapshots that were created by this module. Such snapshots are restored without a copy.
const snapshotContents = createObjectMetadata<Contents>();

// All snapshots share these accessors, because separate accessors would give each snapshot its own hidden class in V8.
const VARS = {
  enumerable: true,
  get(this: object): BoardSnapshot["vars"] | undefined {
    return snapshotContents.of(this)?.vars;
  },
};
const CHANNELS = {
  enumerable: true,
  get(this: object): BoardSnapshot["channels"] {
    return snapshotContents.of(this)?.channels;
  },
};

// Name of the main channel in snapshots of earlier releases.
const OLD_MAIN_CHANNEL = "";

/** Returns a board variable's value, which the caller may store. Values that cannot be frozen are copied. */
export function readVariable(held: unknown): unknown {
  return held instanceof SharedList ? held.items() : copyForReader(held);
}

/** Returns the state of a new board: no variables and an empty main channel. */
export function emptyState(): BoardState {
  const channels = SharedMap.empty<SharedList<Message>>().with(MAIN_CHANNEL, SharedList.of<Message>([]));
  return { vars: SharedMap.empty(), channels };
}

/** Returns all variables of a board in a new record. */
export function listVars({ vars }: BoardState): Record<string, unknown> {
  return Object.fromEntries(vars.entries().map(([name, held]) => [name, readVariable(held)]));
}

/** Returns all message channels of a board in a new record. */
export function listChannels({ channels }: BoardState): Record<string, readonly Message[]> {
  return Object.fromEntries(channels.entries().map(([name, list]) => [name, list.items()]));
}

/** Returns a snapshot of a board's state. The snapshot's records are created on first access. */
export function snapshotOf(state: BoardState): BoardSnapshot {
  const snapshot = Object.create(Object.prototype);
  Object.defineProperty(snapshot, "vars", VARS);
  Object.defineProperty(snapshot, "channels", CHANNELS);
  snapshotContents.put(snapshot, new Contents(state));
  return Object.freeze(snapshot);
}

/** Returns the state of a snapshot that was created by this module. `undefined` for any other snapshot. */
export function ownStateOf(snapshot: BoardSnapshot): BoardState | undefined {
  return snapshotContents.of(snapshot)?.state;
}

/**
 * Returns the state of a snapshot. A snapshot that was not created by this module is validated, copied and frozen.
 * Throws `board.invalid_value`.
 */
export function stateOf(snapshot: BoardSnapshot): BoardState {
  const known = ownStateOf(snapshot);
  if (known !== undefined) return known;
  let { vars, channels } = emptyState();
  for (const [name, value] of Object.entries(snapshot.vars)) {
    if (value !== undefined) vars = vars.with(name, freezeCopy(value, name));
  }
  for (const [name, messages] of Object.entries(snapshot.channels ?? {})) {
    const channel = name === OLD_MAIN_CHANNEL ? MAIN_CHANNEL : name;
    channels = channels.with(channel, SharedList.of(freezeCopy(messages, channel)));
  }
  return { vars, channels };
}
