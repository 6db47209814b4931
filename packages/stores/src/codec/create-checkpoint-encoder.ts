import { setImmediate as yieldToOthers } from "node:timers/promises";
import { type BoardSnapshot, type Checkpoint, EngineError } from "@switchyard/contracts";
import { createBoard, snapshotDelta } from "@switchyard/engine";
import { headerText, missingPartOf } from "./checkpoint-header.ts";
import type { DecodedCheckpoint } from "./decode-checkpoint.ts";
import { LineBytes } from "./line-bytes.ts";
import { type NamedChange, sliceDelta } from "./slice-delta.ts";
import { SupersededSize } from "./superseded-size.ts";

/** A checkpoint, encoded as lines for a checkpoint log. */
export interface EncodedCheckpoint {
  /**
   * `base`: a complete checkpoint that starts a new log. `delta`: the difference to the last stored checkpoint, to be
   * appended to the log.
   */
  readonly kind: "base" | "delta";
  /** Number of the checkpoint; increases by one with each accepted checkpoint of a run. */
  readonly number: number;
  /**
   * Log lines with checksums and line endings. Without its last line, a checkpoint is incomplete. The next call of
   * `encode` may overwrite the buffers.
   */
  readonly lines: readonly Buffer[];
}

/** Encodes the checkpoints of one run, each as the difference to the last stored one. */
export interface CheckpointEncoder {
  /**
   * Encodes a checkpoint. The caller must call `accept` once the checkpoint is stored. A large checkpoint is encoded in
   * parts, asynchronously; a small one synchronously. Throws or rejects with `checkpoint.foreign` or
   * `board.invalid_value`.
   */
  encode(checkpoint: Checkpoint): EncodedCheckpoint | Promise<EncodedCheckpoint>;
  /** Confirms that the last encoded checkpoint is stored. The next one is then encoded as the difference to it. */
  accept(encoded: EncodedCheckpoint): void;
  /**
   * Encodes the next checkpoint completely instead of as a difference. Called if nothing can be appended to the log.
   */
  restart(): void;
  /**
   * Continues after a checkpoint that was loaded from the log. The next one is then encoded as the difference to it.
   */
  continueFrom(decoded: DecodedCheckpoint): void;
}

/**
 * The last encoded checkpoint, which was not accepted yet. Once it is accepted, the next checkpoint is encoded as the
 * difference to it.
 */
interface Pending {
  readonly encoded: EncodedCheckpoint;
  readonly snapshot: BoardSnapshot;
  readonly weighed: readonly { readonly named: NamedChange; readonly characters: number }[];
  readonly headerCharacters: number;
}

/** Creates the encoder for a run that has no stored checkpoint yet. */
export function createCheckpointEncoder(runId: string): CheckpointEncoder {
  let last: { snapshot: BoardSnapshot; weight: SupersededSize } | undefined;
  const bytes = new LineBytes();
  let number = 0;
  let pending: Pending | undefined;

  function encode(checkpoint: Checkpoint): EncodedCheckpoint | Promise<EncodedCheckpoint> {
    if (checkpoint.execId !== runId) {
      throw new EngineError("checkpoint.foreign", { execId: checkpoint.execId, runId, path: "that is to be stored" });
    }
    // Snapshots of a `Board` are immutable; others are copied, because the caller may change them.
    const snapshot = createBoard(checkpoint.board).snapshot();
    const base = last === undefined || last.weight.isTopHeavy ? undefined : last.snapshot;
    const kind = base === undefined ? "base" : "delta";
    const header = headerText(checkpoint, missingPartOf(checkpoint.board));
    const record: LineRecord = { kind, number: number + 1, header, bytes };
    const weighed: { named: NamedChange; characters: number }[] = [];
    const texts = sliceDelta(snapshotDelta(base, snapshot), (named, characters) => weighed.push({ named, characters }));
    const end = (lines: Buffer[]): EncodedCheckpoint => {
      const encoded: EncodedCheckpoint = { kind, number: record.number, lines };
      pending = { encoded, snapshot, weighed, headerCharacters: header.length };
      return encoded;
    };
    const lines = encodeLines(texts, record);
    return lines instanceof Promise ? lines.then(end) : end(lines);
  }

  function accept(encoded: EncodedCheckpoint): void {
    if (pending?.encoded !== encoded) return;
    const weight = encoded.kind === "delta" && last !== undefined ? last.weight : new SupersededSize();
    for (const { named, characters } of pending.weighed) weight.add(named, characters);
    weight.addFleeting(pending.headerCharacters);
    last = { snapshot: pending.snapshot, weight };
    number = encoded.number;
    pending = undefined;
  }
  return {
    encode,
    accept,
    restart: () => {
      last = undefined;
    },
    continueFrom: (decoded) => {
      last = { snapshot: decoded.snapshot, weight: new SupersededSize(decoded.characters) };
      number = decoded.number;
    },
  };
}

/** Fields that all lines of one checkpoint have in common. */
interface LineRecord {
  readonly kind: "base" | "delta";
  readonly number: number;
  readonly header: string;
  readonly bytes: LineBytes;
}

/**
 * Returns the log lines of a checkpoint: a line for each part of its changes, and the last line, which completes it.
 */
function encodeLines(texts: Iterator<string, void, undefined>, record: LineRecord): Buffer[] | Promise<Buffer[]> {
  const first = texts.next().value ?? "";
  const second = texts.next().value;
  if (second === undefined) return [lastLine(first, record, 0)];
  return encodeParts([first, second], texts, record);
}

/** Encodes a large checkpoint. Yields to the event loop after each part. */
async function encodeParts(
  begun: readonly [string, string],
  texts: Iterator<string, void, undefined>,
  record: LineRecord,
): Promise<Buffer[]> {
  const lines: Buffer[] = [];
  let [waiting, next]: [string, string | undefined] = [...begun];
  while (next !== undefined) {
    // Each line needs its own buffer, because all lines are in memory at the same time.
    lines.push(new LineBytes().seal(`${startOf(record)},"part":${lines.length + 1},"board":${waiting}`));
    await yieldToOthers();
    waiting = next;
    next = texts.next().value ?? undefined;
  }
  return [...lines, lastLine(waiting, record, lines.length)];
}

function lastLine(text: string, record: LineRecord, parts: number): Buffer {
  return record.bytes.seal(`${startOf(record)},"parts":${parts},${record.header},"board":${text}`);
}

function startOf({ kind, number }: LineRecord): string {
  return `{"kind":"${kind}","n":${number}`;
}
