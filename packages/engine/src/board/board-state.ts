import { type BoardSnapshot, MAIN_CHANNEL, type Message } from "@switchyard/contracts";
import { createNotes } from "./create-notes.ts";
import { freezeCopy, handOut } from "./freeze-copy.ts";
import { SharedList } from "./shared-list.ts";
import { SharedMap } from "./shared-map.ts";

/**
 * What a board holds. It is never changed: a change makes a new state that shares everything else. Values are frozen;
 * a list that was changed in part is a {@link SharedList}.
 */
export interface BoardState {
  readonly vars: SharedMap<unknown>;
  readonly channels: SharedMap<SharedList<Message>>;
}

/** What a snapshot made here holds, listed when somebody looks. */
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

// Behind the snapshots made here, which are restored without a copy.
const contentsBehind = createNotes<Contents>();

// The same functions for every snapshot: accessors of its own would make each a class of object of its own.
const VARS = {
  enumerable: true,
  get(this: object): BoardSnapshot["vars"] | undefined {
    return contentsBehind.of(this)?.vars;
  },
};
const CHANNELS = {
  enumerable: true,
  get(this: object): BoardSnapshot["channels"] {
    return contentsBehind.of(this)?.channels;
  },
};

// What the main channel was called in snapshots of old.
const OLD_MAIN_CHANNEL = "";

/** A held variable as it may be handed out. */
export function readVariable(held: unknown): unknown {
  return held instanceof SharedList ? held.items() : handOut(held);
}

/** The state of a new board: no variables and an empty main channel. */
export function emptyState(): BoardState {
  const channels = SharedMap.empty<SharedList<Message>>().with(MAIN_CHANNEL, SharedList.of<Message>([]));
  return { vars: SharedMap.empty(), channels };
}

/** All variables, in a record of the caller's own. */
export function listVars({ vars }: BoardState): Record<string, unknown> {
  return Object.fromEntries(vars.entries().map(([name, held]) => [name, readVariable(held)]));
}

/** All channels, in a record of the caller's own. */
export function listChannels({ channels }: BoardState): Record<string, readonly Message[]> {
  return Object.fromEntries(channels.entries().map(([name, list]) => [name, list.items()]));
}

/** A snapshot of a state. What it holds is listed when somebody looks. */
export function snapshotOf(state: BoardState): BoardSnapshot {
  const snapshot = Object.create(Object.prototype);
  Object.defineProperty(snapshot, "vars", VARS);
  Object.defineProperty(snapshot, "channels", CHANNELS);
  contentsBehind.put(snapshot, new Contents(state));
  return Object.freeze(snapshot);
}

/** The state of a snapshot that was made here; nothing for any other. */
export function ownStateOf(snapshot: BoardSnapshot): BoardState | undefined {
  return contentsBehind.of(snapshot)?.state;
}

/** The state of a snapshot: its own when it was made here, else validated, copied and frozen. Throws `board.invalid_value`. */
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
