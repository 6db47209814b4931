import type { ModelResponse, Part, StreamEvent } from "@switchyard/contracts";

/** Length of the pieces of a text, or the lengths of all of them in order. */
type Sizes = number | readonly number[];

/** Cuts a text into pieces of about these many UTF-16 units; never through a character. */
function* pieces(text: string, sizes: Sizes): Iterable<string> {
  let index = 0;
  for (let start = 0; start < text.length; ) {
    const size = typeof sizes === "number" ? sizes : (sizes[index++] ?? text.length);
    let end = Math.min(text.length, start + Math.max(1, size));
    const unit = text.charCodeAt(end - 1);
    if (end < text.length && unit >= 0xd800 && unit <= 0xdbff) end += 1;
    yield text.slice(start, end);
    start = end;
  }
}

function* eventsOfPart(part: Part, id: string, size: Sizes): Iterable<StreamEvent> {
  switch (part.type) {
    case "text":
      yield { type: "text_start", textId: id };
      for (const text of pieces(part.text, size)) yield { type: "text_delta", textId: id, text };
      yield { type: "text_end", textId: id };
      return;
    case "thinking":
    case "redacted_thinking":
      yield { type: "reasoning_start", reasoningId: id };
      for (const text of pieces(part.type === "thinking" ? part.text : "", size)) {
        yield { type: "reasoning_delta", reasoningId: id, text };
      }
      yield { type: "reasoning_end", reasoningId: id };
      return;
    case "tool_call":
      yield { type: "tool_call_start", callId: part.id, name: part.name };
      for (const argumentsDelta of pieces(part.arguments, size))
        yield { type: "tool_call_delta", callId: part.id, argumentsDelta };
      yield { type: "tool_call_end", callId: part.id, name: part.name, arguments: part.arguments };
      return;
    default:
      yield { type: "provider_event", event: part };
  }
}

/** Parts as the events of a stream, in pieces of these lengths: one for all, or for each part one or those of its pieces. */
export function* eventsOfParts(
  parts: readonly Part[],
  pieceLength: number,
  recorded: readonly (readonly number[])[] = [],
): Iterable<StreamEvent> {
  for (const [index, part] of parts.entries()) {
    const lengths = recorded[index] ?? [];
    yield* eventsOfPart(part, String(index), lengths.length === 0 ? pieceLength : lengths);
  }
}

/** A whole answer as the events of a stream, in pieces of about `pieceLength` UTF-16 units (default 24). */
export function* eventsOfResponse(response: ModelResponse, pieceLength = 24): Iterable<StreamEvent> {
  yield { type: "stream_start", id: response.id, model: response.model };
  yield* eventsOfParts(response.message.parts, pieceLength);
  yield { type: "finish", response };
}
