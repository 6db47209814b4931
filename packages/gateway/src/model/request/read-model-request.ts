import { isUtf8 } from "node:buffer";
import { EngineError } from "@switchyard/contracts";
import type { Endpoint } from "../api/find-endpoint.ts";
import { type ValueSpan, visitTopLevelFields } from "./top-level-fields.ts";

/** Maximum number of choices of one request. Providers allow at most this number. */
const MAX_CHOICES = 128;

type Fields = Readonly<Record<string, unknown>>;

/** A model request, parsed only as far as the gateway needs it. */
export interface ModelRequestBody {
  /** Requested model. `undefined` for a list of models. */
  readonly model: string | undefined;
  /** Models that the provider may use instead of `model`. They come from the field `models` of OpenRouter's API. */
  readonly alternatives: readonly string[];
  /** Maximum number of output tokens that the request allows for each choice. `undefined` if it states none. */
  readonly maxOutputTokens: number | undefined;
  /** Number of alternative responses (choices) that the request asks for, from 1 to 128. */
  readonly choices: number;
  /** Parsed body. `undefined` for a request without a body. */
  readonly json: Fields | undefined;
  /** Body as it is sent. */
  readonly bytes: Buffer | undefined;
  /** Returns the path and the body of the same request for another model. */
  withModel(model: string): { readonly path: string; readonly bytes: Buffer | undefined };
}

function refuse(problem: string): never {
  throw new EngineError("gateway.request_refused", { problem: `${problem}.` });
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parse(text: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse("its body is not valid JSON");
  }
  return isFields(value) ? value : refuse("its body is not a JSON object");
}

/** Returns the position of the model's name. Throws if the request has a field twice, ignoring case. */
function findModel(text: string): ValueSpan | undefined {
  const names = new Set<string>();
  let found: ValueSpan | undefined;
  visitTopLevelFields(text, (name, span) => {
    // Some servers ignore the case of field names.
    const key = name.toLowerCase();
    if (names.has(key)) refuse(`it has the field ${JSON.stringify(name)} twice`);
    names.add(key);
    if (key === "model") found = span;
  });
  return found;
}

function positive(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : undefined;
}

function maxOutputOf(json: Fields): number | undefined {
  const config = isFields(json["generationConfig"]) ? json["generationConfig"] : {};
  const limits = [
    json["max_completion_tokens"],
    json["max_output_tokens"],
    json["max_tokens"],
    config["maxOutputTokens"],
  ];
  return limits.map(positive).find((value) => value !== undefined);
}

function choicesOf(json: Fields): number {
  const config = isFields(json["generationConfig"]) ? json["generationConfig"] : {};
  const count = positive(json["n"]) ?? positive(config["candidateCount"]) ?? 1;
  return Math.min(MAX_CHOICES, Math.max(1, Math.round(count)));
}

/** Throws for requests whose cost the gateway could not measure. */
function assertMeasurable(json: Fields): void {
  if (json["background"] === true) refuse("it asks for a response in the background, whose usage cannot be measured");
}

function textsOf(value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return refuse("its field models is not an array");
  return value.map((entry: unknown) => (typeof entry === "string" ? entry : refuse("its field models has no names")));
}

/**
 * Parses the body of a request. Throws `gateway.request_refused` for a body that is not a JSON object, has no model, or
 * has a field twice.
 */
export function readModelRequest(endpoint: Endpoint, bytes: Buffer): ModelRequestBody {
  const { path } = endpoint;
  if (endpoint.action === "list_models") {
    const withModel = (): { path: string; bytes: undefined } => ({ path, bytes: undefined });
    return {
      model: undefined,
      alternatives: [],
      maxOutputTokens: undefined,
      choices: 1,
      json: undefined,
      bytes: undefined,
      withModel,
    };
  }
  if (!isUtf8(bytes)) refuse("its body is not UTF-8");
  const text = bytes.toString();
  const json = parse(text);
  const span = findModel(text);
  assertMeasurable(json);
  const alternatives = textsOf(json["models"]);
  const common = { alternatives, maxOutputTokens: maxOutputOf(json), choices: choicesOf(json), json, bytes };
  const named = endpoint.model;
  if (named !== undefined) {
    if (json["model"] !== undefined && json["model"] !== named && json["model"] !== `models/${named}`) {
      refuse("its path and its body name different models");
    }
    const withModel = (model: string): { path: string; bytes: Buffer } => {
      return { path: path.replace(`/models/${named}:`, () => `/models/${model}:`), bytes };
    };
    return { ...common, model: named, withModel };
  }
  const model = json["model"];
  if (typeof model !== "string" || model === "" || span === undefined) return refuse("it names no model");
  const withModel = (other: string): { path: string; bytes: Buffer } => {
    if (other === model) return { path, bytes };
    const changed = `${text.slice(0, span.start)}${JSON.stringify(other)}${text.slice(span.end)}`;
    return { path, bytes: Buffer.from(changed) };
  };
  return { ...common, model, withModel };
}
