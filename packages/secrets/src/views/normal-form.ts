import type { ByteSink } from "./byte-sink.ts";
import { createTextReader } from "./text-reader.ts";

/** Shorter forms stand in ordinary text. */
const MIN_FORM = 8;

/**
 * The bytes that a view sees of a secret, one character each: without escapes, line ends, quotes and backslashes.
 * `undefined` if too few are left to look for.
 */
export function normalForm(secret: string): string | undefined {
  let form = "";
  const values: ByteSink = {
    push: (byte) => {
      form += String.fromCharCode(byte);
    },
    interrupt: () => undefined,
    isIdle: () => true,
    heldFrom: () => Number.POSITIVE_INFINITY,
  };
  const reader = createTextReader({ symbols: [], values });
  for (let index = 0; index < secret.length; index += 1) reader.push(secret.charCodeAt(index), index, index + 1);
  reader.finish();
  return form.length < MIN_FORM ? undefined : form;
}
