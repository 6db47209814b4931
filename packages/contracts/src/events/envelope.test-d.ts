import type { Envelope } from "./envelope.ts";

declare const envelope: Envelope;

if (envelope.type === "assistant_text_delta") {
  const text: string = envelope.payload.content;
  void text;
}

if (envelope.type === "run_end") {
  // @ts-expect-error the payload of another event
  void envelope.payload.content;
}
