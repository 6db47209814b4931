// @ts-check
import { chooseNumber } from "./choose.mjs";

/** @import { Random } from "./choose.mjs" */

/** @typedef {(bytes: Buffer, random: Random) => Buffer} ByteDamage */

/** Ways to damage the content of a file or message. @type {Readonly<Record<string, ByteDamage>>} */
export const BYTE_DAMAGES = {
  emptied: () => Buffer.alloc(0),
  truncated: (bytes, random) => bytes.subarray(0, chooseNumber(random, 0, bytes.length - 1)),
  "cut off by 2 to 200 bytes": (bytes, random) =>
    bytes.subarray(0, Math.max(0, bytes.length - chooseNumber(random, 2, 200))),
  "changed in one bit": (bytes, random) => {
    const changed = Buffer.from(bytes);
    const at = chooseNumber(random, 0, bytes.length - 1);
    changed[at] = (changed[at] ?? 0) ^ (1 << chooseNumber(random, 0, 7));
    return changed;
  },
  "overwritten with zeros": (bytes, random) => {
    const changed = Buffer.from(bytes);
    const from = chooseNumber(random, 0, bytes.length - 1);
    return changed.fill(0, from, Math.min(bytes.length, from + chooseNumber(random, 1, 4096)));
  },
};
