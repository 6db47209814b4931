import type { Message, ToolDefinition } from "@switchyard/contracts";
import {
  CASSETTE_FORMAT,
  CASSETTE_VERSION,
  type Cassette,
  type CassetteHeader,
  type MessageDelta,
  type RecordedCall,
} from "./cassette.ts";
import { firstDifference } from "./first-difference.ts";

/** Serialises the calls of one recording, one line each, without repeating the history of the previous call. */
export interface CallSerializer {
  /**
   * Returns the line of the next call, without line end. Two consecutive calls may contain the same array object with
   * messages. In this case, the caller may append messages between the two calls, but must not change earlier messages.
   */
  line(call: RecordedCall): string;
}

function isSame(left: unknown, right: unknown): boolean {
  return left === right || firstDifference(left, right) === undefined;
}

/** Messages of the previous call. The list may have grown since. */
interface PreviousMessages {
  readonly list: readonly Message[];
  /** Number of messages that the list had in the previous call. */
  readonly length: number;
}

function sharedLength(messages: readonly Message[], { list, length }: PreviousMessages): number {
  if (messages === list && messages.length >= length) return length;
  const end = Math.min(messages.length, length);
  let shared = 0;
  // Most of the history consists of the same objects, which need no comparison by content.
  while (shared < end && messages[shared] === list[shared]) shared += 1;
  while (shared < end && isSame(messages[shared], list[shared])) shared += 1;
  return shared;
}

function deltaOf(messages: readonly Message[], previous: PreviousMessages): MessageDelta {
  const after = sharedLength(messages, previous);
  // A request continues the previous conversation only if it starts with all messages of the previous request.
  return after > 0 && after === previous.length ? { after, messages: messages.slice(after) } : { messages };
}

/** Creates a serialiser for one recording. */
export function createCallSerializer(): CallSerializer {
  let previous: PreviousMessages = { list: [], length: 0 };
  let previousTools: readonly ToolDefinition[] | undefined;
  return {
    line({ request, ...outcome }) {
      const { messages, tools, ...rest } = request;
      const unchanged = tools !== undefined && tools.length > 0 && isSame(tools, previousTools);
      const written = {
        ...rest,
        ...(unchanged ? { toolsUnchanged: true } : { tools }),
        ...deltaOf(messages, previous),
      };
      previous = { list: messages, length: messages.length };
      previousTools = tools;
      const { response, error, delivered, pieces, unfinished } = outcome;
      return JSON.stringify({ request: written, response, error, delivered, pieces, unfinished });
    },
  };
}

/** Returns the first line of a recording. */
export function serializeHeader(header: Omit<CassetteHeader, "format" | "version">): string {
  return JSON.stringify({ format: CASSETTE_FORMAT, version: CASSETTE_VERSION, ...header });
}

/** Returns a recording as JSONL: the header, then one line per call. */
export function serializeCassette(cassette: Cassette): string {
  const { format: _format, version: _version, ...header } = cassette.header;
  const serializer = createCallSerializer();
  const lines = [serializeHeader(header), ...cassette.calls.map((call) => serializer.line(call))];
  return `${lines.join("\n")}\n`;
}
