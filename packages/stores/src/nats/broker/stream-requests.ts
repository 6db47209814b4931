import type { Msg, MsgHdrs } from "@nats-io/transport-node";
import type { BrokerRequests } from "./broker-requests.ts";

/** Error code of the broker if streams are not enabled for the account. */
const NOT_ENABLED = 10_039;
/** Error code if a stream has no such message. */
const NO_MESSAGE = 10_037;
/** Error code and status that are used if a response contains none. */
const UNKNOWN = 0;
/** Beginning of the subjects of requests about streams. */
const API = "$JS.API";

/** Error response of the broker to a request about a stream. The names are those of the NATS client's errors. */
class StreamFailure extends Error {
  override readonly name: "JetStreamApiError" | "JetStreamNotEnabled";
  /** Error code of the broker. 0 if the response contains none. */
  readonly code: number;
  /** Status code, such as 404. 0 if the response contains none. */
  readonly status: number;

  constructor(response: unknown) {
    const { code, err_code, description } = Object(response);
    super(typeof description === "string" ? description : "the broker reported an error without a description");
    this.name = err_code === NOT_ENABLED ? "JetStreamNotEnabled" : "JetStreamApiError";
    this.code = typeof err_code === "number" ? err_code : UNKNOWN;
    this.status = typeof code === "number" ? code : UNKNOWN;
  }
}

/** A message to publish to a stream. */
export interface StreamMessage {
  readonly data: string | Uint8Array;
  /** Headers of the message. Headers with an empty value are omitted. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Id of the message. A message that is sent again under the same id is stored only once. */
  readonly messageId?: string | undefined;
  /** Required sequence number of the last message on the subject. Default: not checked. */
  readonly last?: number | undefined;
  /** Maximum wait for the response, in milliseconds. Default: 2,000. */
  readonly timeoutMs?: number | undefined;
}

/** A message to publish, its time limit, and the function that creates its headers. */
interface Publication extends StreamMessage {
  readonly timeoutMs: number;
  /** Creates empty headers. */
  readonly createHeaders: () => MsgHdrs;
}

/** A stored message in the response of the broker. Header lines and data are encoded in Base64. */
export interface ApiMessage {
  readonly subject: string;
  readonly seq: number;
  readonly time: string;
  readonly hdrs?: string;
  readonly data?: string;
}

/** Publishes a message to the stream of its subject. Resolves with the sequence number of the message. */
export async function publishToStream(
  requests: Pick<BrokerRequests, "send">,
  subject: string,
  { data, headers = {}, messageId, last, timeoutMs, createHeaders }: Publication,
): Promise<number> {
  const created = createHeaders();
  // The names differ, so `append` has the same effect as `set`, which first searches for earlier values.
  for (const [name, value] of Object.entries(headers)) if (value !== "") created.append(name, value);
  if (messageId !== undefined) created.append("Nats-Msg-Id", messageId);
  if (last !== undefined) created.append("Nats-Expected-Last-Subject-Sequence", String(last));
  const { seq } = parseResponse(await requests.send(subject, data, { timeoutMs, headers: created }));
  if (!isSequence(seq)) throw new TypeError("the broker's response has no sequence number");
  return seq;
}

/** Resolves with a stored message, as the leader of the stream has it. `undefined` if there is none. */
export async function readFromStream(
  requests: Pick<BrokerRequests, "send">,
  { stream, query, timeoutMs }: { readonly stream: string; readonly query: object; readonly timeoutMs: number },
): Promise<ApiMessage | undefined> {
  const reply = await requests.send(`${API}.STREAM.MSG.GET.${stream}`, JSON.stringify(query), { timeoutMs });
  const message = messageIn(reply);
  if (message === undefined) return undefined;
  if (!isApiMessage(message)) throw new TypeError("the broker's response contains no message");
  return message;
}

/** Returns the message in a response. `undefined` if the stream has no such message. */
function messageIn(reply: Msg): unknown {
  try {
    return parseResponse(reply).message;
  } catch (error) {
    if (error instanceof StreamFailure && error.code === NO_MESSAGE) return undefined;
    throw error;
  }
}

function parseResponse(reply: Msg): { readonly seq?: unknown; readonly message?: unknown } {
  const response: unknown = JSON.parse(reply.string());
  if (typeof response !== "object" || response === null) throw new TypeError("the broker's response is not an object");
  if ("error" in response) throw new StreamFailure(response.error);
  return response;
}

/** Returns whether a value is the sequence number of a message. The first message of a stream has number 1. */
function isSequence(value: unknown): value is number {
  return typeof value === "number" && value >= 1;
}

function isApiMessage(value: unknown): value is ApiMessage {
  if (typeof value !== "object" || value === null || !("subject" in value) || !("time" in value)) return false;
  return "seq" in value && isSequence(value.seq);
}
