import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { EngineError, messageOf } from "@switchyard/contracts";
import { type DecodedCheckpoint, decodeCheckpoint } from "../../codec/decode-checkpoint.ts";
import { assertReaches, readWatermark } from "../../watermark/run-watermark.ts";
import { readBytes } from "../disk/read-file.ts";
import { systemCodeOf, unreadableFrom } from "../disk/store-failure.ts";
import { RUN_FILES, segmentNumber, segmentPath } from "../run/run-layout.ts";
import { type StoreContext, watermarkOf } from "../run/store-context.ts";
import { beginRead } from "./begin-read.ts";
import { LINE_END, tailKind } from "./log-tail.ts";

/**
 * Number of attempts to read a checkpoint log before the log counts as missing. Attempts are repeated because the
 * writer may be replacing the log.
 */
const READS = 10;

/** The newest checkpoint, and the log that contains it. */
export interface FoundCheckpoint {
  readonly segment: number;
  readonly decoded: DecodedCheckpoint;
}

function corrupt(path: string, problem: string, cause?: unknown): EngineError {
  return new EngineError("checkpoint.corrupt", { path, problem }, { cause });
}

/**
 * Resolves with the numbers of a run's checkpoint logs in ascending order. `undefined` if the run never had a log.
 * Rejects with `checkpoint.corrupt`.
 */
export async function listSegments(folder: string): Promise<number[] | undefined> {
  const path = join(folder, RUN_FILES.checkpoints);
  try {
    const numbers = (await readdir(path)).flatMap((name) => segmentNumber(name) ?? []);
    return numbers.sort((left, right) => left - right);
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw unreadableFrom(error, path) ?? corrupt(path, messageOf(error), error);
  }
}

/**
 * Yields the lines of a checkpoint log. A complete last line counts even without a line ending. An incomplete last line
 * was never acknowledged and is skipped.
 */
function* linesOf(bytes: Buffer, path: string): Generator<Buffer, void, undefined> {
  let start = 0;
  for (let at = bytes.indexOf(LINE_END); at >= 0; at = bytes.indexOf(LINE_END, start)) {
    yield bytes.subarray(start, at);
    start = at + 1;
  }
  const tail = bytes.subarray(start);
  const kind = tailKind(tail);
  if (kind === "damaged") throw corrupt(path, "the end of its last line was changed");
  if (kind === "whole") yield tail;
}

/**
 * Resolves with the newest checkpoint of a run; `undefined` only if none was ever saved. Rejects with
 * `checkpoint.corrupt`, `checkpoint.newer_format`, `checkpoint.foreign` or `checkpoint.lost`. See durability promises
 * D2, D3.
 */
export async function readCheckpoint(
  context: StoreContext,
  { runId, folder }: { runId: string; folder: string },
): Promise<FoundCheckpoint | undefined> {
  // The watermark (recorded progress) is read before the log. If it were read afterwards, an active writer could have
  // raised it in the meantime, and the checkpoint would seem to be too old.
  const watermark = readWatermark(watermarkOf(context, runId));
  const found = await readNewest(context, { runId, folder });
  assertReaches(watermark, found?.decoded.number, { runId, path: join(folder, RUN_FILES.checkpoints) });
  return found;
}

async function readNewest(
  context: StoreContext,
  { runId, folder }: { runId: string; folder: string },
): Promise<FoundCheckpoint | undefined> {
  for (let read = 1; ; read += 1) {
    const isSettled = await beginRead(context, folder);
    const segments = await listSegments(folder);
    if (segments === undefined) return undefined;
    const segment = segments.at(-1);
    const path = segmentPath(folder, segment ?? 1);
    const bytes = await readBytes(path).catch((error: unknown) => {
      throw unreadableFrom(error, path) ?? corrupt(path, messageOf(error), error);
    });
    if (!isSettled()) continue;
    if (segment === undefined || bytes === undefined) {
      if (read < READS) continue;
      throw corrupt(path, "it is missing");
    }
    return { segment, decoded: await decodeCheckpoint(linesOf(bytes, path), { runId, path }) };
  }
}
