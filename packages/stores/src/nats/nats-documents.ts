import { randomUUID } from "node:crypto";
import type { DocumentStore } from "@switchyard/contracts";
import { assertDocumentName } from "../codec/document-name.ts";
import { toStoreFailure } from "./broker/broker-failure.ts";
import { openStream } from "./broker/open-stream.ts";
import { sendMessage } from "./broker/send-message.ts";
import { lastMessage, type StreamSubject } from "./broker/stored-message.ts";
import type { NatsContext } from "./run/run-location.ts";

/** Options of the store of shared documents. */
interface NatsDocumentsOptions {
  /** Number of copies of the stream in a NATS cluster. Default: 1. */
  readonly replicas?: number | undefined;
}

/**
 * Creates a store of shared documents on a broker. The version of a document is the sequence number of the message that
 * contains it. The stream of the documents is created when a document is used for the first time.
 */
export function createNatsDocuments(
  { broker, name: prefix }: Pick<NatsContext, "broker" | "name">,
  { replicas: num_replicas = 1 }: NatsDocumentsOptions,
): DocumentStore {
  const stream = `${prefix}_documents`;
  let opening: Promise<unknown> | undefined;

  async function placeOf(name: string): Promise<StreamSubject> {
    assertDocumentName(name);
    const shape = { storage: "file", discard: "old", max_msgs: -1, max_age: 0, max_msgs_per_subject: 1 } as const;
    opening ??= openStream(broker, { ...shape, num_replicas, name: stream, subjects: [`${prefix}.document.*`] });
    await opening.catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return { stream, subject: `${prefix}.document.${name}` };
  }
  return {
    read: async (name) => {
      const found = await lastMessage(broker, await placeOf(name));
      return found === undefined
        ? undefined
        : { text: Buffer.from(found.data).toString("utf8"), version: String(found.sequence) };
    },
    replace: async (name, text, version) => {
      const { subject } = await placeOf(name);
      const last = version === undefined ? 0 : Number(version);
      const message = { subject, data: text, messageId: randomUUID(), last };
      const outcome = await sendMessage(broker, message);
      if (outcome.kind === "full") {
        throw toStoreFailure(new Error("the stream of the documents is full"), `${broker.address}/${subject}`);
      }
      return outcome.kind === "kept" ? String(outcome.sequence) : undefined;
    },
  };
}
