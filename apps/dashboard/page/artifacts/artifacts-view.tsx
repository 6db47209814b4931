import type { ArtifactView } from "@switchyard/contracts";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { EmptyState } from "../controls/empty-state.tsx";
import { LongText } from "../controls/long-text.tsx";
import { Problem } from "../controls/problem.tsx";
import { problemText } from "../session/problem-text.ts";
import { useSession } from "../session/session.ts";
import { formatBytes } from "../text/format.ts";
import { plainLine } from "../text/plain-text.ts";

/** Maximum size of an artifact that the page can show as text, in bytes. */
const MAX_PREVIEW_BYTES = 512 * 1024;

/** Shown instead of a preview of a binary file. */
const NO_TEXT = "(binary file)";

async function bytesOf(pieces: AsyncGenerator<Uint8Array, void>): Promise<Blob> {
  const parts: BlobPart[] = [];
  for await (const piece of pieces) parts.push(new Uint8Array(piece));
  // The artifact is only saved and never shown as a page, so its real media type is ignored.
  return new Blob(parts, { type: "application/octet-stream" });
}

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name.split("/").at(-1) ?? "artifact";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function textIn(bytes: ArrayBuffer): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? NO_TEXT : text;
  } catch {
    return NO_TEXT;
  }
}

function Artifact({ runId, artifact }: { runId: string; artifact: ArtifactView }): JSX.Element {
  const { runs } = useSession().connection.client;
  const [problem, setProblem] = useState("");
  const [text, setText] = useState<string | undefined>(undefined);
  const { path, name, bytes = 0, dropped } = artifact;
  const read = (use: (blob: Blob) => unknown): void => {
    if (path === undefined) return;
    setProblem("");
    runs
      .artifact(runId, path)
      .then(bytesOf)
      .then(use)
      .catch((error: unknown) => setProblem(problemText(error)));
  };
  return (
    <li class="card">
      <div class="row">
        <code>{plainLine(path ?? name)}</code>
        <span class="faint">{path === undefined ? "" : formatBytes(bytes)}</span>
        <span class="grow" />
        {path !== undefined && bytes <= MAX_PREVIEW_BYTES && text === undefined && (
          <button type="button" onClick={() => read(async (blob) => setText(textIn(await blob.arrayBuffer())))}>
            Preview
          </button>
        )}
        {path !== undefined && (
          <button type="button" onClick={() => read((blob) => save(blob, path))}>
            Save
          </button>
        )}
      </div>
      {dropped !== undefined && <p class="notice notice-warning">Not archived: {plainLine(dropped)}</p>}
      <Problem text={problem} />
      {text !== undefined && <LongText text={text} />}
    </li>
  );
}

/** List of a run's artifacts, to show as text or to save. */
export function ArtifactsView({ runId, isOver }: { runId: string; isOver: boolean }): JSX.Element {
  const { client } = useSession().connection;
  const [artifacts, setArtifacts] = useState<readonly ArtifactView[] | undefined>(undefined);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    if (!isOver) return undefined;
    const leaving = new AbortController();
    client.runs.artifacts(runId, { signal: leaving.signal }).then(setArtifacts, (error: unknown) => {
      if (!leaving.signal.aborted) setProblem(problemText(error));
    });
    return () => leaving.abort();
  }, [client, runId, isOver]);
  if (!isOver) return <EmptyState title="Artifacts are archived when the run ends." />;
  if (problem !== "") return <Problem text={problem} />;
  if (artifacts === undefined) return <p class="empty">Loading…</p>;
  if (artifacts.length === 0) return <EmptyState title="The run has no artifacts." />;
  return (
    <ul class="entries" aria-label="Artifacts">
      {artifacts.map((artifact) => (
        <Artifact key={artifact.path ?? artifact.name} runId={runId} artifact={artifact} />
      ))}
    </ul>
  );
}
