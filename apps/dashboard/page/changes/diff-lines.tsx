import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Scroller } from "../controls/scroller.tsx";
import { formatCount } from "../text/format.ts";
import { plainLine, plainText } from "../text/plain-text.ts";
import type { DiffLine } from "./parse-diff.ts";

/** Number of lines of a diff that are shown initially. */
const SHOWN_LINES = 400;

const MARKS: Readonly<Record<DiffLine["kind"], string>> = {
  added: "+",
  removed: "−",
  context: " ",
  hunk: "",
  note: "",
};
const NAMES: Readonly<Record<DiffLine["kind"], string>> = {
  added: "added: ",
  removed: "removed: ",
  context: "",
  hunk: "",
  note: "",
};

function Line({ line, hasNumbers }: { line: DiffLine; hasNumbers: boolean }): JSX.Element {
  return (
    <tr class={`line line-${line.kind}`}>
      {hasNumbers && (
        <>
          <td class="at">{line.before}</td>
          <td class="at">{line.after}</td>
        </>
      )}
      <td class="mark">
        <span aria-hidden="true">{MARKS[line.kind]}</span>
        <span class="unseen">{NAMES[line.kind]}</span>
      </td>
      <td class="code">{plainText(line.text)}</td>
    </tr>
  );
}

/** Lines of a diff of one file. Line numbers are shown if they are known. */
export function DiffLines({ lines, path }: { lines: readonly DiffLine[]; path: string }): JSX.Element {
  const [shown, setShown] = useState(SHOWN_LINES);
  const hasNumbers = lines.some(({ before, after }) => before !== undefined || after !== undefined);
  return (
    <>
      <Scroller name={`Changes of ${plainLine(path)}`}>
        <table class="diff">
          <tbody>
            {lines.slice(0, shown).map((line, index) => (
              <Line key={index} line={line} hasNumbers={hasNumbers} />
            ))}
          </tbody>
        </table>
      </Scroller>
      {lines.length > shown && (
        <button type="button" onClick={() => setShown(shown * 5)}>
          Show more ({formatCount(lines.length - shown)} more lines)
        </button>
      )}
    </>
  );
}
