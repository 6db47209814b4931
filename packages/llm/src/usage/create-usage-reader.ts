import type { Usage } from "@switchyard/contracts";
import { readPartialUsage } from "../partial-usage/read-partial-usage.ts";
import { UsageLines } from "../partial-usage/usage-lines.ts";

/**
 * Maximum size of a response that is not a stream and whose usage can be read, in bytes: 16 MiB. The usage of a larger
 * one is unknown.
 */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Reads the token usage from the bytes of a response, without parsing its other content. */
export interface UsageReader {
  /** Adds the next bytes of the response. The bytes may be split at any position. */
  add(bytes: Uint8Array): void;
  /** Returns the usage that the response has reported so far. `undefined` if the response reported none. */
  usage(model: string): Usage | undefined;
}

/**
 * Creates a reader for one response in the format of OpenAI's, Anthropic's or Gemini's APIs. A stream of server-sent
 * events is read line by line. A complete JSON response is collected, up to 16 MiB, and parsed at the end.
 */
export function createUsageReader(options: { isStream: boolean }): UsageReader {
  return options.isStream ? streamReader() : bodyReader();
}

function streamReader(): UsageReader {
  const lines = new UsageLines();
  return {
    add: (bytes) => lines.add(bytes),
    usage: (model) => readPartialUsage(lines.lines, model),
  };
}

function bodyReader(): UsageReader {
  let chunks: Uint8Array[] = [];
  let length = 0;
  return {
    add(bytes) {
      length += bytes.byteLength;
      if (length <= MAX_BODY_BYTES) chunks.push(bytes);
      else chunks = [];
    },
    usage(model) {
      const body = jsonOf(Buffer.concat(chunks));
      return readPartialUsage(Array.isArray(body) ? body : [body], model);
    },
  };
}

function jsonOf(bytes: Buffer): unknown {
  try {
    const body: unknown = JSON.parse(bytes.toString());
    return body;
  } catch {
    return undefined;
  }
}
