import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { Readable } from "node:stream";
import { EngineError, type RunCluster, type StoredRun } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import { artifactOnBroker } from "../cluster/outcome-files.ts";

/** Name of the artifacts folder in a run folder. See architecture: a run on disk. */
const ARTIFACTS = "artifacts";

/**
 * Opens an artifact that the run's report lists. Masks the server's secrets in it. Rejects with
 * `server.unknown_artifact` for any other path.
 */
export async function openArtifact(
  stored: StoredRun,
  path: string,
  { masker, cluster }: { readonly masker: Masker; readonly cluster: RunCluster | undefined },
): Promise<ReadableStream<Uint8Array>> {
  const { runId, folder, report } = stored;
  const unknown = (cause?: unknown): EngineError => new EngineError("server.unknown_artifact", { runId }, { cause });
  if (report?.artifacts.some((artifact) => artifact.path === path) !== true) throw unknown();
  const content = cluster === undefined ? undefined : await artifactOnBroker(stored, path, cluster);
  if (content !== undefined) return maskedStream(content, masker);
  try {
    const root = await realpath(join(folder, ARTIFACTS));
    const found = await realpath(join(root, path));
    if (!found.startsWith(root + sep)) throw unknown();
    // Opened in non-blocking mode, because opening a named pipe would block.
    const file = await open(found, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!(await file.stat()).isFile()) {
      await file.close();
      throw unknown();
    }
    return toWeb(Readable.from(masked(file.createReadStream(), masker)));
  } catch (error) {
    throw EngineError.is(error) ? error : unknown(error);
  }
}

/** Returns a stream of the given bytes, with the server's secrets masked. */
export function maskedStream(content: Uint8Array, masker: Masker): ReadableStream<Uint8Array> {
  return toWeb(Readable.from(masked([Buffer.from(content)], masker)));
}

/**
 * Masks secrets in a stream. Latin-1 maps each byte to one character, so secrets in text are found and all other bytes
 * stay unchanged.
 */
async function* masked(bytes: AsyncIterable<unknown> | Iterable<unknown>, masker: Masker): AsyncGenerator<Uint8Array> {
  const stream = masker.stream();
  for await (const piece of bytes) {
    const text = Buffer.isBuffer(piece) ? stream.write(piece.toString("latin1")) : "";
    if (text !== "") yield Buffer.from(text, "latin1");
  }
  const rest = stream.end();
  if (rest !== "") yield Buffer.from(rest, "latin1");
}

function toWeb(readable: Readable): ReadableStream<Uint8Array> {
  const iterator = readable[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await iterator.next();
      if (next.done === true) controller.close();
      else if (next.value instanceof Uint8Array) controller.enqueue(next.value);
    },
    cancel: () => void readable.destroy(),
  });
}
