import type { Part, StreamEvent } from "@switchyard/contracts";

/** Content that a stream had delivered before the stream broke off. */
export interface DeliveredParts {
  /** Text, thinking and tool call parts received so far, ordered by their start. */
  readonly parts: readonly Part[];
  /** Indexes of incomplete parts. */
  readonly unfinished: readonly number[];
}

interface Draft {
  part: Extract<Part, { type: "text" | "thinking" | "tool_call" }>;
  isOpen: boolean;
}

/** Collects the content delivered by a stream without a final response. */
export function deliveredParts(events: readonly StreamEvent[]): DeliveredParts {
  const drafts: Draft[] = [];
  const open = new Map<string, Draft>();

  function begin(name: string, part: Draft["part"]): Draft {
    const draft = { part, isOpen: true };
    drafts.push(draft);
    open.set(name, draft);
    return draft;
  }
  function extend(kind: "text" | "thinking", id: string, text: string): void {
    const { part } = open.get(`${kind} ${id}`) ?? begin(`${kind} ${id}`, { type: kind, text: "" });
    if (part.type !== "tool_call") part.text += text;
  }
  function end(name: string): void {
    const draft = open.get(name);
    if (draft !== undefined) draft.isOpen = false;
  }
  for (const event of events) {
    switch (event.type) {
      case "text_start":
        begin(`text ${event.textId}`, { type: "text", text: "" });
        break;
      case "text_delta":
        extend("text", event.textId, event.text);
        break;
      case "text_end":
        end(`text ${event.textId}`);
        break;
      case "reasoning_start":
        begin(`thinking ${event.reasoningId}`, { type: "thinking", text: "" });
        break;
      case "reasoning_delta":
        extend("thinking", event.reasoningId, event.text);
        break;
      case "reasoning_end":
        end(`thinking ${event.reasoningId}`);
        break;
      case "tool_call_start":
        begin(`call ${event.callId}`, { type: "tool_call", id: event.callId, name: event.name, arguments: "" });
        break;
      case "tool_call_delta": {
        const part = open.get(`call ${event.callId}`)?.part;
        if (part?.type === "tool_call") part.arguments += event.argumentsDelta;
        break;
      }
      case "tool_call_end": {
        const { callId: id, name } = event;
        const draft = open.get(`call ${id}`) ?? begin(`call ${id}`, { type: "tool_call", id, name, arguments: "" });
        draft.part = { type: "tool_call", id, name, arguments: event.arguments };
        draft.isOpen = false;
        break;
      }
      default:
    }
  }
  const unfinished = drafts.flatMap(({ isOpen }, index) => (isOpen ? [index] : []));
  return { parts: drafts.map(({ part }) => part), unfinished };
}
