import { type Checkpoint, EngineError } from "@switchyard/contracts";
import { createCheckpointEncoder, type EncodedCheckpoint } from "../codec/create-checkpoint-encoder.ts";
import { createSerial } from "../codec/create-serial.ts";
import { type DecodedCheckpoint, decodeCheckpoint } from "../codec/decode-checkpoint.ts";
import type { DocumentSource } from "../codec/run-documents.ts";
import type { Database } from "./open-database.ts";
import type { Writes } from "./statements.ts";

/** Whose checkpoints a log holds. */
export interface CheckpointLogOptions extends DocumentSource {
  /** Asked inside a transaction, before it changes anything: the key of the log. Throws when this writer must not write. */
  readonly claim: (run: Writes) => number;
  /** Called with the number of a stored checkpoint. */
  readonly onSaved?: ((number: number) => void) | undefined;
  /** Epoch of the lease under which the log is written to, where there is one. */
  readonly epoch?: number | undefined;
}

/** The checkpoints of one run: whole ones, and what changed since. */
export interface CheckpointLog {
  /** Keeps a checkpoint; the bytes it writes follow what changed. */
  save(checkpoint: Checkpoint): Promise<void>;
  /** Resolves when what was asked for before is kept or refused. */
  settle(): Promise<void>;
  /** Says that what is saved next may build on what was read. */
  continueFrom(stored: StoredCheckpoint): void;
  /** Removes what nothing builds on any more, after whatever else waits; what cannot be removed stays. */
  tidy(): Promise<void>;
}

/** A checkpoint that was read. */
export interface StoredCheckpoint extends DecodedCheckpoint {
  /** Key of its log. */
  readonly key: number;
  /** Number of its last line. */
  readonly line: number;
}

type Encoding = EncodedCheckpoint | Promise<EncodedCheckpoint>;

/** Where a log ends. */
interface LogEnd {
  readonly key: number;
  /** Number of the last line. */
  readonly line: number;
}

/** Most that may be written and flushed on this thread. */
const BLOCKING_BYTES = 64 * 1024;
// The line, and the end of the log.
const APPENDED_ROWS = 2;
// Lines that are removed in one go, so that nobody waits long.
const TRIM_LINES = 16;
// So much may lie there that nothing builds on any more: a save that takes up the room of something removed has one more
// page to write.
const SUPERSEDED_BYTES = 32 * 1024 * 1024;
const NO_END = "its end is missing";

/** A log to write to. */
export function createCheckpointLog(database: Database, options: CheckpointLogOptions): CheckpointLog {
  const encoder = createCheckpointEncoder(options.runId);
  const inTurn = createSerial();
  // Where the record ended that the next one builds on.
  let end: LogEnd | undefined;
  // Saves that take their turn.
  let waiting = 0;
  // Bytes that were written since something was removed.
  let written = 0;

  function accept(encoded: EncodedCheckpoint, at: LogEnd): void {
    encoder.accept(encoded);
    end = at;
    options.onSaved?.(encoded.number);
  }

  /**
   * One statement does what a save usually asks: it finds the lease held and the log as this writer left it, and
   * appends a line. Gives whether it did.
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

  async function keep(encoded: EncodedCheckpoint): Promise<boolean> {
    const lines = encoded.lines.map((line) => line.subarray(0, -1));
    const isBase = encoded.kind === "base";
    const kept = await database.write((run) => {
      const key = options.claim(run);
      const last = lastLineOf(run, { key, path: options.path });
      // Somebody else has saved meanwhile.
      if (!isBase && (end?.key !== key || end.line !== last)) return undefined;
      for (const [index, line] of lines.entries()) run("addLine").run([key, last + index + 1, line]);
      run("endLog").run([key, last + lines.length + 1]);
      if (isBase) run("beginLog").run([key, last + 1]);
      return { key, line: last + lines.length };
    }, "power");
    if (kept === undefined) return false;
    accept(encoded, kept);
    // Nobody waits for it.
    if (isBase && written > SUPERSEDED_BYTES) void tidy();
    for (const line of lines) written += line.length;
    return true;
  }

  async function tidy(): Promise<void> {
    if (end === undefined) return;
    written = 0;
    // Nobody reads it; what is left when this process dies goes another time.
    await trim(database, end.key).catch(() => undefined);
  }

  async function keepInTurn(checkpoint: Checkpoint, encoding: Encoding): Promise<void> {
    let encoded = await encoding;
    while (!(await keep(encoded))) {
      encoder.beginAfresh();
      encoded = await encoder.encode(checkpoint);
    }
  }

  async function save(checkpoint: Checkpoint): Promise<void> {
    // Most saves meet no other one and are small: the way through promises would take a good part of their time.
    const encoding = waiting === 0 ? encoder.encode(checkpoint) : undefined;
    if (encoding !== undefined && !(encoding instanceof Promise) && appendNow(encoding)) return;
    waiting += 1;
    try {
      await inTurn(() => keepInTurn(checkpoint, encoding ?? encoder.encode(checkpoint)));
    } finally {
      waiting -= 1;
    }
  }
  return {
    save,
    settle: () => inTurn(async () => undefined),
    tidy,
    continueFrom: (stored) => {
      end = stored;
      encoder.continueFrom(stored);
      // What the writer before left there.
      void tidy();
    },
  };
}

/** The one line of a delta that may be written on this thread. */
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

/** The newest checkpoint that is kept. Rejects with `checkpoint.corrupt`, `checkpoint.newer_format` or `checkpoint.foreign`. D3. */
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
  // A log whose first line has not been kept yet.
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
