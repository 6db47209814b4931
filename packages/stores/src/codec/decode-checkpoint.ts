import { setImmediate as yieldToOthers } from "node:timers/promises";
import { type BoardSnapshot, type Checkpoint, EngineError, messageOf } from "@switchyard/contracts";
import { applySnapshotDelta, type SnapshotDelta } from "@switchyard/engine";
import { type CheckpointHeader, headerOf, withoutMissingPart } from "./checkpoint-header.ts";
import { decodeValue } from "./decode-value.ts";
import { isRecord } from "./encode-value.ts";
import { openLine } from "./sealed-text.ts";
import { PART_CHARACTERS } from "./slice-change.ts";

/** Origin of the lines of a checkpoint log. */
export interface CheckpointSource {
  /** Id of the run that the log belongs to. */
  readonly runId: string;
  /** Path or URL of the log, for error messages. */
  readonly path: string;
}

/** The newest checkpoint of a log. */
export interface DecodedCheckpoint {
  readonly checkpoint: Checkpoint;
  /** Number of the checkpoint within the run. */
  readonly number: number;
  /** State of the run's key-value data (board) at this checkpoint. Later lines of the log contain differences to it. */
  readonly snapshot: BoardSnapshot;
  /** Length of the log, in characters. */
  readonly characters: number;
}

function isDelta(value: unknown): value is SnapshotDelta {
  if (!isRecord(value)) return false;
  return [value["vars"], value["channels"]].every(
    (changes) => changes === undefined || (isRecord(changes) && Object.values(changes).every(isRecord)),
  );
}

/** Reads the lines of a checkpoint log one by one. */
class LogReader {
  readonly #source: CheckpointSource;
  #line = 0;
  // State after the lines read so far, while a checkpoint of several lines is incomplete.
  #begun: { snapshot: BoardSnapshot; number: number; parts: number } | undefined;
  #last: { header: CheckpointHeader; snapshot: BoardSnapshot; number: number } | undefined;

  constructor(source: CheckpointSource) {
    this.#source = source;
  }

  get last(): { header: CheckpointHeader; snapshot: BoardSnapshot; number: number } | undefined {
    return this.#last;
  }

  corrupt(problem: string, cause?: unknown): EngineError {
    const position = this.#line === 0 ? problem : `line ${this.#line}: ${problem}`;
    return new EngineError("checkpoint.corrupt", { path: this.#source.path, problem: position }, { cause });
  }

  read(line: string | Uint8Array): void {
    this.#line += 1;
    const opened = openLine(line);
    if (opened.kind === "newer") {
      throw new EngineError("checkpoint.newer_format", { path: this.#source.path, format: opened.format });
    }
    if (opened.kind === "damaged") throw this.corrupt(opened.problem);
    const record = decodeValue(opened.value, (problem) => this.corrupt(problem));
    if (!isRecord(record) || typeof record["n"] !== "number" || !isDelta(record["board"])) {
      throw this.corrupt("it is not a checkpoint");
    }
    const { kind, n: number, board, part } = record;
    const before = this.#snapshotBefore({ kind, number, part: part ?? record["parts"] }, part !== undefined);
    const snapshot = this.#apply(before, board);
    if (typeof part === "number") this.#begun = { snapshot, number, parts: part };
    else this.#end(record, { snapshot, number });
  }

  /**
   * Returns the key-value state (board) to which the changes in a line are applied. `undefined` for the first line of a
   * complete checkpoint.
   */
  #snapshotBefore(
    { kind, number, part }: { kind: unknown; number: number; part: unknown },
    isPart: boolean,
  ): BoardSnapshot | undefined {
    const partsBefore = isPart && typeof part === "number" ? part - 1 : part;
    if (partsBefore === 0) {
      if (kind === "base") return undefined;
      if (kind === "delta" && this.#last?.number === number - 1) return this.#last.snapshot;
    } else if (this.#begun?.number === number && this.#begun.parts === partsBefore) return this.#begun.snapshot;
    throw this.corrupt("the checkpoint on which it is based is missing");
  }

  #apply(before: BoardSnapshot | undefined, delta: SnapshotDelta): BoardSnapshot {
    try {
      return applySnapshotDelta(before, delta);
    } catch (error) {
      throw this.corrupt(messageOf(error), error);
    }
  }

  #end(record: Record<string, unknown>, { snapshot, number }: { snapshot: BoardSnapshot; number: number }): void {
    const header = headerOf(record);
    if (header === undefined) throw this.corrupt("it is not a checkpoint");
    if (header.execId !== this.#source.runId) {
      throw new EngineError("checkpoint.foreign", { ...this.#source, execId: header.execId });
    }
    this.#last = { header, snapshot, number };
    this.#begun = undefined;
  }
}

/**
 * Resolves with the newest checkpoint in the lines of a log. The log must begin with a complete checkpoint, which later
 * lines change. An incomplete checkpoint at the end was never acknowledged and is ignored. Yields to the event loop
 * between large lines. Rejects with `checkpoint.corrupt`, `checkpoint.newer_format` or `checkpoint.foreign`. See
 * durability promise D3.
 */
export async function decodeCheckpoint(
  lines: Iterable<string | Uint8Array>,
  source: CheckpointSource,
): Promise<DecodedCheckpoint> {
  const reader = new LogReader(source);
  let [characters, sinceTurn] = [0, 0];
  for (const line of lines) {
    reader.read(line);
    characters += line.length;
    sinceTurn += line.length;
    if (sinceTurn < PART_CHARACTERS) continue;
    sinceTurn = 0;
    await yieldToOthers();
  }
  const { last } = reader;
  if (last === undefined)
    throw new EngineError("checkpoint.corrupt", { path: source.path, problem: "it contains no complete checkpoint" });
  const { lacking, ...header } = last.header;
  const checkpoint = { ...header, board: withoutMissingPart(last.snapshot, lacking) };
  return { checkpoint, number: last.number, snapshot: last.snapshot, characters };
}
