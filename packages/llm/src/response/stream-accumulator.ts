import type { ModelResponse, Part, StreamEvent } from "@switchyard/contracts";

/** Gathers the events of one streamed answer. unified-llm-client: accumulator. */
export interface StreamAccumulator {
  /** Takes the next event. */
  add(event: StreamEvent): void;
  /** What has arrived: texts and thoughts so far, finished tool calls; the whole message once the stream is over. */
  parts(): readonly Part[];
  /** The response that `complete` would have given, once the stream is over. */
  response(): ModelResponse | undefined;
}

type Draft = { kind: "text" | "thinking"; id: string; text: string } | { kind: "done"; part: Part };

function toPart(draft: Draft): Part | undefined {
  if (draft.kind === "done") return draft.part;
  return draft.text === "" ? undefined : { type: draft.kind, text: draft.text };
}

/** An accumulator for one stream; what broke off can still be read from it. */
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
