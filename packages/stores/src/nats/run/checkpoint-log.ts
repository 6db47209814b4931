import { type Checkpoint, EngineError } from "@switchyard/contracts";
import { type CheckpointEncoder, createCheckpointEncoder } from "../../codec/create-checkpoint-encoder.ts";
import { createSerial } from "../../codec/create-serial.ts";
import { type CheckpointSource, type DecodedCheckpoint, decodeCheckpoint } from "../../codec/decode-checkpoint.ts";
import { splitLines } from "../../codec/split-lines.ts";
import {
  assertReaches,
  readWatermark,
  type WatermarkOptions,
  type WatermarkWriter,
} from "../../watermark/run-watermark.ts";
import type { Broker } from "../broker/broker.ts";
import { deleteMessages } from "../broker/delete-messages.ts";
import type { FencedSubject } from "../broker/fenced-subject.ts";
import { bodyOf, entryOf, type PartsLocation } from "../broker/message-parts.ts";
import { readMessages } from "../broker/read-messages.ts";
import { HEADERS, numberIn, type StoredMessage } from "../broker/stored-message.ts";
import type { FencedLog, HeldLease } from "./lease-registry.ts";

/**
 * Maximum number of attempts to read a checkpoint log. Attempts are repeated if the log is rewritten during the read, or
 * if a broker of a cluster has just restarted and does not have the complete checkpoint yet.
 */
const READINGS = 5;
/** Wait between two attempts, in milliseconds. */
const READING_PAUSE_MS = 100;

/** Location of a run's checkpoints. */
export interface CheckpointLocation extends CheckpointSource {
  readonly stream: string;
  /** Subject of the checkpoint log: a complete checkpoint, followed by differences. */
  readonly checkpoints: string;
  readonly checkpointParts: PartsLocation;
}

/** Content of a checkpoint log. */
interface ReadLog {
  readonly lines: readonly Uint8Array[];
  /** Number of the last checkpoint. 0 if none was ever saved. */
  readonly number: number;
  /** True if the log begins with a complete checkpoint, or is empty. */
  readonly isWhole: boolean;
}

/** Resolves with the content of a checkpoint log. `undefined` if the log was rewritten while it was read. */
async function readLog(broker: Broker, location: CheckpointLocation): Promise<ReadLog | undefined> {
  const messages: StoredMessage[] = [];
  for await (const message of readMessages(broker, { stream: location.stream, subject: location.checkpoints })) {
    // A complete checkpoint replaces all messages before it.
    if (message.header(HEADERS.kind) === "base") messages.length = 0;
    messages.push(message);
  }
  const lines: Uint8Array[] = [];
  for (const message of messages) {
    const body = await bodyOf(broker, location.checkpointParts, message);
    if (body === undefined) return undefined;
    lines.push(...splitLines(body));
  }
  const number = numberIn(messages.at(-1), HEADERS.number);
  return { lines, number, isWhole: number === 0 || messages[0]?.header(HEADERS.kind) === "base" };
}

/**
 * Resolves with the newest checkpoint of a run; `undefined` if none was ever saved. Rejects with `checkpoint.corrupt`,
 * `checkpoint.newer_format` or `checkpoint.foreign`. See durability promise D3.
 */
export async function readCheckpoint(
  broker: Broker,
  location: CheckpointLocation,
): Promise<DecodedCheckpoint | undefined> {
  for (let reading = 1; ; reading += 1) {
    const log = await readLog(broker, location);
    if (log !== undefined && (log.isWhole || reading === READINGS)) {
      if (log.lines.length === 0 && log.number === 0) return undefined;
      return await decodeCheckpoint(log.lines, location);
    }
    if (reading === READINGS) {
      throw new EngineError("checkpoint.corrupt", { path: location.path, problem: "parts of it are missing" });
    }
    await broker.timer.sleep(READING_PAUSE_MS);
  }
}

/**
 * Resolves with the newest checkpoint of a run, and compares it with the watermark (recorded progress) on this machine.
 * Rejects like `readCheckpoint`, and with `checkpoint.lost` if the checkpoint is too old. See durability promises D2,
 * D3.
 */
export async function loadNewest(
  broker: Broker,
  location: CheckpointLocation,
  options: WatermarkOptions,
): Promise<DecodedCheckpoint | undefined> {
  // The watermark (recorded progress) is read before the log, because an active writer could raise it in between.
  const before = readWatermark(options);
  const decoded = await readCheckpoint(broker, location);
  assertReaches(before, decoded?.number, location);
  return decoded;
}

/** Subjects, encoder and settings for writing the checkpoint log of a run. */
export interface CheckpointWriting {
  readonly location: CheckpointLocation;
  /** Epoch of the writer. 0 in stores without leases. */
  readonly epoch: number;
}

/** Appends a checkpoint. Rejects with `WriteConflict` or `run.store_failed`. */
export async function writeCheckpoint(
  broker: Broker,
  { encoder, subject, checkpoint }: { encoder: CheckpointEncoder; subject: FencedSubject; checkpoint: Checkpoint },
  { location, epoch }: CheckpointWriting,
): Promise<number> {
  const encoded = await encoder.encode(checkpoint);
  const { kind, number } = encoded;
  const headers = { [HEADERS.epoch]: String(epoch), [HEADERS.kind]: kind, [HEADERS.number]: String(number) };
  const entry = await entryOf(broker, location.checkpointParts, { data: Buffer.concat(encoded.lines), headers });
  let written: number;
  try {
    written = await subject.append(entry);
  } catch (error) {
    // It is unknown whether this checkpoint was stored. The next checkpoint is therefore stored completely.
    encoder.restart();
    throw error;
  }
  encoder.accept(encoded);
  if (kind === "base") await clearBefore(broker, location, { message: written, part: entry.firstPart ?? written });
  return number;
}

/** Removes messages that are older than the last complete checkpoint. If this fails, the next call removes them. */
async function clearBefore(
  broker: Broker,
  { stream, checkpoints, checkpointParts }: CheckpointLocation,
  { message, part }: { message: number; part: number },
): Promise<void> {
  const remove = (subject: string, before: number): Promise<void> =>
    deleteMessages(broker, { stream, subject }, before);
  await Promise.all([remove(checkpoints, message), remove(`${checkpointParts.subject}.>`, part)]).catch(
    () => undefined,
  );
}

/** Writes and loads the checkpoints of one run. */
export interface CheckpointLog {
  save(checkpoint: Checkpoint): Promise<void>;
  load(): Promise<Checkpoint | undefined>;
  /** Resolves when all pending saves are stored or rejected. */
  settle(): Promise<void>;
}

/** Creates the object that writes the checkpoints of a run. This process must hold the run's lease. */
export function createCheckpointLog(
  broker: Broker,
  lease: HeldLease,
  { subject, watermark, options }: FencedLog & { watermark: WatermarkWriter; options: WatermarkOptions },
): CheckpointLog {
  const { location, epoch, runId } = { ...lease, runId: lease.location.runId };
  const encoder = createCheckpointEncoder(runId);
  const inTurn = createSerial();
  let isBegun = false;

  async function save(checkpoint: Checkpoint): Promise<void> {
    watermark.raise(await writeCheckpoint(broker, { encoder, subject, checkpoint }, { location, epoch }));
    isBegun = true;
  }
  async function load(): Promise<Checkpoint | undefined> {
    await lease.confirm();
    watermark.assertLatest(location);
    const decoded = await loadNewest(broker, location, options);
    if (decoded !== undefined && !isBegun) encoder.continueFrom(decoded);
    return decoded?.checkpoint;
  }
  return {
    save: (checkpoint) => inTurn(() => lease.guard(() => save(checkpoint))),
    load: () => inTurn(load),
    settle: () => inTurn(async () => undefined),
  };
}
