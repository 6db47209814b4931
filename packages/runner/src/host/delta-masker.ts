import { type Envelope, type EnvelopeOf, HEADER } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";

type MaskStream = ReturnType<Masker["stream"]>;

/** Event with a piece of a streamed text. */
type Delta = EnvelopeOf<"assistant_text_delta"> | EnvelopeOf<"reasoning_delta"> | EnvelopeOf<"tool_call_output_delta">;

/** True for the streamed text pieces that a `DeltaMasker` masks. */
export function isTextDelta({ type }: Envelope): boolean {
  return type === "assistant_text_delta" || type === "reasoning_delta" || type === "tool_call_output_delta";
}

/**
 * Maximum number of texts that can be streamed and masked at the same time. Beyond it, held-back text of the oldest is
 * dropped.
 */
const MAX_STREAMS = 1_000;

/** Masks the streamed text of a run, including secrets split across pieces. See custom-engine: masking. */
export interface DeltaMasker {
  /**
   * Returns the events to emit for an event. Text that may be the beginning of a secret is held back until more text
   * arrives, or until the event that ends the text.
   */
  mask(envelope: Envelope): Envelope[];
}

/** Streamed text whose end event has not arrived yet. */
interface OpenText {
  stream: MaskStream;
  last: Delta;
}

/** Creates the masker of one run. */
export function createDeltaMasker(masker: Masker): DeltaMasker {
  const open = new Map<string, OpenText>();

  function write(delta: Delta): Envelope[] {
    const key = textOf(delta);
    const text = open.get(key) ?? { stream: masker.stream(), last: delta };
    // Limits memory. If an engine never ends its texts, text that is held back for the oldest of them is dropped.
    if (!open.has(key) && open.size >= MAX_STREAMS) open.delete(firstOf(open.keys()) ?? "");
    open.set(key, { stream: text.stream, last: delta });
    const content = text.stream.write(String(delta.payload.content));
    return content === "" ? [] : [withContent(delta, content)];
  }
  function end(key: string): Envelope[] {
    const text = open.get(key);
    if (text === undefined) return [];
    open.delete(key);
    const content = text.stream.end();
    return content === "" ? [] : [withContent(text.last, content)];
  }
  return {
    mask: (envelope) => {
      switch (envelope.type) {
        case "assistant_text_delta":
        case "reasoning_delta":
        case "tool_call_output_delta":
          return write(envelope);
        case "assistant_text_end":
          return [
            ...end(keyOf("reasoning_delta", envelope)),
            ...end(keyOf("assistant_text_delta", envelope)),
            envelope,
          ];
        case "tool_call_end":
          return [...end(keyOf("tool_call_output_delta", envelope, envelope.payload.tool_call_id)), envelope];
        default:
          return [envelope];
      }
    },
  };
}

function textOf(delta: Delta): string {
  return keyOf(delta.type, delta, delta.type === "tool_call_output_delta" ? delta.payload.tool_call_id : "");
}

function keyOf(type: Delta["type"], envelope: Envelope, part = ""): string {
  return `${type} ${envelope.headers[HEADER.agentId] ?? ""} ${part}`;
}

/** Copies only the fields that the event table declares, so that no other, unmasked field is emitted. */
function withContent(delta: Delta, content: string): Envelope {
  switch (delta.type) {
    case "assistant_text_delta":
      return { ...delta, payload: { type: "token", content } };
    case "reasoning_delta":
      return { ...delta, payload: { content } };
    case "tool_call_output_delta":
      return { ...delta, payload: { tool_call_id: String(delta.payload.tool_call_id), content } };
  }
}

function firstOf<T>(values: Iterable<T>): T | undefined {
  for (const value of values) return value;
  return undefined;
}
