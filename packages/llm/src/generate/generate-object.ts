import { type Client, EngineError, messageOf } from "@switchyard/contracts";
import { assertUsable, checkValue } from "./check-value.ts";
import { generate } from "./generate.ts";
import { type GenerateOptions, toGeneratePlan } from "./generate-options.ts";
import type { GenerateEvent, GenerateResult } from "./generate-result.ts";
import { createPartialJson, type PartialJson } from "./partial-json.ts";
import { createResultStream, type ResultStream } from "./result-stream.ts";
import { callStreaming, runSteps } from "./run-steps.ts";

/** Options for generating an object. */
export interface GenerateObjectOptions extends Omit<GenerateOptions, "responseFormat"> {
  /** JSON Schema of the object. */
  schema: Readonly<Record<string, unknown>>;
  /** Name of the object for the model. Default: `object`. */
  schemaName?: string | undefined;
}

/** Options with a function that converts the object to a custom type, such as the `parse` of a zod schema. */
export interface ParsedObjectOptions<T> extends GenerateObjectOptions {
  /** Converts a value that matches the schema. If it throws, the response counts as invalid. */
  parse: (value: unknown) => T;
}

/** A generated object, and the result of the generation. */
export interface ObjectResult<T> extends GenerateResult {
  /** Generated object, which matches the schema. */
  object: T;
}

/** Stream of partial objects, which are not validated until complete. */
export type ObjectStream<T> = ResultStream<unknown, ObjectResult<T>>;

function textOptions(options: GenerateObjectOptions): GenerateOptions {
  const { schema, schemaName: name = "object", ...rest } = options;
  return { ...rest, responseFormat: { type: "json_schema", name, schema } };
}

const FENCED = /^```(?:json)?\s*\n([\s\S]*?)\n?```$/;

function readJson(text: string): unknown {
  const trimmed = text.trim();
  const value: unknown = JSON.parse(FENCED.exec(trimmed)?.[1] ?? trimmed);
  return value;
}

function noObject(result: GenerateResult, problem: string, cause?: unknown): EngineError {
  const { text, finishReason, usage } = result;
  const { provider, model } = result.response;
  return new EngineError("llm.no_object", { provider, model, problem, text, finishReason, usage }, { cause });
}

async function objectOf<T>(result: GenerateResult, options: ParsedObjectOptions<T>): Promise<ObjectResult<T>> {
  const { text, finishReason } = result;
  if (text.trim() === "") throw noObject(result, `it answered with no text (${finishReason.unified})`);
  let value: unknown;
  try {
    value = readJson(text);
  } catch (error) {
    const why = finishReason.unified === "length" ? "its response was cut off" : "its response is not valid JSON";
    throw noObject(result, why, error);
  }
  const problem = await checkValue(value, options.schema);
  if (problem !== undefined) throw noObject(result, problem);
  try {
    return { ...result, object: options.parse(value) };
  } catch (error) {
    throw noObject(result, messageOf(error), error);
  }
}

function withParse(options: GenerateObjectOptions & { parse?: unknown }): ParsedObjectOptions<unknown> {
  const { parse, ...rest } = options;
  return { ...rest, parse: (value) => (typeof parse === "function" ? parse(value) : value) };
}

function settingsOf<T>({ parse: _parse, ...options }: ParsedObjectOptions<T>): GenerateOptions {
  return textOptions(options);
}

/**
 * Generates an object that matches a JSON Schema; the model may call tools first. Rejects with `llm.no_object`, whose
 * details contain the text, if the response is not a matching object. Other rejections are those of `generate`. See
 * unified-llm-client: high level.
 */
export function generateObject<T>(client: Client, options: ParsedObjectOptions<T>): Promise<ObjectResult<T>>;
/** Generates an object of unknown type. See unified-llm-client: high level. */
export function generateObject(client: Client, options: GenerateObjectOptions): Promise<ObjectResult<unknown>>;
export async function generateObject(client: Client, options: GenerateObjectOptions): Promise<ObjectResult<unknown>> {
  const parsed = withParse(options);
  // The schema is checked before any request, because an unusable schema would waste the cost of a response.
  await assertUsable(parsed.schema);
  return objectOf(await generate(client, settingsOf(parsed)), parsed);
}

/** A partial object is parsed again only after its text has grown by 1/64. This bounds the total cost of parsing. */
const LOOKS = 64;

/** Converts response events to partial objects. */
async function* readPartials(
  events: AsyncIterator<GenerateEvent, GenerateResult, undefined>,
): AsyncGenerator<unknown, GenerateResult, undefined> {
  let partial: PartialJson = createPartialJson();
  let looked = 0;
  let shown = "";
  let isOver = false;
  try {
    for (;;) {
      const { done, value } = await events.next();
      isOver = done === true;
      if (done === true) return value;
      if (value.type === "stream_start") {
        partial = createPartialJson();
        looked = 0;
        shown = "";
      }
      if (value.type !== "text_delta") continue;
      partial.add(value.text);
      if (partial.length - looked < Math.max(1, looked / LOOKS)) continue;
      looked = partial.length;
      const known = partial.value();
      const written = JSON.stringify(known);
      if (known === undefined || written === shown) continue;
      shown = written;
      yield known;
    }
  } finally {
    if (!isOver) await events.return?.();
  }
}

async function* streamSteps<T>(
  client: Client,
  options: ParsedObjectOptions<T>,
): AsyncGenerator<unknown, ObjectResult<T>, undefined> {
  await assertUsable(options.schema);
  const events = runSteps(toGeneratePlan(settingsOf(options)), callStreaming(client));
  return objectOf(yield* readPartials(events), options);
}

/** Generates an object like `generateObject`, and streams partial objects. See unified-llm-client: high level. */
export function streamObject<T>(client: Client, options: ParsedObjectOptions<T>): ObjectStream<T>;
/** Streams an object of unknown type. See unified-llm-client: high level. */
export function streamObject(client: Client, options: GenerateObjectOptions): ObjectStream<unknown>;
export function streamObject(client: Client, options: GenerateObjectOptions): ObjectStream<unknown> {
  const parsed = withParse(options);
  toGeneratePlan(settingsOf(parsed));
  return createResultStream(() => streamSteps(client, parsed));
}
