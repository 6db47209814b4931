import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { EngineError, findEngineError, messageOf } from "@switchyard/contracts";
import busboy from "busboy";

/** Maximum size of the part `payload`, or of a JSON body, in bytes. */
export const MAX_PAYLOAD_BYTES: number = 10 * 1024 * 1024;
/** Maximum number of files in a request. */
const MAX_FILES = 10_000;

/** Maximum number of characters of a form part's name that an error message quotes. */
const MAX_SHOWN_CHARACTERS = 200;

/** Function that stores an uploaded file. It is given the file's path relative to the workspace. */
export type ReceiveFile = (path: string, content: Uint8Array) => Promise<void>;

/** State of reading a multipart form. */
interface Form {
  payload: string | undefined;
  readonly paths: Set<string>;
  /** Resolves when all files received so far are stored. Files are stored one at a time. */
  stored: Promise<void>;
  readonly takeFile: ReceiveFile;
  readonly fail: (error: unknown) => void;
}

/**
 * Reads a multipart body: the part `payload`, and parts `files`, whose file names are paths relative to the workspace.
 * Passes each file to `takeFile`. Resolves with the payload when all files are stored. Rejects with
 * `server.bad_request`, `server.body_too_large`, and the errors of storing a file. See custom-engine: HTTP input files.
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
    stored: Promise.resolve(),
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
    // The error is ignored here: if reading a file fails, reading the whole form fails too, and reports the error.
    content.catch(() => undefined);
    form.stored = form.stored.then(async () => takePart(form, { name, filename }, await content));
    form.stored.catch(form.fail);
  });
  parser.on("filesLimit", () => form.fail(tooLarge(`it has more than ${MAX_FILES} files`)));
  parser.on("fieldsLimit", () => form.fail(badRequest("it has parts other than payload and files")));
  try {
    await pipeline(body, parser);
  } catch (error) {
    // Waits for pending file writes, because the caller then removes the workspace.
    await form.stored.catch(() => undefined);
    throw findEngineError(error) ?? badRequest(`its parts cannot be parsed: ${messageOf(error)}`, error);
  }
  await form.stored;
  if (form.payload === undefined) throw badRequest("it has no part payload");
  return form.payload;
}

function openParser(headers: IncomingHttpHeaders): busboy.Busboy {
  try {
    return busboy({
      headers,
      // Makes the parser preserve the folders in file names, because the names are paths relative to the workspace.
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
  // Some clients send `payload` with a file name, so it arrives as a file.
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

/**
 * Converts the name of an uploaded file to a path relative to the workspace. Throws `server.bad_request` for an
 * absolute path or a file that programs read as configuration.
 */
function pathOf(filename: string): string {
  // Browsers' encoding.
  const path = filename.replaceAll("%22", '"');
  const steps = path.split("/");
  const isPlain = !/\p{Cc}/u.test(path) && !/^(?:[A-Za-z]:)?[\\/]/u.test(path);
  const isInside = steps.every((step) => step !== "" && step !== "." && step !== "..");
  if (!isPlain || !isInside) throw badRequest(`the file name ${quoted(path)} is not a path in a workspace`);
  // Files in `.git` are rejected, because git would execute hooks and settings in them.
  if (steps.some((step) => step.toLowerCase() === ".git")) {
    throw badRequest(`the file name ${quoted(path)} belongs to version control`);
  }
  return path;
}

function payloadTooLarge(): EngineError {
  return tooLarge(`the part payload has more than ${MAX_PAYLOAD_BYTES} bytes`);
}

function unknownPart(name: string | undefined): EngineError {
  return badRequest(`the part ${quoted(name ?? "")} is unknown; only payload and files are allowed`);
}

/** Quotes the name of a form part for an error message. */
function quoted(name: string): string {
  return JSON.stringify(name.slice(0, MAX_SHOWN_CHARACTERS));
}

function badRequest(problem: string, cause?: unknown): EngineError {
  return new EngineError("server.bad_request", { problem }, { cause });
}

function tooLarge(problem: string): EngineError {
  return new EngineError("server.body_too_large", { problem });
}
