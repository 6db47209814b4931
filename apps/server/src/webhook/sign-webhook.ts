import { createHmac } from "node:crypto";
import type { Secret } from "@switchyard/secrets";

const MS_PER_SECOND = 1_000;

/** A message to sign. */
export interface WebhookMessage {
  /** Id of the message. All delivery attempts use the same id. */
  readonly id: string;
  /** Time of this delivery attempt, in milliseconds since 1970. */
  readonly atMs: number;
  /** JSON text. */
  readonly body: string;
}

/** Returns the headers of a signed message, according to Standard Webhooks: HMAC-SHA256 over id, time and body. */
export function webhookHeaders({ id, atMs, body }: WebhookMessage, secret: Secret): Record<string, string> {
  const timestamp = String(Math.floor(atMs / MS_PER_SECOND));
  const signature = createHmac("sha256", secret.reveal()).update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    "user-agent": "switchyard-server",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
}
