import type { ExecutionEnvironment } from "@switchyard/contracts";
import { joinBytes } from "../../output/join-bytes.ts";

const CHUNK_BYTES = 8 * 1024 * 1024;

/** Reads a whole file of any size, in several reads if necessary. */
export async function readFullFile(
  environment: Pick<ExecutionEnvironment, "readBytes">,
  path: string,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let offset = 0;
  for (;;) {
    const chunk = await environment.readBytes(path, { offset, length: CHUNK_BYTES });
    chunks.push(chunk);
    offset += chunk.length;
    if (chunk.length < CHUNK_BYTES) return chunks.length === 1 ? chunk : joinBytes(chunks);
  }
}
