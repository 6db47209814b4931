import type { LanguageModelV3, LanguageModelV3CallOptions, SharedV3Headers } from "@ai-sdk/provider";
import { EngineError, type ModelRequest, type ModelResponse, type StreamEvent } from "@switchyard/contracts";
import { createExchange, type Exchange } from "../call/exchange.ts";
import { type ModelCall, startModelCall } from "../call/model-call.ts";
import { createOpenExchanges, type OpenExchanges } from "../call/open-exchanges.ts";
import { withBodyFields } from "../call/with-body-fields.ts";
import { toLlmError } from "../failure/to-llm-error.ts";
import { familyOptions } from "../request/family-options.ts";
import { createFileReads, type FileReads } from "../request/file-reads.ts";
import { toCallOptions } from "../request/to-call-options.ts";
import { partsOfResult } from "../response/parts-of-result.ts";
import { ResponseBuilder } from "../response/response-builder.ts";
import { type Connection, type ConnectionOptions, toConnection } from "./connection.ts";
import type { Dialect } from "./dialect.ts";
import { createKeptModels, type KeptModels } from "./kept-models.ts";
import type { LlmProvider } from "./llm-provider.ts";

/** Everything that belongs to one call. */
interface OpenCall {
  request: ModelRequest;
  context: ProviderContext;
  /** Name of the provider in the client. */
  provider: string;
  startedAt: number;
  call: ModelCall;
  exchange: Exchange;
  builder: ResponseBuilder;
  files: FileReads;
  options: LanguageModelV3CallOptions;
}

/** What all calls of a provider share. */
interface ProviderContext {
  dialect: Dialect;
  connection: Connection;
  exchanges: OpenExchanges;
  models: KeptModels;
}

/** The last change to the text of a request, where its options or its family want one. */
function bodyRewriter(
  request: ModelRequest,
  dialect: Dialect,
  fields: unknown,
): ((body: string) => string) | undefined {
  const { rewriteBody } = dialect;
  if (fields === undefined) return rewriteBody && ((body) => rewriteBody(body, request));
  return (body) => {
    const extended = withBodyFields(body, fields);
    return rewriteBody?.(extended, request) ?? extended;
  };
}

function openCall(request: ModelRequest, context: ProviderContext): OpenCall {
  const { dialect, connection, exchanges } = context;
  const { family, namespace } = dialect;
  const provider = request.provider ?? family;
  const { model, signal } = request;
  const { createId, fetch, maxAnswerBytes, now, requestMs, silenceMs, schedule } = connection;
  const startedAt = now();
  const warnings: string[] = [];
  const files = createFileReads(connection.readFile, provider);
  const own = familyOptions(request, family, provider);
  const options = toCallOptions(
    { request, options: own, files, warn: (warning) => warnings.push(warning) },
    dialect,
    provider,
  );
  const call = startModelCall({ provider, signal, requestMs, silenceMs, now, schedule });
  options.abortSignal = call.signal;
  const rewriteBody = bodyRewriter(request, dialect, own["body"]);
  const exchange = createExchange({ fetch, call, provider, maxAnswerBytes, rewriteBody });
  exchanges.add(call.signal, exchange);
  const builder = new ResponseBuilder({ provider, family, namespace, model, createId, warnings });
  return { request, context, provider, startedAt, call, exchange, builder, files, options };
}

/** The model, once the files of the request are read. */
async function loadModel({ request, context, call, files }: OpenCall): Promise<LanguageModelV3> {
  const reading = files.read(call.signal);
  if (reading !== undefined) await call.guard(reading);
  const model = context.models.get(request.model) ?? (await call.guard(context.models.load(request.model)));
  const cut = call.cutOff();
  if (cut !== undefined) throw cut;
  return model;
}

function buildResponse({ context, builder, startedAt }: OpenCall, headers: SharedV3Headers | undefined): ModelResponse {
  return builder.build({ latencyMs: context.connection.now() - startedAt, headers });
}

function toError(error: unknown, { request, context, provider, call, exchange }: OpenCall): EngineError {
  const { variable, mask, now } = context.connection;
  const { url, status, headers } = exchange;
  const { model } = request;
  return call.cutOff() ?? toLlmError(error, { provider, model, variable, url, status, headers, nowMs: now(), mask });
}

/** A whole answer without a reason to stop was understood wrongly; it did not break off. */
function wholeAnswerError(error: EngineError, exchange: Exchange): EngineError {
  if (!EngineError.is(error, "llm.stream_broken") || error.cause !== undefined || exchange.status === undefined)
    return error;
  return new EngineError("llm.invalid_response", { ...error.details, url: exchange.url, status: exchange.status });
}

async function complete(open: OpenCall): Promise<ModelResponse> {
  const { call, builder, options } = open;
  let wasRead = false;
  try {
    const model = await loadModel(open);
    const result = await call.guard(model.doGenerate(options));
    wasRead = true;
    for (const part of partsOfResult(result)) builder.add(part);
    if (options.includeRawChunks === true) builder.setRaw(result.response?.body);
    return buildResponse(open, result.response?.headers);
  } catch (error) {
    throw wholeAnswerError(toError(error, open), open.exchange);
  } finally {
    call.end(wasRead);
  }
}

async function* stream(open: OpenCall): AsyncGenerator<StreamEvent, void, undefined> {
  const { call, builder, options } = open;
  const { isNewEvent } = open.context.dialect;
  let wasRead = false;
  try {
    const model = await loadModel(open);
    const { stream: parts, response } = await call.guard(model.doStream(options));
    const reader = parts.getReader();
    // A read that waits ends when the call is cut off, whatever the connection does.
    call.onCutOff(() => reader.cancel().catch(() => undefined));
    for (;;) {
      const { done, value } = await reader.read();
      const cut = call.cutOff();
      if (cut !== undefined) throw cut;
      if (done) break;
      if (value.type === "error") {
        if (isNewEvent?.(value.error) === true) continue;
        throw value.error;
      }
      const events = builder.add(value);
      if (events.length === 0) continue;
      call.pause();
      let hadContent = false;
      for (const event of events) {
        hadContent ||= !event.type.endsWith("_start");
        yield event;
      }
      call.resume(hadContent);
    }
    wasRead = true;
    yield { type: "finish", response: buildResponse(open, response?.headers) };
  } catch (error) {
    throw toError(error, open);
  } finally {
    call.end(wasRead); // also when the reader left early: this is what closes the connection
  }
}

/** A provider that calls one of the AI SDK's language models directly: one HTTP request per call, no retries. */
export function createLanguageModelProvider(dialect: Dialect, options: ConnectionOptions): LlmProvider {
  const connection = toConnection(options, dialect);
  const exchanges = createOpenExchanges();
  const models = createKeptModels(dialect.loadFactory, () => {
    const { apiKey, baseUrl, headers, createId } = connection;
    return { apiKey: apiKey?.reveal(), baseUrl, headers: { ...headers }, fetch: exchanges.fetch, createId };
  });
  const context: ProviderContext = { dialect, connection, exchanges, models };
  return {
    family: dialect.family,
    complete: async (request) => complete(openCall(request, context)),
    stream: (request) => ({
      [Symbol.asyncIterator]: () => stream(openCall(request, context)),
    }),
    close: connection.close,
  };
}
