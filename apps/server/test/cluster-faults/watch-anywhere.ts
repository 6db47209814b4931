import { setTimeout as delay } from "node:timers/promises";
import type { OpenedServer } from "../open-server.ts";
import { type Sent, watch } from "../watch-run.ts";

/** Wait before a client connects again, in milliseconds. */
const PAUSE_MS = 100;

/**
 * Watches a run to its end, as a client does: if the stream breaks off, connects to a current server again and continues
 * after the last event. Resolves with the sequence numbers of the received events.
 */
export async function watchAnywhere(server: () => OpenedServer, runId: string, token: string): Promise<number[]> {
  const received: Sent[] = [];
  while (received.at(-1)?.name !== "end") {
    const lastEventId = received.findLast(({ id }) => id !== undefined)?.id;
    const onEvent = (event: Sent): void => void received.push(event);
    await watch(server(), runId, { token, lastEventId, onEvent }).catch(() => delay(PAUSE_MS));
  }
  return received.flatMap(({ data }) => (typeof data["seq"] === "number" ? [data["seq"]] : []));
}
