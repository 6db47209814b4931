import { Buffer } from "node:buffer";

/** Byte range to replace. */
export interface Splice {
  /** Offset of the first replaced byte. */
  readonly start: number;
  /** Offset after the last replaced byte. */
  readonly end: number;
  /** Replacement bytes. */
  readonly inserted: Uint8Array;
}

/**
 * Replaces byte ranges, which must be sorted and must not overlap. Works in place if no byte moves towards the end,
 * because copying a large file is the slowest part. The caller must own `bytes`.
 */
export function spliceBytes(bytes: Buffer, splices: readonly Splice[]): Uint8Array {
  return growsAnywhere(splices) ? spliceInCopy(bytes, splices) : spliceInPlace(bytes, splices);
}

/**
 * Returns whether any byte would move towards the end of the buffer. An edit in place would then overwrite bytes that
 * have not been moved yet.
 */
function growsAnywhere(splices: readonly Splice[]): boolean {
  let growth = 0;
  return splices.some(({ start, end, inserted }) => {
    growth += inserted.length - (end - start);
    return growth > 0;
  });
}

function spliceInCopy(bytes: Buffer, splices: readonly Splice[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  let copied = 0;
  for (const { start, end, inserted } of splices) {
    pieces.push(bytes.subarray(copied, start), inserted);
    copied = end;
  }
  return Buffer.concat([...pieces, bytes.subarray(copied)]);
}

function spliceInPlace(bytes: Buffer, splices: readonly Splice[]): Uint8Array {
  let written = splices[0]?.start ?? bytes.length;
  for (const [index, { end, inserted }] of splices.entries()) {
    bytes.set(inserted, written);
    written += inserted.length;
    const next = splices[index + 1]?.start ?? bytes.length;
    if (written !== end) bytes.copyWithin(written, end, next);
    written += next - end;
  }
  return bytes.subarray(0, written);
}
