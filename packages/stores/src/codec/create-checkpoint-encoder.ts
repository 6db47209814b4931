import { setImmediate as yieldToOthers } from "node:timers/promises";
import { type BoardSnapshot, type Checkpoint, EngineError } from "@switchyard/contracts";
import { createBoard, snapshotDelta } from "@switchyard/engine";
import { headerText, lackingIn } from "./checkpoint-header.ts";
import type { DecodedCheckpoint } from "./decode-checkpoint.ts";
import { LineBytes } from "./line-bytes.ts";
import { LogWeight } from "./log-weight.ts";
import { type NamedChange, sliceDelta } from "./slice-delta.ts";

/** A checkpoint as the lines of a log. */
export interface EncodedCheckpoint {
  /** `base`: it needs nothing before it, and begins a log afresh. `delta`: it goes behind the last accepted one. */
  readonly kind: "base" | "delta";
  /** Rises by one with each accepted checkpoint of a run. */
  readonly number: number;
  /** Sealed lines with their ends; only with the last of them it is whole. They may change with the next `encode`. */
  readonly lines: readonly Buffer[];
}

/** Encodes the checkpoints of one run, each as what is different from the last one that was kept. */
export interface CheckpointEncoder {
  /**
   * Encodes a checkpoint and changes nothing; a large one in parts, so that others get their turn, a small one at
   * once. Throws or rejects with `checkpoint.foreign` or `board.invalid_value`.
   */
  encode(checkpoint: Checkpoint): EncodedCheckpoint | Promise<EncodedCheckpoint>;
  /** Says that what was encoded last has been kept, so that the next one builds on it. */
  accept(encoded: EncodedCheckpoint): void;
  /** Says that the log cannot be appended to any more: the next one is a whole record. */
  beginAfresh(): void;
  /** Goes on behind what was loaded from a log. */
  continueFrom(decoded: DecodedCheckpoint): void;
}

/** What an accepted checkpoint leaves to build on. */
interface Pending {
  readonly encoded: EncodedCheckpoint;
  readonly snapshot: BoardSnapshot;
  readonly weighed: readonly { readonly named: NamedChange; readonly characters: number }[];
  readonly headerCharacters: number;
}

/** Makes the encoder of a run that has no checkpoint yet. */
export function createCheckpointEncoder(runId: string): CheckpointEncoder {
  let last: { snapshot: BoardSnapshot; weight: LogWeight } | undefined;
  const bytes = new LineBytes();
  let number = 0;
  let pending: Pending | undefined;

  function encode(checkpoint: Checkpoint): EncodedCheckpoint | Promise<EncodedCheckpoint> {
    if (checkpoint.execId !== runId) {
      throw new EngineError("checkpoint.foreign", { execId: checkpoint.execId, runId, path: "that is to be kept" });
    }
    // A board's snapshot is shared; any other is copied, because its owner may change it.
    const snapshot = createBoard(checkpoint.board).snapshot();
    const base = last === undefined || last.weight.isTopHeavy ? undefined : last.snapshot;
    const kind = base === undefined ? "base" : "delta";
    const header = headerText(checkpoint, lackingIn(checkpoint.board));
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
    const weight = encoded.kind === "delta" && last !== undefined ? last.weight : new LogWeight();
    for (const { named, characters } of pending.weighed) weight.add(named, characters);
    weight.addFleeting(pending.headerCharacters);
    last = { snapshot: pending.snapshot, weight };
    number = encoded.number;
    pending = undefined;
  }
  return {
    encode,
    accept,
    beginAfresh: () => {
      last = undefined;
    },
    continueFrom: (decoded) => {
      last = { snapshot: decoded.snapshot, weight: new LogWeight(decoded.characters) };
      number = decoded.number;
    },
  };
}

/** What the lines of a record have in common. */
interface LineRecord {
  readonly kind: "base" | "delta";
  readonly number: number;
  readonly header: string;
  readonly bytes: LineBytes;
}

/** The lines of a record, from the texts of its delta: its parts, and the line that makes it whole. */
function encodeLines(texts: Iterator<string, void, undefined>, record: LineRecord): Buffer[] | Promise<Buffer[]> {
  const first = texts.next().value ?? "";
  const second = texts.next().value;
  if (second === undefined) return [lastLine(first, record, 0)];
  return encodeParts([first, second], texts, record);
}

/** Others get their turn between two parts. */
async function encodeParts(
  begun: readonly [string, string],
  texts: Iterator<string, void, undefined>,
  record: LineRecord,
): Promise<Buffer[]> {
  const lines: Buffer[] = [];
  let [waiting, next]: [string, string | undefined] = [...begun];
  while (next !== undefined) {
    // All parts are there at the same time.
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
