import type { FileHandle } from "node:fs/promises";

const CHUNK_BYTES = 64 * 1024;

/** Yields the bytes of a file in chunks that share one buffer. */
export async function* readChunks(file: FileHandle): AsyncGenerator<Uint8Array> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}
