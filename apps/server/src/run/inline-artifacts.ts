import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type ArchivedArtifact,
  MAX_INLINE_BYTES,
  MAX_INLINE_TOTAL_BYTES,
  MAX_RESPONSE_BYTES,
  messageOf,
  type SessionArtifactFile,
  type SessionArtifacts,
  type SessionReport,
  type SessionResult,
} from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";

/** Name of the artifacts folder in a run folder. See architecture: a run on disk. */
const ARTIFACTS = "artifacts";
/** Number of bytes of a response that are reserved for the list of artifacts that do not fit. */
const RESERVE_BYTES = 64 * 1024;
/** Maximum number of omitted artifacts that are listed individually. */
const MAX_LISTED = 50;

/** Remaining capacity of a response that includes artifacts. */
interface Room {
  /** Remaining number of bytes for the contents of artifacts. */
  contents: number;
  /** Remaining number of bytes for the whole response. */
  answer: number;
}

/** Artifacts of a run, and the function that reads them. */
interface ArchivedFiles extends Pick<SessionReport, "artifacts" | "runFolder"> {
  /** Resolves with the content of an artifact. Default: it is read in the run folder. */
  readonly readArtifact?: ((path: string) => Promise<Uint8Array>) | undefined;
}

function readerOf(runFolder = ""): (path: string) => Promise<Uint8Array> {
  return (path) => readFile(join(runFolder, ARTIFACTS, path));
}

/**
 * Returns the result of a run with the contents of its archived artifacts, as text or base64, because the caller cannot
 * access the workspace. Artifacts that do not fit are listed in the `logs` field. See custom-engine: artifacts
 * contract, result bounds.
 */
export async function inlineArtifacts(
  result: SessionResult,
  { artifacts: archived, runFolder, readArtifact = readerOf(runFolder) }: ArchivedFiles,
  masker: Masker,
): Promise<SessionResult> {
  const { artifacts, ...rest } = result;
  if (artifacts === undefined && archived.length === 0) return result;
  const { workspace_diff, logs } = artifacts ?? {};
  const texts: SessionArtifacts = {
    ...(workspace_diff === undefined ? {} : { workspace_diff }),
    ...(logs === undefined ? {} : { logs }),
  };
  const used = Buffer.byteLength(JSON.stringify({ ...rest, artifacts: texts }));
  const room = { contents: MAX_INLINE_TOTAL_BYTES, answer: MAX_RESPONSE_BYTES - RESERVE_BYTES - used };
  const files: SessionArtifactFile[] = [];
  const missing: string[] = [];
  for (const artifact of archived) {
    const inlined = await inline(artifact, { room, masker, readArtifact });
    if (typeof inlined === "string") missing.push(`${artifact.name.slice(0, 200)}: ${inlined.slice(0, 500)}`);
    else files.push(inlined);
  }
  const all = [...(logs === undefined || logs === "" ? [] : [logs]), ...describeMissing(missing, masker)];
  return {
    ...rest,
    artifacts: {
      ...texts,
      ...(files.length === 0 ? {} : { files }),
      ...(all.length === 0 ? {} : { logs: all.join("\n") }),
    },
  };
}

interface Source {
  readonly room: Room;
  readonly masker: Masker;
  readonly readArtifact: (path: string) => Promise<Uint8Array>;
}

/** Returns an artifact with its content, or the reason why the content cannot be included. */
async function inline(
  { name, path, bytes = 0, contentType, dropped }: ArchivedArtifact,
  { room, masker, readArtifact }: Source,
): Promise<SessionArtifactFile | string> {
  if (path === undefined) return dropped ?? "it was not archived";
  if (bytes > MAX_INLINE_BYTES) return `it exceeds the limit of ${MAX_INLINE_BYTES} bytes`;
  if (bytes > room.contents || bytes > room.answer) return "it does not fit into the response";
  try {
    const content = contentOf(Buffer.from(await readArtifact(path)), masker);
    const file = { name, ...content, ...(contentType === undefined ? {} : { content_type: contentType }) };
    const size = Buffer.byteLength(JSON.stringify(file)) + 1;
    if (size > room.answer) return "it does not fit into the response";
    room.answer -= size;
    room.contents -= bytes;
    return file;
  } catch (error) {
    return `it cannot be read: ${messageOf(error)}`;
  }
}

/** Returns the content of a file, with the server's secrets masked. */
function contentOf(bytes: Buffer, masker: Masker): Pick<SessionArtifactFile, "content" | "content_base64"> {
  // Text that contains NUL bytes is sent as base64, because JSON would write each NUL as an escape of six bytes.
  if (isUtf8(bytes) && !bytes.includes(0)) return { content: masker.mask(bytes.toString("utf8")) };
  // Latin-1 maps each byte to one character. Secrets in text are thus found, and all other bytes stay unchanged.
  const masked = masker.mask(bytes.toString("latin1"));
  return { content_base64: Buffer.from(masked, "latin1").toString("base64") };
}

function describeMissing(missing: readonly string[], masker: Masker): string[] {
  const lines = missing.slice(0, MAX_LISTED).map((line) => `Not in this answer: ${masker.mask(line)}`);
  const more = missing.length - lines.length;
  return more > 0 ? [...lines, `Not in this answer: ${more} more artifacts`] : lines;
}
