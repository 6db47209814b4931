import { isRecord } from "../failure/error-info.ts";
import {
  asArguments,
  asNumber,
  asText,
  type JsonRecord,
  mapList,
  type Normaliser,
  type StreamNormaliser,
  withFields,
} from "./normaliser.ts";
import { itemEvents, responseEvents } from "./whole-as-events.ts";

/** Prefix of ids that are generated for response items without an id. Generated ids are removed from later requests. */
export const SYNTHETIC_ITEM = "made_up_";

function withTextFields(part: unknown): unknown {
  if (!isRecord(part) || part["type"] !== "output_text") return part;
  return Array.isArray(part["annotations"]) ? part : withFields(part, { annotations: [] });
}

function contentOf(content: unknown): unknown {
  if (typeof content === "string") return [{ type: "output_text", text: content, annotations: [] }];
  return Array.isArray(content) ? mapList(content, withTextFields) : content;
}

function withItemFields(item: JsonRecord, syntheticId: string): JsonRecord {
  const changes: Record<string, unknown> = { id: asText(item["id"]) ?? syntheticId };
  switch (item["type"]) {
    case "message":
      changes["role"] = "assistant";
      if ("content" in item) changes["content"] = contentOf(item["content"]);
      break;
    case "function_call":
      changes["arguments"] = asArguments(item["arguments"]);
      changes["call_id"] = asText(item["call_id"]) ?? asText(item["id"]) ?? `call_${syntheticId}`;
      break;
    case "reasoning":
      if (!Array.isArray(item["summary"])) changes["summary"] = [];
      break;
    default:
      break;
  }
  return withFields(item, changes);
}

function usageOf(usage: unknown): unknown {
  if (!isRecord(usage)) return undefined;
  const { input_tokens: input, output_tokens: output, prompt_tokens: prompt, completion_tokens: completion } = usage;
  return withFields(usage, {
    input_tokens: asNumber(input) ?? asNumber(prompt) ?? 0,
    output_tokens: asNumber(output) ?? asNumber(completion) ?? 0,
  });
}

function outputOf(output: unknown): unknown {
  if (!Array.isArray(output)) return output;
  return mapList(output, (item, index) => (isRecord(item) ? withItemFields(item, `${SYNTHETIC_ITEM}${index}`) : item));
}

/** Normalises the fields of a response other than its output. A non-numeric time or a null is dropped. */
function withEnvelope(response: JsonRecord): JsonRecord {
  const { id, created_at: created, model, output, usage } = response;
  return withFields(response, {
    id: asText(id),
    created_at: asNumber(created),
    model: asText(model),
    output: outputOf(output),
    usage: usageOf(usage),
  });
}

const RARE = /"response\.(?:created|in_progress|completed|incomplete|failed|output_item\.)/;
const DELTA = /"response\.(?:output_text|function_call_arguments|reasoning_summary_text|refusal)\.(?:delta|done)"/;

class ResponsesStream implements StreamNormaliser {
  /** Ids of the response's items, by index in the output. */
  readonly #ids = new Map<unknown, string>();
  #latest = `${SYNTHETIC_ITEM}0`;
  #lacksIds = false;

  isSuspect(text: string): boolean {
    return RARE.test(text) || (DELTA.test(text) && (this.#lacksIds || !text.includes('"item_id"')));
  }

  event(data: JsonRecord): JsonRecord | readonly JsonRecord[] {
    const { type, response, item } = data;
    if (typeof type !== "string") return data;
    if (isRecord(response)) {
      const items =
        /completed|incomplete/.test(type) && this.#ids.size === 0 ? outputOf(response["output"]) : undefined;
      const last = this.#response(data, response);
      // Some gateways send only the final event of a response.
      return Array.isArray(items) && items.length > 0 ? [...itemEvents(items), last] : last;
    }
    return isRecord(item) ? this.#item(data, item) : this.#delta(data);
  }

  #response(data: JsonRecord, response: JsonRecord): JsonRecord {
    const { id, created_at: created, model, usage } = response;
    const opening = { id: asText(id) ?? "", created_at: asNumber(created) ?? 0, model: asText(model) ?? "" };
    const changes = data["type"] === "response.created" ? opening : { usage: usageOf(usage) };
    const number =
      data["type"] === "response.failed" ? { sequence_number: asNumber(data["sequence_number"]) ?? 0 } : {};
    return withFields(data, { ...number, response: withFields(response, changes) });
  }

  #item(data: JsonRecord, item: JsonRecord): JsonRecord {
    const index =
      asNumber(data["output_index"]) ??
      (data["type"] === "response.output_item.added" ? this.#ids.size : this.#ids.size - 1);
    const known = this.#ids.get(index) ?? `${SYNTHETIC_ITEM}${index}`;
    this.#lacksIds ||= asText(item["id"]) === undefined;
    const isDone = data["type"] === "response.output_item.done";
    const status =
      isDone && item["type"] === "function_call" && item["status"] === undefined ? "completed" : item["status"];
    const completed = withFields(withItemFields(item, known), { status });
    this.#latest = asText(completed["id"]) ?? known;
    this.#ids.set(index, this.#latest);
    return withFields(data, { output_index: index, item: completed });
  }

  #delta(data: JsonRecord): JsonRecord {
    if (typeof data["item_id"] === "string") return data;
    const index = asNumber(data["output_index"]);
    const found = index === undefined ? undefined : this.#ids.get(index);
    return withFields(data, { item_id: found ?? this.#latest, output_index: index ?? Math.max(0, this.#ids.size - 1) });
  }
}

/** Normaliser for OpenAI's Responses API as sent by gateways. */
export const RESPONSES_NORMALISER: Normaliser = {
  response: withEnvelope,
  events: (response) => responseEvents(withEnvelope(response))?.map((event) => JSON.stringify(event)),
  openStream: () => new ResponsesStream(),
};
