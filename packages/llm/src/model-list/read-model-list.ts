import { EngineError } from "@switchyard/contracts";
import { jsonValue } from "../failure/error-info.ts";
import { toLlmError } from "../failure/to-llm-error.ts";
import type { Connection } from "../provider/connection.ts";
import type { ModelList, ModelListPage, OfferedModel } from "./model-list.ts";

/** Maximum number of pages that are read. Without it, reading would never end if a server repeats a cursor. */
const MAX_PAGES = 20;

/** Parameters for reading a model list. */
export interface ModelListRequest {
  /** Name of the provider, for errors. */
  readonly provider: string;
  /** Format of the list. */
  readonly list: ModelList;
  /** Address and key. */
  readonly connection: Connection;
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined;
}

function failureOf(error: unknown, { provider, connection }: ModelListRequest, answer: Partial<Response>): EngineError {
  const { variable, now, mask } = connection;
  const { status, headers, url } = answer;
  return toLlmError(error, { provider, model: "", variable, url, status, headers, nowMs: now(), mask });
}

/** Reads the body as text, up to the connection's size limit. */
async function readText(answer: Response, maxBytes: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let [text, bytes] = ["", 0];
  const reader = answer.body?.getReader();
  for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) {
    bytes += piece.value.byteLength;
    if (bytes > maxBytes) {
      await reader?.cancel();
      return undefined;
    }
    text += decoder.decode(piece.value, { stream: true });
  }
  return text + decoder.decode();
}

async function readPage(
  request: ModelListRequest,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<ModelListPage> {
  const { list, connection, provider } = request;
  const query = list.query(cursor);
  const url = `${connection.baseUrl}/models${query === "" ? "" : `?${query}`}`;
  const auth = connection.apiKey === undefined ? {} : list.headers(connection.apiKey.reveal());
  let answer: Partial<Response> = { url };
  try {
    const response = await connection.fetch(url, {
      headers: { ...auth, ...connection.headers },
      redirect: "manual",
      signal,
    });
    const { status, headers } = response;
    answer = { url, status, headers };
    const text = await readText(response, connection.maxAnswerBytes);
    const body = text === undefined ? undefined : jsonValue(text);
    if (status >= 300) throw failureOf({ ...Object(body), statusCode: status }, request, answer);
    const page = list.read(body);
    if (page !== undefined) return page;
    throw new EngineError("llm.invalid_response", {
      provider,
      model: "",
      url,
      status,
      problem: "it is not a list of models",
    });
  } catch (error) {
    throw failureOf(error, request, answer);
  }
}

/** Resolves with all models of a provider. Rejects with `llm.*` errors, like a model call. */
export async function readModelList(request: ModelListRequest): Promise<readonly OfferedModel[]> {
  const { connection, provider, signal } = request;
  const late = new AbortController();
  const timeoutMs = connection.requestMs;
  const stop = connection.schedule(
    () => late.abort(new EngineError("llm.request_timeout", { provider, model: "", timeoutMs })),
    timeoutMs,
  );
  const either = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
  try {
    const found: OfferedModel[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { models, next } = await readPage(request, cursor, either);
      found.push(...models);
      if (next === undefined || next === cursor) break;
      cursor = next;
    }
    return found;
  } finally {
    stop();
  }
}
