import type { ByteSink } from "./byte-sink.ts";
import { createTextReader } from "./text-reader.ts";

/** Minimum length of a normal form. Shorter ones also occur in ordinary text. */
const MIN_FORM = 8;

/**
 * Returns the normal form of a secret, in which it is searched in decoded text: one character per byte, without
 * escapes, line ends, quotes and backslashes. `undefined` if the normal form is too short to search for.
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
