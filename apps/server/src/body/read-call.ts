import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { EngineError, type SessionInput } from "@switchyard/contracts";
import { parseSessionInput } from "@switchyard/runner";
import { jsonDepth } from "./json-depth.ts";
import { type BodyLimits, limitedBody } from "./limited-body.ts";
import { MAX_PAYLOAD_BYTES, type ReceiveFile, readMultipart } from "./read-multipart.ts";

/** Maximum nesting depth of a JSON request body. */
const MAX_DEPTH = 64;

/** Options for reading the body of a request. */
export interface ReadOptions extends BodyLimits {
  /** Called with each uploaded file. */
  readonly takeFile: ReceiveFile;
}

/** Format of a request's body. */
export type BodyKind = "json" | "multipart";

/**
 * Returns the format of a request body, JSON or multipart, from the request headers. Throws
 * `server.unsupported_media_type`.
 */
export function bodyKindOf({ headers }: IncomingMessage): BodyKind {
  const [type = "", ...parameters] = (headers["content-type"] ?? "").toLowerCase().split(";");
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding.toLowerCase() !== "identity") throw unsupported("it is compressed (Content-Encoding)");
  if (type.trim() === "multipart/form-data") return "multipart";
  if (type.trim() !== "application/json") throw unsupported("its Content-Type is neither of the two");
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith("charset="));
  if (charset !== undefined && !/^charset="?utf-8"?$/u.test(charset)) throw unsupported("its text is not UTF-8");
  return "json";
}

function unsupported(problem: string): EngineError {
  return new EngineError("server.unsupported_media_type", { problem });
}

/**
 * Reads the body of a request that starts a run: parses the `SessionInput`, and passes on uploaded files as they
 * arrive. Rejects with `server.*` for an invalid request, and with `input.*` for an invalid payload. See custom-engine:
 * HTTP transport, HTTP multi-turn conversations.
 */
export async function readCall(request: IncomingMessage, options: ReadOptions): Promise<SessionInput> {
  return parseSessionInput(await readPayload(request, options), "of the request");
}

/**
 * Reads the body of a request: returns the JSON text, and passes on uploaded files as they arrive. Rejects with
 * `server.*` for an invalid request.
 */
export async function readPayload(request: IncomingMessage, options: ReadOptions): Promise<string> {
  const kind = bodyKindOf(request);
  const body = limitedBody(request, options);
  const payload = kind === "json" ? await readText(body) : await readMultipart(body, request.headers, options.takeFile);
  if (jsonDepth(payload) > MAX_DEPTH) {
    throw new EngineError("server.bad_request", { problem: `its JSON is nested deeper than ${MAX_DEPTH} levels` });
  }
  return payload;
}

async function readText(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    const piece = Buffer.from(chunk);
    bytes += piece.length;
    if (bytes > MAX_PAYLOAD_BYTES) {
      const problem = `its JSON has more than ${MAX_PAYLOAD_BYTES} bytes`;
      throw new EngineError("server.body_too_large", { problem });
    }
    chunks.push(piece);
  }
  return decode(Buffer.concat(chunks));
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new EngineError("server.bad_request", { problem: "its text is not UTF-8" }, { cause });
  }
}
