import type { IncomingMessage } from "node:http";
import { EngineError } from "@switchyard/contracts";
import { parseJson } from "@switchyard/runner";
import type { z } from "zod";
import type { BodyLimits } from "./limited-body.ts";
import { bodyKindOf, readPayload } from "./read-call.ts";

/** Maximum number of validation problems that one error message lists. */
const MAX_PROBLEMS = 5;
/** Maximum length of one validation problem in an error message, in characters. */
const MAX_CHARACTERS = 200;
/** Maximum size of a request body that contains neither files nor a conversation, in bytes. */
const MAX_SMALL_BYTES = 2 * 1024 * 1024;

/** Reads a small JSON body. An empty body counts as an empty object. Rejects with `server.*` and `input.malformed`. */
export async function readBody<T>(
  request: IncomingMessage,
  schema: z.ZodType<T>,
  limits: Omit<BodyLimits, "maxBodyBytes">,
): Promise<T> {
  const isEmpty =
    request.headers["transfer-encoding"] === undefined && Number(request.headers["content-length"] ?? 0) === 0;
  if (isEmpty) return parseBody("{}", schema);
  if (bodyKindOf(request) === "multipart") {
    throw new EngineError("server.unsupported_media_type", { problem: "only application/json is accepted here" });
  }
  const refuse = async (): Promise<never> => {
    throw new EngineError("server.bad_body", { problem: "files are not accepted here" });
  };
  return parseBody(await readPayload(request, { ...limits, maxBodyBytes: MAX_SMALL_BYTES, takeFile: refuse }), schema);
}

/**
 * Parses a request body and validates it against a schema. Rejects with `server.bad_body`, which names the invalid
 * fields, and `input.malformed`.
 */
export async function parseBody<T>(text: string, schema: z.ZodType<T>): Promise<T> {
  const parsed = schema.safeParse(await parseJson(text, "of the request"));
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const named = issues.slice(0, MAX_PROBLEMS).map(({ path, message }) => {
    const field = path.map(String).join(".");
    return `${field === "" ? "(the whole)" : field}: ${message}`.slice(0, MAX_CHARACTERS);
  });
  const more = issues.length > named.length ? [`and ${issues.length - named.length} more`] : [];
  throw new EngineError("server.bad_body", { problem: [...named, ...more].join("; ") });
}
