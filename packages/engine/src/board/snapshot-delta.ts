import type { BoardSnapshot, Message } from "@switchyard/contracts";
import { changedList, changedVariable, isDeleted } from "./apply-change.ts";
import { type BoardState, emptyState, snapshotOf, stateOf } from "./board-state.ts";
import { SharedList } from "./shared-list.ts";
import {
  changeOfList,
  changeOfValue,
  changesNothing,
  type Deleted,
  type ListChange,
  type ValueChange,
} from "./value-change.ts";

/** What is different in a later snapshot, as plain data; what is not named is as it was. */
export interface SnapshotDelta {
  /** Variables that were set, changed or removed. */
  readonly vars?: Readonly<Record<string, ValueChange | Deleted>> | undefined;
  /** Channels that were set, changed or removed. */
  readonly channels?: Readonly<Record<string, ListChange<Message> | Deleted>> | undefined;
}

const DELETED: Deleted = Object.freeze({ deleted: true });

function startOf(snapshot: BoardSnapshot | undefined): BoardState {
  return snapshot === undefined ? emptyState() : stateOf(snapshot);
}

function varChanges(before: BoardState, after: BoardState): [string, ValueChange | Deleted][] {
  const changes: [string, ValueChange | Deleted][] = [];
  for (const { key, before: from, after: to } of after.vars.changesSince(before.vars)) {
    const change = to === undefined ? DELETED : changeOfValue(from, to);
    if (change !== undefined) changes.push([key, change]);
  }
  return changes;
}

function channelChanges(before: BoardState, after: BoardState): [string, ListChange<Message> | Deleted][] {
  const changes: [string, ListChange<Message> | Deleted][] = [];
  for (const { key, before: from, after: to } of after.channels.changesSince(before.channels)) {
    if (to === undefined) {
      changes.push([key, DELETED]);
      continue;
    }
    const change = changeOfList(from ?? SharedList.of<Message>([]), to);
    if (from === undefined || !changesNothing(change, from.length)) changes.push([key, change]);
  }
  return changes;
}

/**
 * What turns one snapshot into another; without the first, into what a new board becomes. For snapshots of one board
 * it costs as much as was changed between them, however large the board is; others are compared value by value.
 * Throws `board.invalid_value` when a foreign snapshot holds what no board can. engine: Checkpoint.
 */
export function snapshotDelta(before: BoardSnapshot | undefined, after: BoardSnapshot): SnapshotDelta {
  const [from, to] = [startOf(before), stateOf(after)];
  const [vars, channels] = [varChanges(from, to), channelChanges(from, to)];
  return {
    ...(vars.length === 0 ? {} : { vars: Object.fromEntries(vars) }),
    ...(channels.length === 0 ? {} : { channels: Object.fromEntries(channels) }),
  };
}

/**
 * The snapshot that a delta leads to. Costs as much as the delta, so that a long row of them can be applied one by
 * one; a foreign first snapshot is copied. Throws `board.invalid_value` when the delta is not one of that snapshot.
 * engine: Checkpoint.
 */
export function applySnapshotDelta(before: BoardSnapshot | undefined, delta: SnapshotDelta): BoardSnapshot {
  let { vars, channels } = startOf(before);
  for (const [name, change] of Object.entries(delta.vars ?? {})) {
    vars = isDeleted(change, name)
      ? vars.without(name)
      : vars.with(name, changedVariable(vars.get(name), change, name));
  }
  for (const [name, change] of Object.entries(delta.channels ?? {})) {
    channels = isDeleted(change, name)
      ? channels.without(name)
      : channels.with(name, changedList(channels.get(name) ?? SharedList.of<Message>([]), change, name));
  }
  return snapshotOf({ vars, channels });
}
