import type { BoardSnapshot, Message } from "@switchyard/contracts";
import { changedList, changedVariable, isDeleted } from "./apply-change.ts";
import { type BoardState, emptyState, snapshotOf, stateOf } from "./board-state.ts";
import { changeOfList, type ListChange, type ListChanges } from "./list-change.ts";
import { SharedList } from "./shared-list.ts";
import { changeOfValue, type Deleted, type ValueChange } from "./value-change.ts";

/**
 * Differences between two snapshots, as plain data. Variables, and channels (lists of values), that are not listed did
 * not change.
 */
export interface SnapshotDelta {
  /** Variables that were set, changed or removed. */
  readonly vars?: Readonly<Record<string, ValueChange | Deleted>> | undefined;
  /** Channels (lists of values) that were set, changed or removed. */
  readonly channels?: Readonly<Record<string, ListChange<Message> | ListChanges<Message> | Deleted>> | undefined;
}

type ChannelChange = ListChange<Message> | ListChanges<Message> | Deleted;

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

function changeOfChannel(
  before: SharedList<Message> | undefined,
  after: SharedList<Message>,
): ChannelChange | undefined {
  const change = changeOfList(before ?? SharedList.of<Message>([]), after);
  // Creating an empty channel counts as a change.
  return before === undefined ? (change ?? { keep: 0, items: [] }) : change;
}

function channelChanges(before: BoardState, after: BoardState): [string, ChannelChange][] {
  const changes: [string, ChannelChange][] = [];
  for (const { key, before: from, after: to } of after.channels.changesSince(before.channels)) {
    const change = to === undefined ? DELETED : changeOfChannel(from, to);
    if (change !== undefined) changes.push([key, change]);
  }
  return changes;
}

/**
 * Returns the difference between two snapshots. If the first is omitted, returns the difference to a new board. For
 * snapshots of one board, the cost depends only on the size of the changes; others are compared by value. Throws
 * `board.invalid_value` if a snapshot from another source contains a value that a board cannot store. See engine:
 * Checkpoint.
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
 * Applies a delta to a snapshot and returns the resulting snapshot. The cost depends only on the size of the delta, so
 * long sequences can be applied. A snapshot from another source is copied first. Throws `board.invalid_value` if the
 * delta does not fit the snapshot. See engine: Checkpoint.
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
