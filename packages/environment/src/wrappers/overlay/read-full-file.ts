import type { ExecutionEnvironment } from "@switchyard/contracts";
import { joinBytes } from "../../output/join-bytes.ts";

const PIECE_BYTES = 8 * 1024 * 1024;

/** Reads a whole file of any size, in several reads if necessary. */
export async function readWhole(
  environment: Pick<ExecutionEnvironment, "readBytes">,
  path: string,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let offset = 0;
  for (;;) {
    const piece = await environment.readBytes(path, { offset, length: PIECE_BYTES });
    pieces.push(piece);
    offset += piece.length;
    if (piece.length < PIECE_BYTES) return pieces.length === 1 ? piece : joinBytes(pieces);
  }
}
