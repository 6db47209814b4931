import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { formatCount } from "../text/format.ts";
import { plainLine, plainText } from "../text/plain-text.ts";
import { type DiffLine, type FileChange, filesOfDiff, linesOfFile } from "./parse-diff.ts";

/** Number of lines of a file's diff that are shown initially. */
const SHOWN_LINES = 400;
/** Maximum number of changed lines of a diff whose files are initially expanded. */
const OPEN_LINES = 300;

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

function Line({ line }: { line: DiffLine }): JSX.Element {
  return (
    <tr class={`line line-${line.kind}`}>
      <td class="at">{line.before}</td>
      <td class="at">{line.after}</td>
      <td class="mark">
        <span aria-hidden="true">{MARKS[line.kind]}</span>
        <span class="unseen">{NAMES[line.kind]}</span>
      </td>
      <td class="code">{plainText(line.text)}</td>
    </tr>
  );
}

function FileLines({ text, path }: { text: string; path: string }): JSX.Element {
  const lines = useMemo(() => linesOfFile(text), [text]);
  const [shown, setShown] = useState(SHOWN_LINES);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <section class="scroller" tabIndex={0} aria-label={`Changes of ${path}`}>
        <table class="diff">
          <tbody>
            {lines.slice(0, shown).map((line, index) => (
              <Line key={index} line={line} />
            ))}
          </tbody>
        </table>
      </section>
      {lines.length > shown && (
        <button type="button" onClick={() => setShown(shown * 5)}>
          Show more ({formatCount(lines.length - shown)} lines are left)
        </button>
      )}
    </>
  );
}

function FileView({ file, isOpen }: { file: FileChange; isOpen: boolean }): JSX.Element {
  const [wasOpened, setOpened] = useState(isOpen);
  const path = plainLine(file.path);
  return (
    <details class="file" open={isOpen} onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary>
        <code>{path}</code> <span class="added">+{formatCount(file.added)}</span>{" "}
        <span class="removed">−{formatCount(file.removed)}</span>
      </summary>
      {wasOpened && <FileLines text={file.text} path={path} />}
    </details>
  );
}

/** Diff of a workspace, file by file. */
export function DiffView({ diff, isOver }: { diff: string; isOver: boolean }): JSX.Element {
  const files = useMemo(() => filesOfDiff(diff), [diff]);
  if (files.length === 0)
    return <p class="empty">{isOver ? "It changed no file." : "Its changes are known when it is over."}</p>;
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  const areOpen = added + removed <= OPEN_LINES;
  return (
    <section aria-label="Changes">
      <p>
        {files.length === 1 ? "1 file" : `${formatCount(files.length)} files`},{" "}
        <span class="added">+{formatCount(added)}</span> <span class="removed">−{formatCount(removed)}</span>
      </p>
      {files.slice(0, 500).map((file, index) => (
        <FileView key={index} file={file} isOpen={areOpen} />
      ))}
      {files.length > 500 && <p class="faint">{formatCount(files.length - 500)} further files are not shown.</p>}
    </section>
  );
}
