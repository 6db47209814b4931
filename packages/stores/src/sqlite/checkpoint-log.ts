import { type Checkpoint, EngineError } from "@switchyard/contracts";
import { createCheckpointEncoder, type EncodedCheckpoint } from "../codec/create-checkpoint-encoder.ts";
import { createSerial } from "../codec/create-serial.ts";
import { type DecodedCheckpoint, decodeCheckpoint } from "../codec/decode-checkpoint.ts";
import type { DocumentSource } from "../codec/run-documents.ts";
import { CheckpointLines, type CheckpointLogOptions, corrupt, NO_END } from "./checkpoint-lines.ts";
import type { Database } from "./open-database.ts";

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

/** Creates the object that writes a checkpoint log. */
export function createCheckpointLog(database: Database, options: CheckpointLogOptions): CheckpointLog {
  const encoder = createCheckpointEncoder(options.runId);
  const lines = new CheckpointLines(database, encoder, options);
  const inTurn = createSerial();
  // Number of pending saves.
  let waiting = 0;

  async function storeInOrder(checkpoint: Checkpoint, encoding: Encoding): Promise<void> {
    let encoded = await encoding;
    while (!(await lines.store(encoded))) {
      encoder.restart();
      encoded = await encoder.encode(checkpoint);
    }
  }

  async function save(checkpoint: Checkpoint): Promise<void> {
    // Small saves without concurrent ones are executed synchronously: promises would take much of the time.
    const encoding = waiting === 0 ? encoder.encode(checkpoint) : undefined;
    if (encoding !== undefined && !(encoding instanceof Promise) && lines.appendNow(encoding)) return;
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
    removeSuperseded: () => lines.removeSuperseded(),
    continueFrom: (stored) => {
      lines.continueAfter(stored);
      encoder.continueFrom(stored);
      // Removes superseded lines that the previous writer has not removed.
      void lines.removeSuperseded();
    },
  };
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
