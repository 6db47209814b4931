import { type Checkpoint, EngineError } from "@switchyard/contracts";
import { createCheckpointEncoder, type EncodedCheckpoint } from "../codec/create-checkpoint-encoder.ts";
import { createSerial } from "../codec/create-serial.ts";
import { type DecodedCheckpoint, decodeCheckpoint } from "../codec/decode-checkpoint.ts";
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

/**
 * Writes the checkpoints of one run: first a complete checkpoint, then the difference to the previous one each time.
 */
export interface CheckpointLog {
  /** Stores a checkpoint. Only changes since the last checkpoint are written. */
  save(checkpoint: Checkpoint): Promise<void>;
  /** Resolves when all pending saves are stored or rejected. */
  settle(): Promise<void>;
  /** Continues the log after a checkpoint that was read: the next one can be stored as the difference to it. */
  continueFrom(stored: StoredCheckpoint): void;
  /**
   * Removes log lines that a later complete checkpoint has superseded, after all pending writes. Failures are ignored.
   */
  removeSuperseded(): Promise<void>;
}

/** A checkpoint that was read from the database. */
export interface StoredCheckpoint extends DecodedCheckpoint {
  /** Database key of the log that contains the checkpoint. */
  readonly key: number;
  /** Number, within the log, of the checkpoint's last line. */
  readonly line: number;
}

type Encoding = EncodedCheckpoint | Promise<EncodedCheckpoint>;

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
const NO_END = "its end is missing";

/** Creates the object that writes a checkpoint log. */
export function createCheckpointLog(database: Database, options: CheckpointLogOptions): CheckpointLog {
  const encoder = createCheckpointEncoder(options.runId);
  const inTurn = createSerial();
  // Last line of the last stored checkpoint, which is the basis of the next difference.
  let end: LogEnd | undefined;
  // Number of pending saves.
  let waiting = 0;
  // Number of bytes written since superseded lines were last removed.
  let written = 0;

  function accept(encoded: EncodedCheckpoint, at: LogEnd): void {
    encoder.accept(encoded);
    end = at;
    options.onSaved?.(encoded.number);
  }

  /**
   * Tries to append a line with one SQL statement, which has no effect if the lease is lost or the log has changed.
   * Returns true if the line was appended.
   */
  function appendNow(encoded: EncodedCheckpoint): boolean {
    const { epoch } = options;
    const line = smallDelta(encoded);
    if (line === undefined || end === undefined || epoch === undefined) return false;
    const next = { key: end.key, line: end.line + 1 };
    const values = [next.key, next.line, line.subarray(0, -1), epoch];
    if (database.writeNow("appendLine", { values, session: encoder }) !== APPENDED_ROWS) return false;
    accept(encoded, next);
    written += line.length;
    return true;
  }

  async function store(encoded: EncodedCheckpoint): Promise<boolean> {
    const lines = encoded.lines.map((line) => line.subarray(0, -1));
    const isBase = encoded.kind === "base";
    const stored = await database.write((run) => {
      const key = options.claim(run);
      const last = lastLineOf(run, { key, path: options.path });
      // Another process has saved a checkpoint since the last one of this writer.
      if (!isBase && (end?.key !== key || end.line !== last)) return undefined;
      for (const [index, line] of lines.entries()) run("addLine").run([key, last + index + 1, line]);
      run("endLog").run([key, last + lines.length + 1]);
      if (isBase) run("beginLog").run([key, last + 1]);
      return { key, line: last + lines.length };
    }, "power");
    if (stored === undefined) return false;
    accept(encoded, stored);
    // The removal runs in the background; no caller waits for it.
    if (isBase && written > SUPERSEDED_BYTES) void removeSuperseded();
    for (const line of lines) written += line.length;
    return true;
  }

  async function removeSuperseded(): Promise<void> {
    if (end === undefined) return;
    written = 0;
    // A failure is ignored: superseded lines are never read, and a later call removes them.
    await trim(database, end.key).catch(() => undefined);
  }

  async function storeInOrder(checkpoint: Checkpoint, encoding: Encoding): Promise<void> {
    let encoded = await encoding;
    while (!(await store(encoded))) {
      encoder.restart();
      encoded = await encoder.encode(checkpoint);
    }
  }

  async function save(checkpoint: Checkpoint): Promise<void> {
    // Small saves without concurrent ones are executed synchronously: promises would take much of the time.
    const encoding = waiting === 0 ? encoder.encode(checkpoint) : undefined;
    if (encoding !== undefined && !(encoding instanceof Promise) && appendNow(encoding)) return;
    waiting += 1;
    try {
      await inTurn(() => storeInOrder(checkpoint, encoding ?? encoder.encode(checkpoint)));
    } finally {
      waiting -= 1;
    }
  }
  return {
    save,
    settle: () => inTurn(async () => undefined),
    removeSuperseded,
    continueFrom: (stored) => {
      end = stored;
      encoder.continueFrom(stored);
      // Removes superseded lines that the previous writer has not removed.
      void removeSuperseded();
    },
  };
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

/**
 * Resolves with the newest stored checkpoint. Rejects with `checkpoint.corrupt`, `checkpoint.newer_format` or
 * `checkpoint.foreign`. See durability promise D3.
 */
export async function readCheckpoint(
  database: Database,
  { key, path, runId }: DocumentSource & { key: number },
): Promise<StoredCheckpoint | undefined> {
  const rows = await database
    .read((get) => get("lines").all([key]))
    .catch((error: unknown) => {
      if (!EngineError.is(error, "store.malformed")) throw error;
      throw new EngineError("checkpoint.corrupt", { path, problem: error.details["problem"] }, { cause: error });
    });
  const [first, firstFound] = rows[0] ?? [];
  // No line of this log has been stored yet.
  if (first === 0 && firstFound === null) return undefined;
  if (typeof first !== "number") throw corrupt(path, "the list of its lines is missing");
  const lines = rows.flatMap(([, , line]) => (line instanceof Uint8Array ? [line] : []));
  const [, end, mark] = rows.at(-1) ?? [];
  if (typeof mark !== "number" || typeof end !== "number") throw corrupt(path, NO_END);
  if (lines.length !== end - first || rows.length !== lines.length + 1) {
    throw corrupt(path, `it has ${lines.length} of its ${end - first} lines`);
  }
  return { ...(await decodeCheckpoint(lines, { path, runId })), key, line: end - 1 };
}

function corrupt(path: string, problem: string): EngineError {
  return new EngineError("checkpoint.corrupt", { path, problem });
}
