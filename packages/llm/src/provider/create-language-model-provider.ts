import { EngineError, type ModelResponse } from "@switchyard/contracts";
import type { Exchange } from "../call/exchange.ts";
import { createOpenExchanges } from "../call/open-exchanges.ts";
import { reportsError } from "../failure/error-info.ts";
import { ReportedError } from "../failure/reported-error.ts";
import { readModelList } from "../model-list/read-model-list.ts";
import { partsOfResult } from "../response/parts-of-result.ts";
import { type ConnectionOptions, toConnection } from "./connection.ts";
import type { Dialect } from "./dialect.ts";
import { EventStream } from "./event-stream.ts";
import type { LlmProvider } from "./llm-provider.ts";
import { createModelCache } from "./model-cache.ts";
import { buildResponse, loadModel, type OpenCall, openCall, type ProviderContext, toError } from "./open-call.ts";

/**
 * Replaces the error `llm.stream_broken` if a complete response had no finish reason: the response is malformed, not
 * truncated.
 */
function responseError(error: EngineError, exchange: Exchange): EngineError {
  if (!EngineError.is(error, "llm.stream_broken") || error.cause !== undefined || exchange.status === undefined)
    return error;
  return new EngineError("llm.invalid_response", { ...error.details, url: exchange.url, status: exchange.status });
}

async function complete(open: OpenCall): Promise<ModelResponse> {
  const { call, builder, options } = open;
  let wasRead = false;
  let body: unknown;
  try {
    const model = await loadModel(open);
    const result = await call.guard(model.doGenerate(options));
    wasRead = true;
    // Some AI SDK packages treat every field of a response as optional. They would read an error that is sent with
    // status 200 as an empty response.
    body = result.response?.body;
    if (reportsError(body)) throw new ReportedError(body);
    open.context.dialect.restoreResult?.(result);
    for (const part of partsOfResult(result)) builder.add(part);
    if (options.includeRawChunks === true) builder.setRaw(body);
    return buildResponse(open, result.response?.headers);
  } catch (error) {
    throw responseError(toError(error, open, body), open.exchange);
  } finally {
    call.end(wasRead);
  }
}

/** Creates a provider that calls an AI SDK language model directly: one HTTP request per call, no retries. */
export function createLanguageModelProvider(dialect: Dialect, options: ConnectionOptions): LlmProvider {
  const connection = toConnection(options, dialect);
  const exchanges = createOpenExchanges();
  const models = createModelCache(dialect.loadFactory, () => {
    const { apiKey, baseUrl, headers, createId } = connection;
    return { apiKey: apiKey?.reveal(), baseUrl, headers: { ...headers }, fetch: exchanges.fetch, createId };
  });
  const context: ProviderContext = { dialect, connection, exchanges, models };
  return {
    family: dialect.family,
    complete: async (request) => complete(openCall(request, context, false)),
    stream: (request) => ({
      [Symbol.asyncIterator]: () => new EventStream(openCall(request, context, true)),
    }),
    listModels: (call) => readModelList({ ...call, list: dialect.modelList, connection }),
    close: connection.close,
  };
}
