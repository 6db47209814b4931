import type { IncomingMessage } from "node:http";
import type { Publisher } from "@switchyard/contracts";
import type { ServerOptions } from "../server/server-options.ts";

/**
 * Returns an observer that forwards a run's events to three receivers: its event hub, its progress and the host's
 * observer.
 */
export function observerOf(
  { hub, progress }: { readonly hub: Publisher; readonly progress: Publisher },
  { observe, session }: Pick<ServerOptions, "observe" | "session">,
  traceparent?: string,
): Publisher {
  const { engineName: engine = "custom", model } = session;
  const other = observe?.({ engine, model, traceparent });
  return {
    async publish(envelope) {
      await progress.publish(envelope);
      await hub.publish(envelope);
      await other?.publish(envelope);
    },
  };
}

/**
 * Returns the caller's trace context from the `traceparent` header. `undefined` if the request has no or several such
 * headers.
 */
export function traceparentOf({ headers }: IncomingMessage): string | undefined {
  const { traceparent } = headers;
  return typeof traceparent === "string" && /^[\da-f-]{55}$/.test(traceparent) ? traceparent : undefined;
}
