import type { ModelResponse, Part, StreamEvent } from "@switchyard/contracts";

/** Collects the events of one streamed response. See unified-llm-client: accumulator. */
export interface StreamAccumulator {
  /** Adds an event. */
  add(event: StreamEvent): void;
  /**
   * Returns the content so far: texts, thinking, and finished tool calls; the complete message after the end of the
   * stream.
   */
  parts(): readonly Part[];
  /** After the end of the stream, returns the same response that `complete` would return. */
  response(): ModelResponse | undefined;
}

type Draft = { kind: "text" | "thinking"; id: string; text: string } | { kind: "done"; part: Part };

function toPart(draft: Draft): Part | undefined {
  if (draft.kind === "done") return draft.part;
  return draft.text === "" ? undefined : { type: draft.kind, text: draft.text };
}

/** Creates an accumulator for one stream. Content of a broken stream can still be read. */
export function createStreamAccumulator(): StreamAccumulator {
  const drafts: Draft[] = [];
  const open = new Map<string, Extract<Draft, { id: string }>>();
  let finished: ModelResponse | undefined;

  function start(kind: "text" | "thinking", id: string): void {
    const draft = { kind, id, text: "" };
    open.set(`${kind} ${id}`, draft);
    drafts.push(draft);
  }
  function extend(kind: "text" | "thinking", id: string, text: string): void {
    if (!open.has(`${kind} ${id}`)) start(kind, id);
    const draft = open.get(`${kind} ${id}`);
    if (draft !== undefined) draft.text += text;
  }
  function add(event: StreamEvent): void {
    switch (event.type) {
      case "text_start":
        start("text", event.textId);
        return;
      case "text_delta":
        extend("text", event.textId, event.text);
        return;
      case "reasoning_start":
        start("thinking", event.reasoningId);
        return;
      case "reasoning_delta":
        extend("thinking", event.reasoningId, event.text);
        return;
      case "tool_call_end": {
        const { callId: id, name } = event;
        drafts.push({ kind: "done", part: { type: "tool_call", id, name, arguments: event.arguments } });
        return;
      }
      case "finish":
        finished = event.response;
        return;
      case "stream_start":
      case "text_end":
      case "reasoning_end":
      case "tool_call_start":
      case "tool_call_delta":
      case "error":
      case "provider_event":
        return;
    }
  }
  return {
    add,
    parts: () => finished?.message.parts ?? drafts.map(toPart).filter((part) => part !== undefined),
    response: () => finished,
  };
}
