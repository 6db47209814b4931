import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  type ArchivedArtifact,
  EngineError,
  type ExecutionEnvironment,
  hasControlCharacter,
  MAX_INLINE_TOTAL_BYTES,
  messageOf,
  type SessionArtifactFile,
  type SessionArtifacts,
} from "@switchyard/contracts";
import { FILE_MODE, FOLDER_MODE } from "../run-files/run-files.ts";
import { archiveName, fold, freeName } from "./archive-name.ts";
import { bytesOfBase64, bytesOfText, type InlineBudget } from "./inline-content.ts";

/** Maximum number of archived artifacts. Further ones are only counted. */
const MAX_ARTIFACTS = 10_000;
/** Chunk size for copies, in bytes. */
const WINDOW_BYTES = 1024 * 1024;
/**
 * Maximum total size of artifacts that are copied from the workspace or downloaded, in bytes. An artifact that exceeds
 * the remaining size is left out.
 */
const MAX_COPIED_BYTES = 1024 * 1024 * 1024;

/** Maximum size of one download, in bytes. A larger artifact is left out. */
const MAX_DOWNLOAD_BYTES = 256 * 1024 * 1024;
/** Time limit of one download, in milliseconds. An artifact that takes longer is left out. */
const DOWNLOAD_TIMEOUT_MS = 60_000;

/** Options for `collectArtifacts`. */
export interface CollectOptions {
  /** The engine's environment. When a path is opened, the environment checks that the path is inside its workspace. */
  environment: ExecutionEnvironment;
  /** Target folder. Created when the first artifact is copied. */
  folder: string;
  /**
   * Origins (`http://host:port`) from which artifacts may be downloaded although the address is not public. Default:
   * none.
   */
  allowedOrigins?: readonly string[] | undefined;
}

/** Declared artifact. */
interface Declared {
  name: string;
  /** Name of the result field that declares the artifact, used in error messages. */
  field: string;
  source: SessionArtifactFile;
}

/** Remaining capacity of the archive. */
interface Room {
  inline: InlineBudget;
  copied: number;
  names: Set<string>;
}

/**
 * Archives the artifacts that a result declares. Artifacts that cannot be archived are listed with the reason, and the
 * run continues. See custom-engine: agent artifact archiving boundary, workspace confinement, result bounds.
 */
export async function collectArtifacts(
  artifacts: SessionArtifacts | undefined,
  options: CollectOptions,
): Promise<ArchivedArtifact[]> {
  const declared = declaredIn(artifacts ?? {});
  const room: Room = { inline: { left: MAX_INLINE_TOTAL_BYTES }, copied: MAX_COPIED_BYTES, names: new Set() };
  const archived: ArchivedArtifact[] = [];
  for (const artifact of declared.slice(0, MAX_ARTIFACTS)) {
    archived.push(await collect(artifact, room, options));
  }
  const ignored = declared.length - archived.length;
  if (ignored > 0)
    archived.push({ name: "", dropped: `${ignored} more artifacts: only ${MAX_ARTIFACTS} are archived` });
  return archived;
}

function declaredIn(artifacts: SessionArtifacts): Declared[] {
  const files = (artifacts.files ?? []).map((source, index) => ({
    name: source.name,
    field: `artifacts.files[${index}]`,
    source,
  }));
  const generated = (artifacts.generated_files ?? []).map((path, index) => ({
    name: path,
    field: `artifacts.generated_files[${index}]`,
    source: { name: path, path },
  }));
  // A file that both result fields declare is archived only once.
  const paths = new Set(files.map((file) => file.source.path));
  return [...files, ...generated.filter((file) => !paths.has(file.source.path))];
}

async function collect(artifact: Declared, room: Room, options: CollectOptions): Promise<ArchivedArtifact> {
  const contentType = artifact.source.content_type;
  // The media type may be sent as a header, so control characters are not allowed.
  if (contentType !== undefined && hasControlCharacter(contentType))
    return { name: artifact.name, dropped: `${artifact.field}: content_type contains a control character` };
  const about = { name: artifact.name, ...(contentType === undefined ? {} : { contentType }) };
  const wanted = archiveName(artifact.name);
  if (wanted === undefined) return { ...about, dropped: `${artifact.field}: its name is not a file name` };
  const name = freeName(wanted, room.names);
  try {
    const bytes = await archive(artifact.source, { ...options, name, room });
    room.names.add(fold(name));
    return { ...about, path: name, bytes };
  } catch (error) {
    return { ...about, dropped: `${artifact.field}: ${messageOf(error)}` };
  }
}

interface Target extends CollectOptions {
  name: string;
  room: Room;
}

/** Archives the first of `content`, `content_base64`, `path` and `url` that is set. Throws if it cannot be archived. */
async function archive(source: SessionArtifactFile, target: Target): Promise<number> {
  if (source.content !== undefined || source.content_base64 !== undefined) {
    const content =
      source.content !== undefined
        ? bytesOfText(source.content, target.room.inline)
        : bytesOfBase64(source.content_base64 ?? "", target.room.inline);
    if (content.kind === "refused") throw new Error(content.reason);
    return writeArchive(target, (file) => writeAll(file, content.bytes));
  }
  if (source.path !== undefined) {
    const path = source.path;
    return writeArchive(target, (file) => copyFromWorkspace(path, file, target));
  }
  const { url } = source;
  if (url === undefined) throw new Error("none of path, url, content and content_base64 is set");
  return writeArchive(target, (file) => download(url, file, target));
}

async function writeArchive(target: Target, write: (file: FileHandle) => Promise<number>): Promise<number> {
  await mkdir(target.folder, { recursive: true, mode: FOLDER_MODE });
  const path = join(target.folder, target.name);
  const file = await open(path, "wx", FILE_MODE);
  try {
    return await write(file);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/**
 * Copies in chunks. The environment checks each read again, so replacing the path with a symbolic link during the copy
 * does not give access to other files.
 */
async function copyFromWorkspace(path: string, file: FileHandle, target: Target): Promise<number> {
  const { environment, room } = target;
  const found = await environment.stat(path);
  if (found.kind !== "file") throw new EngineError("environment.not_a_file", { path, found: found.kind });
  if (found.size > room.copied) throw new Error(`the archive has no space for its ${found.size} bytes`);
  let copied = 0;
  for (;;) {
    const bytes = await environment.readBytes(path, { offset: copied, length: WINDOW_BYTES });
    copied += await writeAll(file, bytes);
    if (bytes.length < WINDOW_BYTES) break;
    if (copied > room.copied) throw new Error("it grew beyond the room in the archive");
  }
  room.copied -= copied;
  return copied;
}

/** Downloads without credentials, over connections to public addresses only. See architecture: decision 14. */
async function download(url: string, file: FileHandle, { room, allowedOrigins }: Target): Promise<number> {
  const { guardedFetch } = await import("@switchyard/web");
  let written = 0;
  const response = await guardedFetch(url, {
    ...{ allowedOrigins, timeoutMs: DOWNLOAD_TIMEOUT_MS, whenTooLarge: "fail" },
    maxBytes: Math.min(MAX_DOWNLOAD_BYTES, room.copied),
    async onBytes(bytes) {
      written += await writeAll(file, bytes);
    },
  });
  if (response.status !== 200) throw new Error(`its address answered HTTP ${response.status}`);
  room.copied -= written;
  return written;
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<number> {
  for (let written = 0; written < bytes.length; ) written += (await file.write(bytes, written)).bytesWritten;
  return bytes.length;
}
