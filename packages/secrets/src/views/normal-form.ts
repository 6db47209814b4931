import type { ByteSink } from "./byte-sink.ts";
import { createTextReader } from "./text-reader.ts";

/** Minimum length of a secret's normal form. Shorter ones would also be found in ordinary text. */
const MIN_FORM = 8;

/**
 * Returns the form of a secret that is searched in decoded text: one character per byte, without escapes, line ends,
 * quotes and backslashes. `undefined` if this normal form is too short.
 */
export function normalForm(secret: string): string | undefined {
  let form = "";
  const values: ByteSink = {
    push: (byte) => {
      form += String.fromCharCode(byte);
    },
    interrupt: () => undefined,
    isIdle: () => true,
    pendingFrom: () => Number.POSITIVE_INFINITY,
  };
  const reader = createTextReader({ symbols: [], values });
  for (let index = 0; index < secret.length; index += 1) reader.push(secret.charCodeAt(index), index, index + 1);
  reader.finish();
  return form.length < MIN_FORM ? undefined : form;
}
