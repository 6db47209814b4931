import { Buffer } from "node:buffer";

/** A part of some bytes that others take the place of. */
export interface Splice {
  /** Position of its first byte. */
  readonly start: number;
  /** Position behind its last byte. */
  readonly end: number;
  /** What comes there. */
  readonly inserted: Uint8Array;
}

/**
 * Bytes with some of their parts replaced; the parts are in order and apart. What does not grow is changed where it
 * stands, so the bytes must be the caller's own: another copy of a large file takes longer than all the rest of a change.
 */
export function spliceBytes(bytes: Buffer, splices: readonly Splice[]): Uint8Array {
  return growsAnywhere(splices) ? spliceInCopy(bytes, splices) : spliceInPlace(bytes, splices);
}

/** Whether something would have to move behind where it is: there it would cover what is still to be moved. */
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
