import { EngineError } from "@switchyard/contracts";
import type { Broker } from "./broker.ts";
import { isFull, isWriteConflict } from "./broker-failure.ts";
import { headersOf } from "./fenced-subject.ts";

/** A message to send. */
export interface OutgoingMessage {
  readonly subject: string;
  readonly data: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Id of the message; a message sent again under the same id is stored once. */
  readonly messageId: string;
  /** Sequence number that the last message of the subject must have; 0 if there must be none. */
  readonly last?: number | undefined;
}

/** Outcome of sending a message. */
export type SendOutcome =
  | { readonly kind: "kept"; readonly sequence: number }
  /** Another client wrote to the subject. */
  | { readonly kind: "overtaken" }
  /** The stream is full. */
  | { readonly kind: "full" };

/** Sends a message until the broker responds. Rejects with `broker.too_large` or the client's error. */
export async function sendMessage(
  broker: Broker,
  sending: OutgoingMessage,
  signal?: AbortSignal,
): Promise<SendOutcome> {
  const { subject, data, headers = {}, messageId, last } = sending;
  const [bytes, maxBytes] = [Buffer.byteLength(data), broker.connection.info?.max_payload ?? Number.MAX_SAFE_INTEGER];
  if (bytes > maxBytes) throw new EngineError("broker.too_large", { address: broker.address, bytes, maxBytes });
  const options = {
    msgID: messageId,
    ...(Object.keys(headers).length === 0 ? {} : { headers: await headersOf(headers) }),
    ...(last === undefined ? {} : { expect: { lastSubjectSequence: last } }),
  };
  try {
    const { seq } = await broker.keep(() => broker.js.publish(subject, data, options), signal);
    return { kind: "kept", sequence: seq };
  } catch (error) {
    if (isWriteConflict(error)) return { kind: "overtaken" };
    if (isFull(error)) return { kind: "full" };
    throw error;
  }
}
