import { createHash } from "node:crypto";
import type { ClusterFile, ClusterFolder } from "@switchyard/contracts";
import { deleteMessages } from "../broker/delete-messages.ts";
import { bodyOf, entryOf, type PartsLocation } from "../broker/message-parts.ts";
import { readMessages } from "../broker/read-messages.ts";
import { HEADERS, lastMessage, type StoredMessage } from "../broker/stored-message.ts";
import { locationOf, type NatsContext, type RunLocation } from "../run/run-location.ts";

/** Header with the path of a file, in the encoding of URLs. */
const PATH = "Switchyard-Path";

/** Folder of a run's files, or one file in it. */
export interface FilePlace {
  readonly runId: string;
  readonly folder: ClusterFolder;
}

/** Returns whether the files of a folder are stored before the run. */
function isUpload(folder: ClusterFolder): boolean {
  return folder.startsWith("input.") || folder.startsWith("patch.");
}

/** Returns the prefix of the subjects of a folder's files. */
function folderSubject({ files, uploads }: RunLocation, folder: ClusterFolder): string {
  return `${isUpload(folder) ? uploads : files}.${folder}`;
}

/**
 * Returns the subject of a file. It contains a hash of the path, because a subject cannot contain arbitrary characters.
 */
function subjectOf(location: RunLocation, folder: ClusterFolder, path: string): string {
  return `${folderSubject(location, folder)}.${createHash("sha256").update(path).digest("hex")}`;
}

/** Returns where the parts of a folder's large files are stored. */
function partsOf({ stream, fileParts, uploadParts }: RunLocation, folder: ClusterFolder): PartsLocation {
  return { stream, subject: `${(isUpload(folder) ? uploadParts : fileParts).subject}.${folder}` };
}

/** Stores a file of a run. */
export async function putFile(
  context: NatsContext,
  { runId, folder }: FilePlace,
  { path, content }: ClusterFile,
): Promise<void> {
  const { broker } = context;
  const location = locationOf(context, runId);
  const headers = { [PATH]: encodeURIComponent(path) };
  const entry = await entryOf(broker, partsOf(location, folder), { data: content, headers });
  await broker.retry(() => broker.publish(subjectOf(location, folder, path), entry));
}

async function fileIn(
  { broker }: NatsContext,
  parts: PartsLocation,
  message: StoredMessage,
): Promise<ClusterFile | undefined> {
  const content = await bodyOf(broker, parts, message);
  return content === undefined ? undefined : { path: decodeURIComponent(message.header(PATH)), content };
}

/** Yields the files of a run. */
export async function* filesOf(
  context: NatsContext,
  { runId, folder }: FilePlace,
): AsyncGenerator<ClusterFile, void, undefined> {
  const location = locationOf(context, runId);
  const reading = { stream: location.stream, subject: `${folderSubject(location, folder)}.*`, isLastOnly: true };
  for await (const message of readMessages(context.broker, reading)) {
    const file = await fileIn(context, partsOf(location, folder), message);
    if (file !== undefined) yield file;
  }
}

/** Resolves with the content of a file. `undefined` if the file does not exist. */
export async function readFileOf(
  context: NatsContext,
  { runId, folder }: FilePlace,
  path: string,
): Promise<Uint8Array | undefined> {
  const location = locationOf(context, runId);
  const found = await lastMessage(context.broker, {
    stream: location.stream,
    subject: subjectOf(location, folder, path),
  });
  return found === undefined ? undefined : (await fileIn(context, partsOf(location, folder), found))?.content;
}

/** Removes a file, or all files of a folder, with the parts of their contents. */
export async function removeFiles(context: NatsContext, { runId, folder }: FilePlace, path?: string): Promise<void> {
  const { broker } = context;
  const location = locationOf(context, runId);
  const { stream, subject: parts } = partsOf(location, folder);
  const remove = (pattern: string): Promise<void> => deleteMessages(broker, { stream, subject: pattern });
  if (path === undefined) {
    await remove(`${folderSubject(location, folder)}.*`);
    await remove(`${parts}.*`);
    return;
  }
  const subject = subjectOf(location, folder, path);
  const [key = ""] = ((await lastMessage(broker, { stream, subject }))?.header(HEADERS.parts) ?? "").split("/");
  await remove(subject);
  if (key !== "") await remove(`${parts}.${key}`);
}
