import { EngineError } from "@switchyard/contracts";
import type { Broker } from "./broker.ts";
import { isFull, isWriteConflict } from "./broker-failure.ts";

/** A message to send. */
export interface OutgoingMessage {
  readonly subject: string;
  readonly data: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Id of the message. A message that is sent again under the same id is stored only once. */
  readonly messageId: string;
  /**
   * Required sequence number of the last message on the subject. 0: the subject must be empty. `undefined`: not
   * checked.
   */
  readonly last?: number | undefined;
}

/** Outcome of sending a message. */
export type SendOutcome =
  | { readonly kind: "kept"; readonly sequence: number }
  /** The message was not stored, because another client has written to the subject. */
  | { readonly kind: "overtaken" }
  /** The message was not stored, because the stream is full. */
  | { readonly kind: "full" };

/**
 * Sends a message, repeatedly until the broker responds. Rejects with `broker.too_large` or the NATS client's error.
 */
export async function sendMessage(
  broker: Broker,
  sending: OutgoingMessage,
  signal?: AbortSignal,
): Promise<SendOutcome> {
  const { subject, data } = sending;
  const [bytes, maxBytes] = [Buffer.byteLength(data), broker.connection.info?.max_payload ?? Number.MAX_SAFE_INTEGER];
  if (bytes > maxBytes) throw new EngineError("broker.too_large", { address: broker.address, bytes, maxBytes });
  try {
    return { kind: "kept", sequence: await broker.retry(() => broker.publish(subject, sending), signal) };
  } catch (error) {
    if (isWriteConflict(error)) return { kind: "overtaken" };
    if (isFull(error)) return { kind: "full" };
    throw error;
  }
}
