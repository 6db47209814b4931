import type { ByteSink } from "./byte-sink.ts";
import { createTextReader } from "./text-reader.ts";

/** Minimum length; shorter forms occur in ordinary text. */
const MIN_FORM = 8;

/**
 * Returns the bytes of a secret as seen by a view, one character each: without escapes, line ends, quotes and
 * backslashes. `undefined` if too few are left to search for.
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
