import {
  type Client,
  type ModelRequest,
  type ModelResponse,
  type StreamEvent,
  textMessage,
} from "@switchyard/contracts";
import { eventsOfResponse } from "../src/response/events-of-response.ts";

/** A response with one text, with usage. */
export function answer(text: string, more: Partial<ModelResponse> = {}): ModelResponse {
  return {
    id: `answer-${text}`,
    model: "m",
    provider: "openai",
    message: { ...textMessage("assistant", text), origin: { provider: "openai", model: "m" } },
    finishReason: { unified: "stop" },
    usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
    warnings: [],
    ...more,
  };
}

/** A client that counts its calls. */
export interface FakeClient extends Client {
  /** The requests, in order. */
  readonly requests: ModelRequest[];
  /** Streams that were read to their end or abandoned. */
  ended: number;
  /** Whether it was closed. */
  isClosed: boolean;
}

/** A client that responds with the result of a function. An error thrown by the function is the failure of the call. */
export function fakeClient(
  answerTo: (request: ModelRequest, index: number) => ModelResponse | Promise<ModelResponse>,
): FakeClient {
  const client: FakeClient = {
    requests: [],
    ended: 0,
    isClosed: false,
    async complete(request) {
      client.requests.push(request);
      return answerTo(request, client.requests.length - 1);
    },
    async *stream(request): AsyncGenerator<StreamEvent> {
      client.requests.push(request);
      try {
        yield* eventsOfResponse(await answerTo(request, client.requests.length - 1), 4);
      } finally {
        client.ended += 1;
      }
    },
    close: async () => {
      client.isClosed = true;
    },
  };
  return client;
}

/** Returns all items of a stream, and the failure at its end if there was one. */
export async function readAll(
  events: AsyncIterable<StreamEvent>,
): Promise<{ events: StreamEvent[]; error: unknown; response: ModelResponse | undefined }> {
  const read: StreamEvent[] = [];
  try {
    for await (const event of events) read.push(event);
  } catch (error) {
    return { events: read, error, response: undefined };
  }
  const last = read.at(-1);
  return { events: read, error: undefined, response: last?.type === "finish" ? last.response : undefined };
}

/** Returns the error with which a promise was rejected. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  return undefined;
}
