import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import type { RunStore } from "@switchyard/contracts";
import type { BusObserver } from "@switchyard/engine";
import {
  busContract,
  type CheckpointStoreSubject,
  checkpointStoreContract,
  documentStoreContract,
  type RunStoreSubject,
  runStoreContract,
} from "@switchyard/testkit";
import { describe, onTestFinished, test } from "vitest";
import {
  type NatsCheckpointStore,
  type NatsEventBus,
  openNatsCheckpointStore,
  openNatsEventBus,
  openNatsStore,
} from "../src/nats/index.ts";
import { brokerProblem, useBroker } from "./broker.ts";
import { documentSubject } from "./document-subject.ts";

/** Time limit of a case. Generous, because other work may occupy all processors. */
const CASE_MS = 60_000;

const broker = useBroker();

/** Replaces the last message of a subject by a copy that differs in one byte. */
async function damageLast(stream: string, subject: string): Promise<void> {
  const connection = await connect({ servers: broker().server.url });
  try {
    const manager = await jetstreamManager(connection);
    const found = await manager.streams.getMessage(stream, { last_by_subj: subject });
    if (found === null) throw new Error(`nothing is kept on ${subject}`);
    await manager.streams.deleteMessage(stream, found.seq);
    const data = Uint8Array.from(found.data);
    const middle = Math.floor(data.length / 2);
    data[middle] = (data[middle] ?? 0) ^ 1;
    found.header.delete("Nats-Msg-Id");
    found.header.delete("Nats-Expected-Last-Subject-Sequence");
    await jetstream(connection).publish(subject, data, { headers: found.header });
  } finally {
    await connection.close();
  }
}

async function natsRunStore(): Promise<RunStoreSubject> {
  const { server, createName } = broker();
  const name = createName();
  const filesDirectory = await mkdtemp(join(tmpdir(), "switchyard-contract-"));
  const opened: RunStore[] = [];
  const open = async (): Promise<RunStore> => {
    const store = await openNatsStore({ servers: server.url, name, filesDirectory, leaseMs: 600 });
    opened.push(store);
    return store;
  };
  return {
    store: await open(),
    reopen: open,
    damageCheckpoint: (runId) => damageLast(`${name}_runs`, `${name}.run.${runId}.data.checkpoints`),
    dispose: async () => {
      await Promise.all(opened.map((store) => store.close()));
      await rm(filesDirectory, { recursive: true, force: true });
    },
  };
}

async function natsCheckpointStore(): Promise<CheckpointStoreSubject> {
  const { server, createName } = broker();
  const name = createName();
  const opened: NatsCheckpointStore[] = [];
  const open = async (): Promise<NatsCheckpointStore> => {
    const store = await openNatsCheckpointStore({ servers: server.url, name });
    opened.push(store);
    return store;
  };
  return {
    store: await open(),
    reopen: open,
    damage: (execId) => damageLast(`${name}_checkpoints`, `${name}.saved.${execId}.log`),
    dispose: async () => void (await Promise.all(opened.map((store) => store.close()))),
  };
}

async function natsBus(options: { observer?: BusObserver | undefined } = {}): Promise<NatsEventBus> {
  const { server, createName } = broker();
  const bus = await openNatsEventBus({ servers: server.url, name: createName(), ...options });
  onTestFinished(() => bus[Symbol.asyncDispose]());
  return bus;
}

describe("runs on a broker fulfil the contract", () => {
  for (const one of runStoreContract) {
    test(one.title, ({ skip }) => {
      skip(brokerProblem !== undefined, brokerProblem);
      return one.run(natsRunStore, { onSkip: skip, timeoutMs: CASE_MS });
    });
  }
});

describe("checkpoints on a broker fulfil the contract", () => {
  for (const one of checkpointStoreContract) {
    test(one.title, ({ skip }) => {
      skip(brokerProblem !== undefined, brokerProblem);
      return one.run(natsCheckpointStore, { onSkip: skip, timeoutMs: CASE_MS });
    });
  }
});

describe("documents on a broker fulfil the contract", () => {
  for (const one of documentStoreContract) {
    test(one.title, ({ skip }) => {
      skip(brokerProblem !== undefined, brokerProblem);
      return one.run(() => documentSubject(natsRunStore), { onSkip: skip, timeoutMs: CASE_MS });
    });
  }
});

describe("a bus over a broker fulfils the contract", () => {
  for (const one of busContract) {
    test(one.title, ({ skip }) => {
      skip(brokerProblem !== undefined, brokerProblem);
      return one.run(natsBus, { onSkip: skip, timeoutMs: CASE_MS });
    });
  }
});
