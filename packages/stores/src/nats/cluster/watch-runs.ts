import type { RunChange, RunRecord } from "@switchyard/contracts";
import { followMessages } from "../broker/follow-messages.ts";
import { readDocuments } from "../run/run-document.ts";
import { locationOf, type NatsContext, runIdOf, runStreamOf } from "../run/run-location.ts";
import { parseRecord, type RunMeta, toMeta } from "../run/run-meta.ts";

/** Yields the newest state of every run, and then every change, until the signal aborts. */
export async function* watchRuns(
  context: NatsContext,
  signal: AbortSignal,
): AsyncGenerator<RunChange, void, undefined> {
  const { broker, name } = context;
  const following = { stream: runStreamOf(name), subject: `${name}.run.*.meta`, isLastOnly: true, signal };
  const queued = new QueuedRecords(context);
  for await (const message of followMessages(broker, following)) {
    const [runId, meta] = [runIdOf(message.subject), toMeta(message)];
    // A record that cannot be read stays visible in lists, but no worker can execute the run.
    const record = await queued.read(runId, meta).catch(() => undefined);
    yield { runId, record, holder: meta.owner };
  }
}

/**
 * Parses the records of changed runs. When a process acquires the lease of a queued run, its record stays the same, so it
 * is not parsed again.
 */
class QueuedRecords {
  readonly #context: NatsContext;
  readonly #known = new Map<string, { readonly text: Uint8Array; readonly record: RunRecord }>();

  constructor(context: NatsContext) {
    this.#context = context;
  }

  /** Resolves with the record of a run. `undefined` if the run was deleted. Rejects with `run.malformed_record`. */
  async read(runId: string, meta: RunMeta): Promise<RunRecord | undefined> {
    const known = this.#known.get(runId);
    this.#known.delete(runId);
    if (meta.isDeleted) return undefined;
    const location = locationOf(this.#context, runId);
    const read = await readDocuments(this.#context.broker, location, meta);
    const { record: text } = read;
    if (text !== undefined && known !== undefined && Buffer.compare(text, known.text) === 0) return known.record;
    const record = await parseRecord(read, location);
    if (text !== undefined && record.status === "queued") this.#known.set(runId, { text, record });
    return record;
  }
}
