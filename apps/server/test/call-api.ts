import type { RunningServer } from "../src/index.ts";
import { ASK } from "./open-server.ts";

/** Response of the runs API. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** Options of a request. */
export interface CallOptions {
  readonly body?: unknown;
  readonly token?: string | undefined;
  readonly headers?: Record<string, string>;
}

type Server = Pick<RunningServer, "url">;

/** Sends a request, given as `"POST /v1/runs"`. */
export async function call({ url }: Server, line: string, options: CallOptions = {}): Promise<ApiResponse> {
  const [method = "", path = ""] = line.split(" ");
  const { body, token, headers = {} } = options;
  const sent = body === undefined || body instanceof FormData ? body : JSON.stringify(body);
  const response = await fetch(url + path, {
    method,
    ...(sent === undefined ? {} : { body: sent }),
    headers: {
      ...(typeof sent === "string" ? { "content-type": "application/json" } : {}),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") === true;
  return { status: response.status, headers: response.headers, body: isJson ? toRecord(JSON.parse(text)) : { text } };
}

/** Creates a run and resolves with its id. */
export async function create(server: Server, options: CallOptions = {}): Promise<string> {
  const { status, body } = await call(server, "POST /v1/runs", { body: { input: ASK }, ...options });
  if (status !== 201) throw new Error(`It was answered ${status}: ${JSON.stringify(body)}`);
  return String(body["run_id"]);
}

/** Polls a run until it has a given status. */
export async function untilStatus(
  server: Server,
  runId: string,
  options: CallOptions & { status: string },
): Promise<ApiResponse> {
  for (;;) {
    const shown = await call(server, `GET /v1/runs/${runId}`, options);
    if (shown.body["status"] === options.status) return shown;
    if (shown.status !== 200) throw new Error(`It was answered ${shown.status}.`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Waits until a run of this server has asked a question. Its status changes shortly before the question is stored. */
export async function untilQuestion(server: Server, runId: string, options: CallOptions = {}): Promise<void> {
  for (;;) {
    const shown = await untilStatus(server, runId, { ...options, status: "awaiting_input" });
    if (toRecord(shown.body["activity"])["question"] !== undefined) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
