import type { RunningServer } from "../src/index.ts";
import { toRecord } from "./call-api.ts";

/** Event of an event stream. */
export interface Sent {
  readonly name: string;
  readonly id: string | undefined;
  readonly data: Record<string, unknown>;
}

/** Options for watching a run. */
export interface WatchOptions {
  readonly token?: string | undefined;
  readonly lastEventId?: string | undefined;
  readonly signal?: AbortSignal;
  /** Called with every event as it arrives. */
  readonly onEvent?: (event: Sent) => void;
  /** Called for comment lines, such as heartbeats. */
  readonly onComment?: () => void;
}

/**
 * Resolves with the events of a run when the server ends the stream or the signal fires. Rejects if the response is not
 * an event stream.
 */
export async function watch(
  { url }: Pick<RunningServer, "url">,
  runId: string,
  options: WatchOptions = {},
): Promise<Sent[]> {
  const { token, lastEventId, signal, onEvent, onComment } = options;
  const response = await fetch(`${url}/v1/runs/${runId}/events`, {
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
    },
    signal: signal ?? null,
  });
  if (response.status !== 200) throw new Error(`It was answered ${response.status}: ${await response.text()}`);
  const events: Sent[] = [];
  let text = "";
  try {
    for await (const piece of response.body ?? []) {
      text += Buffer.from(piece).toString("utf8");
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = parse(block);
        if (event === undefined) onComment?.();
        else {
          events.push(event);
          onEvent?.(event);
        }
      }
    }
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  }
  return events;
}

function parse(block: string): Sent | undefined {
  const fields = new Map(
    block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
  );
  const data = fields.get("data");
  if (data === undefined) return undefined;
  return { name: fields.get("event") ?? "message", id: fields.get("id"), data: toRecord(JSON.parse(data)) };
}

/** Returns the sequence numbers of stored events, in order of arrival. */
export function seqsOf(events: readonly Sent[]): number[] {
  return events.flatMap(({ id, data }) => (id === undefined ? [] : [Number(data["seq"])]));
}

/** Returns `count` consecutive numbers. */
export function counted(count: number, from = 1): number[] {
  return Array.from({ length: count }, (_, index) => from + index);
}
