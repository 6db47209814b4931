import type { Part, StreamEvent } from "@switchyard/contracts";

/** One text, thinking block or tool call of a stream. */
interface Block {
  readonly kind: "text" | "thinking" | "tool_call";
  readonly lengths: number[];
}

/**
 * Returns the content block that an event belongs to, and the length that the event adds. `undefined` for events
 * without content.
 */
function blockOf(event: StreamEvent): { kind: Block["kind"]; id: string; length: number | undefined } | undefined {
  switch (event.type) {
    case "text_start":
      return { kind: "text", id: event.textId, length: undefined };
    case "text_delta":
      return { kind: "text", id: event.textId, length: event.text.length };
    case "reasoning_start":
      return { kind: "thinking", id: event.reasoningId, length: undefined };
    case "reasoning_delta":
      return { kind: "thinking", id: event.reasoningId, length: event.text.length };
    case "tool_call_start":
      return { kind: "tool_call", id: event.callId, length: undefined };
    case "tool_call_delta":
      return { kind: "tool_call", id: event.callId, length: event.argumentsDelta.length };
    default:
      return undefined;
  }
}

function blocksOf(events: readonly StreamEvent[]): readonly Block[] {
  const blocks: Block[] = [];
  const open = new Map<string, Block>();
  for (const event of events) {
    const owner = blockOf(event);
    if (owner === undefined) continue;
    const { kind, id, length } = owner;
    const name = `${kind} ${id}`;
    let block = open.get(name);
    if (block === undefined || length === undefined) {
      block = { kind, lengths: [] };
      blocks.push(block);
      open.set(name, block);
    }
    if (length !== undefined) block.lengths.push(length);
  }
  return blocks;
}

/**
 * Returns how a streamed response was divided into chunks, as the chunk lengths of each part. The chunks themselves are
 * not recorded, because a secret that is split between chunks could not be redacted.
 */
export function chunkLengths(events: readonly StreamEvent[], parts: readonly Part[]): readonly (readonly number[])[] {
  const blocks = [...blocksOf(events)];
  return parts.map(({ type }) => {
    const kind = type === "redacted_thinking" ? "thinking" : type;
    const index = blocks.findIndex((block) => block.kind === kind);
    if (index === -1) return [];
    const [found] = blocks.splice(index, 1);
    return found?.lengths ?? [];
  });
}
