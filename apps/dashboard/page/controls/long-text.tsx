import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { formatCount } from "../text/format.ts";
import { plainText } from "../text/plain-text.ts";

/** Number of characters that are shown initially. */
const SHOWN_CHARS = 20_000;

/** Untrusted text, shown unformatted. Of a long text only the beginning is shown initially. */
export function LongText({ text }: { text: string }): JSX.Element {
  const [shown, setShown] = useState(SHOWN_CHARS);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll this element. */}
      <pre class="text" tabIndex={0}>
        {plainText(text.slice(0, shown))}
      </pre>
      {text.length > shown && (
        <button type="button" onClick={() => setShown(shown * 10)}>
          Show more ({formatCount(text.length - shown)} more characters)
        </button>
      )}
    </>
  );
}
