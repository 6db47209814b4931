import { EngineError, type ModelApi } from "@switchyard/contracts";

/** Name of the format of recordings. */
const RECORDING_FORMAT = "switchyard/model-calls";

/** Version of the format that this package writes. */
const RECORDING_VERSION = 1;

type Fields = Readonly<Record<string, unknown>>;

/** One recorded call: a request as the engine sent it, and its response as the engine received it. */
export interface RecordedModelCall {
  /** Wire format. */
  readonly api: ModelApi;
  /** Path below the base URL of the provider. */
  readonly path: string;
  /** Body of the request. `undefined` for a request without a body. */
  readonly request?: Readonly<Record<string, unknown>> | undefined;
  /** HTTP status of the response. */
  readonly status: number;
  /** Content type of the response. */
  readonly contentType: string;
  /** Text of the response: one entry per server-sent event, or one entry with the body. */
  readonly parts: readonly string[];
}

/** A recording of the model calls of one run, in the order in which they began. */
export interface ModelCallRecording {
  /** Description, one sentence. */
  readonly description: string;
  /** Recorded calls. */
  readonly calls: readonly RecordedModelCall[];
}

/**
 * Names of the request field that contains the conversation, in the different APIs. The conversation grows with each
 * call.
 */
const HISTORY = ["messages", "input", "contents"] as const;

const APIS: ReadonlySet<unknown> = new Set(["anthropic-messages", "openai-responses", "openai-chat", "gemini"]);

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSame(left: unknown, right: unknown): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}

/** Returns how many entries at the beginning of two lists are equal. */
function commonEntries(left: readonly unknown[], right: readonly unknown[]): number {
  let count = 0;
  while (count < left.length && count < right.length && isSame(left[count], right[count])) count += 1;
  return count;
}

/** Serialises the calls of one recording, without repeating what is equal to the previous call. */
export interface RecordingSerializer {
  /** Returns the line of the next call, without line end. */
  line(call: RecordedModelCall): string;
}

/** Returns the first line of a recording. */
export function serializeRecordingHeader(description: string): string {
  return JSON.stringify({ format: RECORDING_FORMAT, version: RECORDING_VERSION, description });
}

/** Creates a serialiser for one recording. */
export function createRecordingSerializer(): RecordingSerializer {
  let previous: Fields = {};
  return {
    line({ api, path, request, status, contentType, parts }) {
      const written: Record<string, unknown> = {};
      const same: string[] = [];
      let after: number | undefined;
      for (const [name, value] of Object.entries(request ?? {})) {
        const before = previous[name];
        const isHistory = HISTORY.some((history) => history === name);
        const common = isHistory && Array.isArray(value) && Array.isArray(before) ? commonEntries(value, before) : 0;
        if (common > 0 && Array.isArray(value)) {
          after = common;
          written[name] = value.slice(common);
        } else if (before !== undefined && isSame(before, value)) same.push(name);
        else written[name] = value;
      }
      if (request !== undefined) previous = request;
      const unchanged = same.length === 0 ? {} : { same };
      const delta = request === undefined ? {} : { request: written, ...unchanged, after };
      return JSON.stringify({ api, path, ...delta, status, content_type: contentType, parts });
    },
  };
}

type Fail = (problem: string, cause?: unknown) => never;

function readRequest(line: Fields, previous: Fields, fail: Fail): Fields | undefined {
  const { request, same = [], after } = line;
  if (request === undefined) return undefined;
  if (!isFields(request) || !Array.isArray(same)) return fail("its request is not an object");
  const restored: Record<string, unknown> = {};
  for (const name of same) restored[String(name)] = previous[String(name)];
  for (const [name, value] of Object.entries(request)) {
    const before = previous[name];
    const isHistory = HISTORY.some((history) => history === name);
    const isAdded = typeof after === "number" && isHistory && Array.isArray(before) && Array.isArray(value);
    restored[name] = isAdded ? [...before.slice(0, after), ...value] : value;
  }
  return restored;
}

function isApi(value: unknown): value is ModelApi {
  return APIS.has(value);
}

function readCall(line: unknown, previous: Fields, fail: Fail): RecordedModelCall {
  if (!isFields(line)) return fail("it is not an object");
  const { api, path, status, content_type: contentType, parts } = line;
  if (!isApi(api) || typeof path !== "string") return fail("it has no known api and path");
  if (typeof status !== "number" || typeof contentType !== "string") return fail("it has no status and content_type");
  if (!Array.isArray(parts)) return fail("it has no parts");
  const texts = parts.map((part: unknown) => (typeof part === "string" ? part : fail("a part is not a text")));
  return { api, path, request: readRequest(line, previous, fail), status, contentType, parts: texts };
}

function readHeader(line: unknown, fail: Fail): string {
  if (!isFields(line) || line["format"] !== RECORDING_FORMAT)
    return fail(`the header has no format ${RECORDING_FORMAT}`);
  if (line["version"] !== RECORDING_VERSION) return fail(`version ${String(line["version"])} is unknown`);
  return typeof line["description"] === "string" ? line["description"] : fail("the header needs a description");
}

function readJson(line: string, fail: Fail): unknown {
  try {
    const value: unknown = JSON.parse(line);
    return value;
  } catch (error) {
    return fail("it is not valid JSON", error);
  }
}

/** Parses a recording of a gateway. `path` is for errors. Throws `cassette.malformed` with the line number. */
export function parseModelCalls(text: string, path = "(text)"): ModelCallRecording {
  const calls: RecordedModelCall[] = [];
  let description: string | undefined;
  let previous: Fields = {};
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const fail: Fail = (problem, cause) => {
      const details = { path, line: index + 1, problem: `line ${index + 1}: ${problem}` };
      throw new EngineError("cassette.malformed", details, { cause });
    };
    const value = readJson(line, fail);
    if (description === undefined) {
      description = readHeader(value, fail);
      continue;
    }
    const call = readCall(value, previous, fail);
    if (call.request !== undefined) previous = call.request;
    calls.push(call);
  }
  if (description === undefined) throw new EngineError("cassette.malformed", { path, line: 1, problem: "it is empty" });
  return { description, calls };
}
