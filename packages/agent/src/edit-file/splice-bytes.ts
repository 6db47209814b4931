import { Buffer } from "node:buffer";

/** Replacement of a range of bytes. */
export interface Splice {
  /** Position of its first byte. */
  readonly start: number;
  /** Position after its last byte. */
  readonly end: number;
  /** Replacement. */
  readonly inserted: Uint8Array;
}

/**
 * Returns the bytes with ranges replaced, given in order and without overlap. Modifies the given buffer in place if
 * nothing grows, because copying a large file would take longer than the rest of the edit.
 */
export function spliceBytes(bytes: Buffer, splices: readonly Splice[]): Uint8Array {
  return growsAnywhere(splices) ? spliceInCopy(bytes, splices) : spliceInPlace(bytes, splices);
}

/** Returns whether any bytes would move towards the end, which would overwrite bytes that still have to move. */
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
