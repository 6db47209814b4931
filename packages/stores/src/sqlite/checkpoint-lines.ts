import { EngineError } from "@switchyard/contracts";
import type { CheckpointEncoder, EncodedCheckpoint } from "../codec/create-checkpoint-encoder.ts";
import type { DocumentSource } from "../codec/run-documents.ts";
import type { Database } from "./open-database.ts";
import type { Writes } from "./statements.ts";

/** Options for writing the checkpoint log of a run. */
export interface CheckpointLogOptions extends DocumentSource {
  /**
   * Returns the database key of the log. Called at the beginning of each transaction. Throws if this writer must not
   * write.
   */
  readonly claim: (run: Writes) => number;
  /** Called with the number of a stored checkpoint. */
  readonly onSaved?: ((number: number) => void) | undefined;
  /** Number (epoch) of the writer that writes the log. `undefined` if the store has no leases. */
  readonly epoch?: number | undefined;
}

/** End of a log. */
interface LogEnd {
  readonly key: number;
  /** Number of the log's last line. */
  readonly line: number;
}

/** Maximum size, in bytes, of a log line that is written and flushed synchronously on this thread. */
const BLOCKING_BYTES = 64 * 1024;
// Number of database rows that appending a line changes: the new line, and the row that marks the end of the log.
const APPENDED_ROWS = 2;
// Maximum number of lines that are removed in one transaction, so that other writes do not wait long.
const TRIM_LINES = 16;
// Bytes written before superseded lines are removed: after a removal, a save writes an additional database page.
const SUPERSEDED_BYTES = 32 * 1024 * 1024;
/** Problem of a log without the row that marks its end. */
export const NO_END = "its end is missing";

/** Writes the lines of a checkpoint log. The lines contain encoded checkpoints: complete ones, and differences. */
export class CheckpointLines {
  readonly #database: Database;
  readonly #encoder: CheckpointEncoder;
  readonly #options: CheckpointLogOptions;
  /** Last line of the last stored checkpoint, which is the basis of the next difference. */
  #end: LogEnd | undefined;
  /** Number of bytes written since superseded lines were last removed. */
  #written = 0;

  /** Creates the writer of the lines of one log. `encoder`: encodes the checkpoints, and is told which are stored. */
  constructor(database: Database, encoder: CheckpointEncoder, options: CheckpointLogOptions) {
    this.#database = database;
    this.#encoder = encoder;
    this.#options = options;
  }

  /**
   * Tries to append a line with one SQL statement, which has no effect if the lease is lost or the log has changed.
   * Returns true if the line was appended.
   */
  appendNow(encoded: EncodedCheckpoint): boolean {
    const { epoch } = this.#options;
    const line = smallDelta(encoded);
    if (line === undefined || this.#end === undefined || epoch === undefined) return false;
    const next = { key: this.#end.key, line: this.#end.line + 1 };
    const values = [next.key, next.line, line.subarray(0, -1), epoch];
    if (this.#database.writeNow("appendLine", { values, session: this.#encoder }) !== APPENDED_ROWS) return false;
    this.#accept(encoded, next);
    this.#written += line.length;
    return true;
  }

  /**
   * Stores an encoded checkpoint in a transaction. Resolves with false if it is a difference whose basis is no longer
   * the last checkpoint, because another process has saved one. Then nothing is stored.
   */
  async store(encoded: EncodedCheckpoint): Promise<boolean> {
    const lines = encoded.lines.map((line) => line.subarray(0, -1));
    const isBase = encoded.kind === "base";
    const stored = await this.#database.write((run) => this.#addLines(run, lines, isBase), "power");
    if (stored === undefined) return false;
    this.#accept(encoded, stored);
    // The removal runs in the background; no caller waits for it.
    if (isBase && this.#written > SUPERSEDED_BYTES) void this.removeSuperseded();
    for (const line of lines) this.#written += line.length;
    return true;
  }

  /** Continues the log after a checkpoint that was read. */
  continueAfter(end: LogEnd): void {
    this.#end = end;
  }

  /** Removes log lines that a later complete checkpoint has superseded. Failures are ignored. */
  async removeSuperseded(): Promise<void> {
    if (this.#end === undefined) return;
    this.#written = 0;
    // A failure is ignored: superseded lines are never read, and a later call removes them.
    await trim(this.#database, this.#end.key).catch(() => undefined);
  }

  #addLines(run: Writes, lines: readonly Uint8Array[], isBase: boolean): LogEnd | undefined {
    const key = this.#options.claim(run);
    const last = lastLineOf(run, { key, path: this.#options.path });
    // Another process has saved a checkpoint since the last one of this writer.
    if (!isBase && (this.#end?.key !== key || this.#end.line !== last)) return undefined;
    for (const [index, line] of lines.entries()) run("addLine").run([key, last + index + 1, line]);
    run("endLog").run([key, last + lines.length + 1]);
    if (isBase) run("beginLog").run([key, last + 1]);
    return { key, line: last + lines.length };
  }

  #accept(encoded: EncodedCheckpoint, at: LogEnd): void {
    this.#encoder.accept(encoded);
    this.#end = at;
    this.#options.onSaved?.(encoded.number);
  }
}

/**
 * Returns the log line of a checkpoint, if it is a difference small enough to be written synchronously on this thread.
 */
function smallDelta({ kind, lines: [line, ...others] }: EncodedCheckpoint): Buffer | undefined {
  if (kind !== "delta" || line === undefined || others.length > 0) return undefined;
  return line.length > BLOCKING_BYTES ? undefined : line;
}

function lastLineOf(run: Writes, { key, path }: { key: number; path: string }): number {
  const [last] = run("lastLineOf").get([key]) ?? [];
  if (typeof last === "number") return last;
  throw corrupt(path, NO_END);
}

async function trim(database: Database, key: number): Promise<void> {
  while ((await database.write((run) => run("trimLines").run([key, TRIM_LINES]), "process")) === TRIM_LINES);
}

/** Creates the error of a damaged checkpoint log. */
export function corrupt(path: string, problem: string): EngineError {
  return new EngineError("checkpoint.corrupt", { path, problem });
}
