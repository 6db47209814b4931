import type { JSX } from "preact";
import { plainText } from "../text/plain-text.ts";

/** Error message. Renders nothing if the text is empty. */
export function Problem({ text }: { text: string }): JSX.Element | null {
  if (text === "") return null;
  return (
    <p class="problem" role="alert">
      {plainText(text)}
    </p>
  );
}
