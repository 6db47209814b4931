import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { EngineError, findEngineError, messageOf } from "@switchyard/contracts";
import busboy from "busboy";

/** Most bytes of the part `payload`, or of a JSON body. */
export const MAX_PAYLOAD_BYTES: number = 10 * 1024 * 1024;
/** Most files of a request. */
const MAX_FILES = 10_000;

/** Characters of a name that a message shows. */
const MAX_SHOWN_CHARACTERS = 200;

/** Takes a file that came with a call, by its path relative to the workspace. */
export type ReceiveFile = (path: string, content: Uint8Array) => Promise<void>;

/** What has been read of a form. */
interface Form {
  payload: string | undefined;
  readonly paths: Set<string>;
  /** Files are taken one after the other. */
  taken: Promise<void>;
  readonly takeFile: ReceiveFile;
  readonly fail: (error: unknown) => void;
}

/**
 * Reads the part `payload`, and hands over the parts `files`, whose file names are paths relative to the workspace.
 * Resolves with the payload when all files are taken. Rejects with `server.bad_request`, `server.body_too_large`, and
 * what a file could not be taken for. custom-engine: HTTP input files.
 */
export async function readMultipart(
  body: Readable,
  headers: IncomingHttpHeaders,
  takeFile: ReceiveFile,
): Promise<string> {
  const parser = openParser(headers);
  const form: Form = {
    payload: undefined,
    paths: new Set(),
    taken: Promise.resolve(),
    takeFile,
    fail: (error) => void parser.destroy(error instanceof Error ? error : new Error(messageOf(error))),
  };
  parser.on("field", (name, value, { nameTruncated, valueTruncated }) => {
    try {
      if (nameTruncated || valueTruncated) throw payloadTooLarge();
      takeField(form, name, value);
    } catch (error) {
      form.fail(error);
    }
  });
  parser.on("file", (name, stream, { filename }) => {
    const content = readFile(stream);
    // It fails with the form; there it is told of.
    content.catch(() => undefined);
    form.taken = form.taken.then(async () => takePart(form, { name, filename }, await content));
    form.taken.catch(form.fail);
  });
  parser.on("filesLimit", () => form.fail(tooLarge(`it has more than ${MAX_FILES} files`)));
  parser.on("fieldsLimit", () => form.fail(badRequest("it has parts beside payload and files")));
  try {
    await pipeline(body, parser);
  } catch (error) {
    // Nothing is written any more when the workspace is removed.
    await form.taken.catch(() => undefined);
    throw findEngineError(error) ?? badRequest(`its parts cannot be told apart: ${messageOf(error)}`, error);
  }
  await form.taken;
  if (form.payload === undefined) throw badRequest("it has no part payload");
  return form.payload;
}

function openParser(headers: IncomingHttpHeaders): busboy.Busboy {
  try {
    return busboy({
      headers,
      // File names are paths here.
      preservePath: true,
      defParamCharset: "utf8",
      limits: { fieldSize: MAX_PAYLOAD_BYTES, fields: 1, files: MAX_FILES + 1 },
    });
  } catch (cause) {
    throw badRequest(messageOf(cause), cause);
  }
}

function takeField(form: Form, name: string | undefined, value: string): void {
  if (name !== "payload") throw unknownPart(name);
  if (form.payload !== undefined) throw badRequest("it has two parts payload");
  form.payload = value;
}

async function takePart(
  form: Form,
  { name, filename }: { name: string | undefined; filename: string | undefined },
  content: Buffer,
): Promise<void> {
  // Some clients name the file that they have read the payload from.
  if (name === "payload") {
    if (content.length > MAX_PAYLOAD_BYTES) throw payloadTooLarge();
    return takeField(form, name, content.toString("utf8"));
  }
  if (name !== "files") throw unknownPart(name);
  const path = pathOf(filename ?? "");
  if (form.paths.has(path)) throw badRequest(`it has two files ${quoted(path)}`);
  form.paths.add(path);
  await form.takeFile(path, content);
}

async function readFile(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** The path that a file name says: relative, and nothing that a program would take for its own settings. */
function pathOf(filename: string): string {
  // As browsers write it.
  const path = filename.replaceAll("%22", '"');
  const steps = path.split("/");
  const isPlain = !/\p{Cc}/u.test(path) && !/^(?:[A-Za-z]:)?[\\/]/u.test(path);
  const isInside = steps.every((step) => step !== "" && step !== "." && step !== "..");
  if (!isPlain || !isInside) throw badRequest(`the file name ${quoted(path)} is no path in a workspace`);
  // Its hooks and settings would be run.
  if (steps.some((step) => step.toLowerCase() === ".git")) {
    throw badRequest(`the file name ${quoted(path)} belongs to version control`);
  }
  return path;
}

function payloadTooLarge(): EngineError {
  return tooLarge(`the part payload has more than ${MAX_PAYLOAD_BYTES} bytes`);
}

function unknownPart(name: string | undefined): EngineError {
  return badRequest(`there is no part ${quoted(name ?? "")}, only payload and files`);
}

/** A name as a message shows it. */
function quoted(name: string): string {
  return JSON.stringify(name.slice(0, MAX_SHOWN_CHARACTERS));
}

function badRequest(problem: string, cause?: unknown): EngineError {
  return new EngineError("server.bad_request", { problem }, { cause });
}

function tooLarge(problem: string): EngineError {
  return new EngineError("server.body_too_large", { problem });
}
