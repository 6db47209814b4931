import { isRecord } from "../failure/error-info.ts";
import { callsOf, withCallFields, withChatEnvelope, withFirstChoice, withMessageFields } from "./chat-fields.ts";
import { type JsonRecord, type Normaliser, type StreamNormaliser, withFields } from "./normaliser.ts";
import { isSameArguments } from "./same-arguments.ts";
import { StreamedCalls } from "./streamed-calls.ts";
import { chatEvents } from "./whole-as-events.ts";

/**
 * Matches chunks that may need a correction: chunks with tool calls, an unusual role, or fields of another type than
 * documented.
 */
const SUSPECT =
  /"(?:tool_calls"\s*:\s*(?:\{|\[\s*[^\]\s])|function_call"\s*:\s*\{|role"\s*:\s*"(?!assistant")[^"]|content"\s*:\s*(?:\{|\[\s*")|reasoning(?:_content)?"\s*:\s*[{[]|created"\s*:\s*["{[]|(?:prompt|completion|total|cached|reasoning)_tokens"\s*:\s*["{[]|(?:id|model)"\s*:\s*[\d{[]|finish_reason"\s*:\s*[\d{[]|message"\s*:\s*\{)/;
/**
 * Matches the field `tool_calls` of a stream event that only appends to the arguments of one tool call. The field must
 * have the documented form and identify the call by its index. Most events of a long tool call match.
 */
const PIECE =
  /"tool_calls":\s?\[\{"index":\s?(\d{1,4}),\s?"function":\s?\{"arguments":\s?"([^"\\]*(?:\\.[^"\\]*)*)"\}\}\]/g;
const FINISH = /"finish_reason"\s*:\s*"/;

function withReason(choice: JsonRecord): JsonRecord {
  const { finish_reason: reason } = choice;
  return reason === undefined || reason === null ? choice : withFields(choice, { finish_reason: String(reason) });
}

/**
 * Returns complete tool calls in documented form. Exact duplicates, with the same id, name and arguments, are left out.
 */
function completeCalls(calls: readonly JsonRecord[]): readonly JsonRecord[] {
  const seen: { id: unknown; name: unknown; text: string }[] = [];
  return calls.map(withCallFields).flatMap((call) => {
    const { id } = call;
    const { name, arguments: written } = isRecord(call["function"]) ? call["function"] : {};
    const text = String(written);
    const sameId = typeof id === "string" && id !== "" ? seen.filter((other) => other.id === id) : [];
    seen.push({ id, name, text });
    if (sameId.some((other) => other.name === name && isSameArguments(other.text, text))) return [];
    return [sameId.length === 0 ? call : withFields(call, { id: undefined })];
  });
}

function completeChoice(choice: JsonRecord): JsonRecord {
  const { message } = choice;
  if (!isRecord(message)) return withReason(choice);
  const found = callsOf(message);
  const calls = found === undefined ? undefined : completeCalls(found);
  const isSame =
    found !== undefined && found.length === calls?.length && found.every((call, index) => call === calls[index]);
  const changes = found === undefined || (isSame && found === message["tool_calls"]) ? {} : { tool_calls: calls };
  return withReason(withFields(choice, { message: withFields(withMessageFields(message), changes) }));
}

class ChatStream implements StreamNormaliser {
  readonly #calls = new StreamedCalls();

  isSuspect(text: string): boolean {
    if (this.#calls.holdsRepeats && FINISH.test(text)) return true;
    if (!SUSPECT.test(text)) return false;
    const pieces: [index: number, piece: string][] = [];
    const rest = text.replace(PIECE, (match, digits: string, piece: string) => {
      if (!this.#calls.isPlain(Number(digits))) return match;
      pieces.push([Number(digits), piece]);
      return "";
    });
    if (pieces.length === 0 || SUSPECT.test(rest)) return true;
    for (const [index, piece] of pieces) this.#calls.addPiece(index, piece);
    return false;
  }

  event(chunk: JsonRecord): JsonRecord {
    return withFirstChoice(withChatEnvelope(chunk), (choice) => this.#choice(choice));
  }

  #choice(choice: JsonRecord): JsonRecord {
    const { message, finish_reason: reason } = choice;
    // Some servers send a complete message as the only event of a stream.
    const delta = choice["delta"] ?? message ?? {};
    if (!isRecord(delta)) return withReason(choice);
    const found = callsOf(delta)?.map(withCallFields);
    const isEnd = reason !== undefined && reason !== null;
    const calls = [...(found === undefined ? [] : this.#calls.add(found)), ...(isEnd ? this.#calls.repeats() : [])];
    const changes = calls.length > 0 || found !== undefined ? { tool_calls: calls } : {};
    return withReason(withFields(choice, { delta: withFields(withMessageFields(delta), changes) }));
  }
}

/** Normaliser for OpenAI's chat completions as sent by compatible servers. */
export const CHAT_NORMALISER: Normaliser = {
  response: (response) => withFirstChoice(withChatEnvelope(response), completeChoice),
  events: chatEvents,
  openStream: () => new ChatStream(),
};
