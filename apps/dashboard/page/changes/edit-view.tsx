import type { JSX } from "preact";
import { plainLine } from "../text/plain-text.ts";
import { DiffLines } from "./diff-lines.tsx";
import type { FileEdit } from "./edit-of.ts";

interface EditProps {
  readonly edits: readonly FileEdit[];
  /** Whether each diff is headed by its path. */
  readonly hasPath: boolean;
}

/** Edits of a tool call as diffs, one per file. */
export function EditView({ edits, hasPath }: EditProps): JSX.Element {
  return (
    <>
      {edits.map(({ path, lines }, index) => (
        <div key={index} class="file">
          {hasPath && (
            <p class="file-path">
              <code>{plainLine(path) || "(unnamed file)"}</code>
            </p>
          )}
          {lines.length === 0 ? (
            <p class="faint file-path">No line changes.</p>
          ) : (
            <DiffLines lines={lines} path={path} />
          )}
        </div>
      ))}
    </>
  );
}
