import type { RunChange } from "@switchyard/contracts";
import { followMessages } from "../broker/follow-messages.ts";
import { locationOf, type NatsContext, runIdOf, runStreamOf } from "../run/run-location.ts";
import { recordOf, toMeta } from "../run/run-meta.ts";

/** Yields the newest state of every run, and then every change, until the signal aborts. */
export async function* watchRuns(
  context: NatsContext,
  signal: AbortSignal,
): AsyncGenerator<RunChange, void, undefined> {
  const { broker, name } = context;
  const following = { stream: runStreamOf(name), subject: `${name}.run.*.meta`, isLastOnly: true, signal };
  for await (const message of followMessages(broker, following)) {
    const [runId, meta] = [runIdOf(message.subject), toMeta(message)];
    // A record that cannot be read stays visible in lists, but no worker can execute the run.
    const record = meta.isDeleted
      ? undefined
      : await recordOf(context, locationOf(context, runId), meta).catch(() => undefined);
    yield { runId, record, holder: meta.owner };
  }
}
