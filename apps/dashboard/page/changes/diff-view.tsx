import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { EmptyState } from "../controls/empty-state.tsx";
import { formatCount } from "../text/format.ts";
import { plainLine } from "../text/plain-text.ts";
import { DiffLines } from "./diff-lines.tsx";
import { fileTree, type TreeNode } from "./file-tree.ts";
import { type FileChange, filesOfDiff, linesOfFile } from "./parse-diff.ts";

/** Maximum number of changed lines of a diff whose files are initially expanded. */
const OPEN_LINES = 300;
const MAX_FILES = 500;

function Counts({ added, removed }: Pick<FileChange, "added" | "removed">): JSX.Element {
  return (
    <span class="counts">
      <span class="added">+{formatCount(added)}</span> <span class="removed">−{formatCount(removed)}</span>
    </span>
  );
}

/** Returns the element id of a file's diff. */
function idOf(name: string, index: number): string {
  return `file-${name}-${index}`;
}

function FileLines({ file }: { file: FileChange }): JSX.Element {
  const lines = useMemo(() => linesOfFile(file.text), [file]);
  return <DiffLines lines={lines} path={file.path} />;
}

function FileView({ file, id, isOpen }: { file: FileChange; id: string; isOpen: boolean }): JSX.Element {
  const [wasOpened, setOpened] = useState(isOpen);
  return (
    <details class="file" id={id} open={isOpen} onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary>
        <code>{plainLine(file.path)}</code> <Counts {...file} />
      </summary>
      {wasOpened && <FileLines file={file} />}
    </details>
  );
}

/** Expands a file and moves the focus to it. */
function openFile(id: string): void {
  const found = document.getElementById(id);
  if (!(found instanceof HTMLDetailsElement)) return;
  found.open = true;
  found.scrollIntoView({ block: "start" });
  found.querySelector("summary")?.focus();
}

function Branch({
  nodes,
  idOfFile,
}: {
  nodes: readonly TreeNode[];
  idOfFile: (file: FileChange) => string;
}): JSX.Element {
  return (
    <ul>
      {nodes.map(({ name, children, file }) => (
        <li key={name}>
          {file === undefined ? (
            <span class="faint">{plainLine(name)}/</span>
          ) : (
            <button type="button" class="leaf" onClick={() => openFile(idOfFile(file))}>
              <span>{plainLine(name)}</span> <Counts {...file} />
            </button>
          )}
          {children.length > 0 && <Branch nodes={children} idOfFile={idOfFile} />}
        </li>
      ))}
    </ul>
  );
}

interface DiffProps {
  readonly diff: string;
  readonly isOver: boolean;
  /** Name of the run on a page with several. */
  readonly name?: string;
}

/** Diff of a workspace: a tree of the changed files, and the diff of each file. */
export function DiffView({ diff, isOver, name = "Run" }: DiffProps): JSX.Element {
  const files = useMemo(() => filesOfDiff(diff).slice(0, MAX_FILES), [diff]);
  const total = useMemo(() => filesOfDiff(diff).length, [diff]);
  const tree = useMemo(() => fileTree(files), [files]);
  if (files.length === 0) {
    return isOver ? (
      <EmptyState title="The run changed no files." />
    ) : (
      <EmptyState title="The changes are recorded when the run ends.">
        <p>Edits by tool calls are already shown in the timeline.</p>
      </EmptyState>
    );
  }
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  const areOpen = added + removed <= OPEN_LINES;
  return (
    <section class="changes" aria-label={`${name}: diffs`}>
      <nav class="tree" aria-label={`${name}: changed files`}>
        <p>
          {total === 1 ? "1 file" : `${formatCount(total)} files`} <Counts added={added} removed={removed} />
        </p>
        <Branch nodes={tree} idOfFile={(file) => idOf(name, files.indexOf(file))} />
      </nav>
      <div>
        {files.map((file, index) => (
          <FileView key={index} file={file} id={idOf(name, index)} isOpen={areOpen} />
        ))}
        {total > MAX_FILES && <p class="faint">{formatCount(total - MAX_FILES)} further files are not shown.</p>}
      </div>
    </section>
  );
}
