import type { RunningServer } from "../src/index.ts";
import { toRecord } from "./call-api.ts";

/** One event of a stream. */
export interface Sent {
  readonly name: string;
  readonly id: string | undefined;
  readonly data: Record<string, unknown>;
}

/** How a run is watched. */
export interface WatchOptions {
  readonly token?: string | undefined;
  readonly lastEventId?: string | undefined;
  readonly signal?: AbortSignal;
  /** Told of every event as it comes. */
  readonly onEvent?: (event: Sent) => void;
  /** Told of lines that are no events. */
  readonly onComment?: () => void;
}

/** The events of a run until the server ends the stream, or the signal does. Rejects where it is not answered with a stream. */
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

/** The numbers of the stored events, in the order in which they came. */
export function seqsOf(events: readonly Sent[]): number[] {
  return events.flatMap(({ id, data }) => (id === undefined ? [] : [Number(data["seq"])]));
}

/** 1, 2, 3, … */
export function counted(count: number, from = 1): number[] {
  return Array.from({ length: count }, (_, index) => from + index);
}
