import { randomUUID } from "node:crypto";
import type { Checkpoint, CheckpointDeleter, CheckpointLister, CheckpointStore } from "@switchyard/contracts";
import { assertRunId } from "@switchyard/engine";
import { type CheckpointEncoder, createCheckpointEncoder } from "../codec/create-checkpoint-encoder.ts";
import { createSerial, type Serial } from "../codec/create-serial.ts";
import { type StoreTimer, SYSTEM_TIMER } from "../owner/store-timer.ts";
import { assertDurable } from "./broker/assert-durable.ts";
import { type Broker, openBroker } from "./broker/broker.ts";
import type { BrokerDurability } from "./broker/broker-durability.ts";
import type { BrokerOptions } from "./broker/broker-options.ts";
import { deleteMessages } from "./broker/delete-messages.ts";
import { FencedSubject, WriteConflict } from "./broker/fenced-subject.ts";
import { assertStreamName, openStream } from "./broker/open-stream.ts";
import { lastMessage } from "./broker/stored-message.ts";
import { type CheckpointLocation, readCheckpoint, writeCheckpoint } from "./run/checkpoint-log.ts";

/** Options for `openNatsCheckpointStore`. */
export interface NatsCheckpointStoreOptions extends BrokerOptions {
  /**
   * Prefix in the names of the store's stream and subjects. A store of runs may use the same prefix. Default:
   * `switchyard`.
   */
  readonly name?: string | undefined;
  /** Number of copies of the stream in a NATS cluster, set when the stream is created. Default: 1. */
  readonly replicas?: number | undefined;
  /**
   * Failures that a saved checkpoint survives: the end of processes (`process`), or also a power failure (`power`).
   * Default: `process`.
   */
  readonly durability?: BrokerDurability | undefined;
  /** Clock and timers. Default: the system's monotonic clock. */
  readonly timer?: StoreTimer | undefined;
}

/**
 * A store that contains only checkpoints, no runs and leases. If several processes save a checkpoint, the last one is
 * used.
 */
export interface NatsCheckpointStore extends CheckpointStore, CheckpointLister, CheckpointDeleter, AsyncDisposable {
  /** Closes the connection. */
  close(): Promise<void>;
}

// Maximum number of runs whose last checkpoint is held in memory, so that the next one is stored as the difference to
// it. For any other run, the next checkpoint is stored completely.
const MAX_LOGS = 256;

/** Saves the checkpoints of one run. */
class SavedLog {
  readonly inTurn: Serial = createSerial();
  readonly #broker: Broker;
  readonly #location: CheckpointLocation;
  readonly #encoder: CheckpointEncoder;
  #subject: FencedSubject | undefined;

  constructor(broker: Broker, location: CheckpointLocation) {
    this.#broker = broker;
    this.#location = location;
    this.#encoder = createCheckpointEncoder(location.runId);
  }

  async save(checkpoint: Checkpoint): Promise<void> {
    for (;;) {
      this.#subject ??= await this.#begin();
      const writing = { encoder: this.#encoder, subject: this.#subject, checkpoint };
      try {
        await writeCheckpoint(this.#broker, writing, { location: this.#location, epoch: 0 });
        return;
      } catch (error) {
        if (!(error instanceof WriteConflict)) throw error;
        // Another process has saved a checkpoint of this run. The next checkpoint is therefore stored completely.
        this.#subject = undefined;
      }
    }
  }

  async #begin(): Promise<FencedSubject> {
    const { stream, checkpoints: subject, path } = this.#location;
    const last = (await lastMessage(this.#broker, { stream, subject }))?.sequence ?? 0;
    this.#encoder.restart();
    return new FencedSubject(this.#broker, { stream, subject, path, writerId: randomUUID(), last });
  }
}

async function openSaved(options: NatsCheckpointStoreOptions): Promise<{ broker: Broker; name: string }> {
  const { name = "switchyard", replicas: num_replicas = 1, durability = "process" } = options;
  assertStreamName(name);
  const broker = await openBroker(options, options.timer ?? SYSTEM_TIMER);
  try {
    await assertDurable(broker, durability);
    const shape = { max_msgs: -1, max_age: 0, max_msgs_per_subject: -1, num_replicas, storage: "file" } as const;
    await openStream(broker, { ...shape, name: `${name}_checkpoints`, subjects: [`${name}.saved.>`] });
    return { broker, name };
  } catch (error) {
    await broker.close();
    throw error;
  }
}

/**
 * Opens a store of checkpoints on a NATS server with JetStream, for hosts that store runs elsewhere. Requires the NATS
 * client packages. Rejects like `openNatsStore`. See engine: CheckpointStore, CheckpointLister, CheckpointDeleter.
 */
export async function openNatsCheckpointStore(options: NatsCheckpointStoreOptions): Promise<NatsCheckpointStore> {
  const { broker, name } = await openSaved(options);
  const stream = `${name}_checkpoints`;
  const logs = new Map<string, SavedLog>();

  function locationOf(execId: string): CheckpointLocation {
    assertRunId(execId);
    return {
      runId: execId,
      path: `${broker.address} (checkpoint ${execId} of ${name})`,
      stream,
      checkpoints: `${name}.saved.${execId}.log`,
      checkpointParts: { stream, subject: `${name}.saved.${execId}.parts` },
    };
  }
  function logOf(execId: string): SavedLog {
    const log = logs.get(execId) ?? new SavedLog(broker, locationOf(execId));
    // The first entry of the map is the least recently used one.
    logs.delete(execId);
    logs.set(execId, log);
    const [oldest] = logs.keys();
    if (logs.size > MAX_LOGS && oldest !== undefined) logs.delete(oldest);
    return log;
  }
  return {
    save: async (checkpoint) => {
      const log = logOf(checkpoint.execId);
      await log.inTurn(() => log.save(checkpoint));
    },
    load: async (execId) => (await readCheckpoint(broker, locationOf(execId)))?.checkpoint,
    list: async () => {
      const pattern = `${name}.saved.*.log`;
      const found = await broker.ask(() => broker.jsm.streams.info(stream, { subjects_filter: pattern }));
      const subjects = Object.keys(found.state.subjects ?? {});
      return subjects.map((subject) => subject.split(".")[2] ?? "").sort();
    },
    delete: async (execId) => {
      locationOf(execId);
      logs.delete(execId);
      await deleteMessages(broker, { stream, subject: `${name}.saved.${execId}.>` });
    },
    close: () => broker.close(),
    [Symbol.asyncDispose]: () => broker.close(),
  };
}
