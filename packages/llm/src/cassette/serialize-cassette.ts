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
  /** Returns the line of the next call, without line end. */
  line(call: RecordedCall): string;
}

function isSame(left: unknown, right: unknown): boolean {
  return left === right || firstDifference(left, right) === undefined;
}

function deltaOf(messages: readonly Message[], previous: readonly Message[]): MessageDelta {
  let after = 0;
  // Most of the history consists of the same objects, which need no comparison by content.
  while (after < messages.length && after < previous.length && messages[after] === previous[after]) after += 1;
  while (after < messages.length && after < previous.length && isSame(messages[after], previous[after])) after += 1;
  // A request continues the previous conversation only if it starts with all messages of the previous request.
  return after > 0 && after === previous.length ? { after, messages: messages.slice(after) } : { messages };
}

/** Creates a serialiser for one recording. */
export function createCallSerializer(): CallSerializer {
  let previous: readonly Message[] = [];
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
      previous = messages;
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
