import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { EngineError, type ModelRequest, type ModelResponse, type StreamEvent } from "@switchyard/contracts";
import { createExchange, type Exchange } from "../call/exchange.ts";
import { type ModelCall, startModelCall } from "../call/model-call.ts";
import { withBodyFields } from "../call/with-body-fields.ts";
import { toLlmError } from "../failure/to-llm-error.ts";
import { familyOptions } from "../request/family-options.ts";
import { createFileReads } from "../request/file-reads.ts";
import { toCallOptions } from "../request/to-call-options.ts";
import { partsOfResult } from "../response/parts-of-result.ts";
import { ResponseBuilder } from "../response/response-builder.ts";
import { type Connection, type ConnectionOptions, toConnection } from "./connection.ts";
import type { CreateModel, Dialect } from "./dialect.ts";
import type { LlmProvider } from "./llm-provider.ts";

/** Everything that belongs to one call. */
interface OpenCall {
  call: ModelCall;
  exchange: Exchange;
  builder: ResponseBuilder;
  options: LanguageModelV3CallOptions;
  loadModel: () => Promise<LanguageModelV3>;
  build: () => ModelResponse;
  isNewEvent: (error: unknown) => boolean;
  toError: (error: unknown) => EngineError;
}

/** What all calls of a provider share. */
interface ProviderContext {
  dialect: Dialect;
  connection: Connection;
  /** Loads the AI SDK's package on the first call. */
  loadFactory: () => Promise<CreateModel>;
}

function openCall(request: ModelRequest, { dialect, connection, loadFactory }: ProviderContext): OpenCall {
  const provider = request.provider ?? dialect.family;
  const { model, signal } = request;
  const { apiKey, baseUrl, createId, now, requestMs, silenceMs, schedule, variable, mask } = connection;
  const startedAt = now();
  const warnings: string[] = [];
  const files = createFileReads(connection.readFile, provider);
  const own = familyOptions(request, dialect.family, provider);
  const options = toCallOptions(
    { request, options: own, files, warn: (warning) => warnings.push(warning) },
    dialect,
    provider,
  );
  const call = startModelCall({ provider, signal, requestMs, silenceMs, now, schedule });
  options.abortSignal = call.signal;
  const rewriteBody = (body: string): string => {
    const extended = withBodyFields(body, own["body"]);
    return dialect.rewriteBody?.(extended, request) ?? extended;
  };
  const { fetch, maxAnswerBytes } = connection;
  const exchange = createExchange({ fetch, call, provider, maxAnswerBytes, rewriteBody });
  const { family, namespace } = dialect;
  const builder = new ResponseBuilder({ provider, family, namespace, model, createId, warnings });
  return {
    call,
    exchange,
    builder,
    options,
    loadModel: async () => {
      const reading = files.read(call.signal);
      if (reading !== undefined) await reading;
      const headers = { ...connection.headers };
      const create = await loadFactory();
      return create({ model, apiKey: apiKey?.reveal(), baseUrl, headers, fetch: exchange.fetch, createId });
    },
    build: () => builder.build({ latencyMs: now() - startedAt, headers: exchange.headers }),
    isNewEvent: (error) => dialect.isNewEvent?.(error) ?? false,
    toError: (error) => {
      const { url, status, headers } = exchange;
      return (
        call.cutOff() ?? toLlmError(error, { provider, model, variable, url, status, headers, nowMs: now(), mask })
      );
    },
  };
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
    const model = await call.guard(open.loadModel());
    const result = await call.guard(model.doGenerate(options));
    wasRead = true;
    for (const part of partsOfResult(result)) builder.add(part);
    if (options.includeRawChunks === true) builder.setRaw(result.response?.body);
    return open.build();
  } catch (error) {
    throw wholeAnswerError(open.toError(error), open.exchange);
  } finally {
    call.end(wasRead);
  }
}

function throwPart(part: LanguageModelV3StreamPart): void {
  if (part.type === "error") throw part.error;
}

async function* stream(open: OpenCall): AsyncGenerator<StreamEvent, void, undefined> {
  const { call, builder, options } = open;
  let wasRead = false;
  try {
    const model = await call.guard(open.loadModel());
    const { stream: parts } = await call.guard(model.doStream(options));
    const reader = parts.getReader();
    // A read that waits ends when the call is cut off, whatever the connection does.
    call.onCutOff(() => reader.cancel().catch(() => undefined));
    for (;;) {
      const { done, value } = await reader.read();
      const cut = call.cutOff();
      if (cut !== undefined) throw cut;
      if (done) break;
      if (value.type === "error" && open.isNewEvent(value.error)) continue;
      throwPart(value);
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
    yield { type: "finish", response: open.build() };
  } catch (error) {
    throw open.toError(error);
  } finally {
    call.end(wasRead); // also when the reader left early: this is what closes the connection
  }
}

/** A provider that calls one of the AI SDK's language models directly: one HTTP request per call, no retries. */
export function createLanguageModelProvider(dialect: Dialect, options: ConnectionOptions): LlmProvider {
  let factory: Promise<CreateModel> | undefined;
  const loadFactory = (): Promise<CreateModel> => {
    factory ??= dialect.loadFactory();
    return factory;
  };
  const context: ProviderContext = { dialect, connection: toConnection(options, dialect), loadFactory };
  return {
    family: dialect.family,
    complete: async (request) => complete(openCall(request, context)),
    stream: (request) => ({
      [Symbol.asyncIterator]: () => stream(openCall(request, context)),
    }),
    close: context.connection.close,
  };
}
