import type { ModelResponse, Part, StreamEvent } from "@switchyard/contracts";

/** Length of every chunk of a text, or the lengths of the individual chunks in order. */
type Sizes = number | readonly number[];

/** Splits a text into chunks of about the given lengths, in UTF-16 units, never within a character. */
function* piecesOf(text: string, sizes: Sizes): Iterable<string> {
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

/** How one part of a response was streamed. */
interface Streaming {
  readonly id: string;
  readonly size: Sizes;
  /** True if the whole part was received. */
  readonly isComplete: boolean;
}

function* eventsOfPart(part: Part, { id, size, isComplete }: Streaming): Iterable<StreamEvent> {
  switch (part.type) {
    case "text":
      yield { type: "text_start", textId: id };
      for (const text of piecesOf(part.text, size)) yield { type: "text_delta", textId: id, text };
      if (isComplete) yield { type: "text_end", textId: id };
      return;
    case "thinking":
    case "redacted_thinking":
      yield { type: "reasoning_start", reasoningId: id };
      for (const text of piecesOf(part.type === "thinking" ? part.text : "", size)) {
        yield { type: "reasoning_delta", reasoningId: id, text };
      }
      if (isComplete) yield { type: "reasoning_end", reasoningId: id };
      return;
    case "tool_call":
      yield { type: "tool_call_start", callId: part.id, name: part.name };
      for (const argumentsDelta of piecesOf(part.arguments, size))
        yield { type: "tool_call_delta", callId: part.id, argumentsDelta };
      if (isComplete) yield { type: "tool_call_end", callId: part.id, name: part.name, arguments: part.arguments };
      return;
    default:
      yield { type: "provider_event", event: part };
  }
}

/** How parts were streamed. */
export interface PartsStreaming {
  /** Length of the chunks into which a part is divided if `pieces` has no entry for it. */
  readonly pieceLength: number;
  /** Lengths of the chunks of each part. */
  readonly pieces?: readonly (readonly number[])[] | undefined;
  /** Indexes of incomplete parts. */
  readonly unfinished?: readonly number[] | undefined;
}

/** Converts parts to stream events. */
export function* eventsOfParts(parts: readonly Part[], streaming: PartsStreaming): Iterable<StreamEvent> {
  const { pieceLength, pieces = [], unfinished = [] } = streaming;
  for (const [index, part] of parts.entries()) {
    const lengths = pieces[index] ?? [];
    const size = lengths.length === 0 ? pieceLength : lengths;
    yield* eventsOfPart(part, { id: String(index), size, isComplete: !unfinished.includes(index) });
  }
}

/** Converts a complete response to stream events, in chunks of about `pieceLength` UTF-16 units. Default: 24. */
export function* eventsOfResponse(response: ModelResponse, pieceLength = 24): Iterable<StreamEvent> {
  yield { type: "stream_start", id: response.id, model: response.model };
  yield* eventsOfParts(response.message.parts, { pieceLength });
  yield { type: "finish", response };
}
