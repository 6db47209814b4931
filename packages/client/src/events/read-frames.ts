import { createParser, type EventSourceMessage } from "eventsource-parser";
import { piecesOf } from "../http/call-server.ts";

/** Maximum size of an event, in characters. A larger event causes an error. */
const MAX_EVENT_CHARS = 64 * 1024 * 1024;

/**
 * Streams the server-sent events of a response. An incomplete event at the end is dropped. Rejects if an event is too
 * large. Calls `onHeartbeat` for all received data, including comments. See HTML: server-sent events.
 */
export async function* readFrames(response: Response, onHeartbeat: () => void): AsyncGenerator<EventSourceMessage> {
  const whole: EventSourceMessage[] = [];
  let pending = 0;
  const decoder = new TextDecoder();
  const parser = createParser({
    onEvent: (event) => {
      pending = 0;
      whole.push(event);
    },
    onComment: () => {
      pending = 0;
    },
  });
  for await (const piece of piecesOf(response)) {
    onHeartbeat();
    const text = decoder.decode(piece, { stream: true });
    pending += text.length;
    parser.feed(text);
    if (whole.length === 0 && pending > MAX_EVENT_CHARS) throw new RangeError("an event is too large");
    yield* whole.splice(0);
  }
}
