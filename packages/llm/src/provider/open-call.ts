import type { LanguageModelV3, LanguageModelV3CallOptions, SharedV3Headers } from "@ai-sdk/provider";
import type { EngineError, ModelRequest, ModelResponse } from "@switchyard/contracts";
import { createMasker } from "@switchyard/secrets";
import { createExchange, type Exchange } from "../call/exchange.ts";
import { type ModelCall, startModelCall } from "../call/model-call.ts";
import type { OpenExchanges } from "../call/open-exchanges.ts";
import { withBodyFields } from "../call/with-body-fields.ts";
import { toLlmError } from "../failure/to-llm-error.ts";
import { withUsage } from "../failure/usage-of-failure.ts";
import { EventRewriter } from "../normalisation/event-rewriter.ts";
import { ResponseRewriter } from "../normalisation/response-rewriter.ts";
import { bodiesInError } from "../partial-usage/bodies-in-error.ts";
import { readPartialUsage } from "../partial-usage/read-partial-usage.ts";
import { projectTools } from "../projection/project-tools.ts";
import { familyOptions, textEntries } from "../request/family-options.ts";
import { createFileReads, type FileReads } from "../request/file-reads.ts";
import { secretHeaderValues } from "../request/secret-headers.ts";
import { toCallOptions } from "../request/to-call-options.ts";
import { ResponseBuilder } from "../response/response-builder.ts";
import type { Connection } from "./connection.ts";
import type { Dialect } from "./dialect.ts";
import type { ModelCache } from "./model-cache.ts";

/** Context of one call. */
export interface OpenCall {
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

/** Context shared by all calls of a provider. */
export interface ProviderContext {
  dialect: Dialect;
  connection: Connection;
  exchanges: OpenExchanges;
  models: ModelCache;
}

/**
 * Returns a function that makes the final change to a request body. `undefined` if neither the options nor the API
 * family need a change.
 */
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

/** Prepares a call and starts measuring its time, without sending anything. Throws if the request cannot be sent. */
export function openCall(request: ModelRequest, context: ProviderContext, isStreamed: boolean): OpenCall {
  const { dialect, connection, exchanges } = context;
  const { family, namespace } = dialect;
  const provider = request.provider ?? family;
  const { model, signal } = request;
  const { createId, fetch, maxAnswerBytes, now, requestMs, silenceMs, schedule } = connection;
  const startedAt = now();
  const warnings: string[] = [];
  const files = createFileReads(connection.readFile, provider);
  const familySettings = familyOptions(request, family, provider);
  const warn = (warning: string): void => void warnings.push(warning);
  const tools = projectTools(request.tools ?? [], { rules: dialect.schemaRules, strict: dialect.strictTools, warn });
  const options = toCallOptions({ request, options: familySettings, files, tools, warn }, dialect, provider);
  const call = startModelCall({ provider, signal, requestMs, silenceMs, now, schedule });
  options.abortSignal = call.signal;
  const rewriteBody = bodyRewriter(request, dialect, familySettings["body"]);
  const lastEvent = isStreamed ? dialect.lastEvent : undefined;
  const { normaliser } = dialect;
  const rewriter = isStreamed ? new EventRewriter(normaliser) : new ResponseRewriter(normaliser);
  const shared = { fetch, call, provider, schedule };
  const exchange = createExchange({ ...shared, maxAnswerBytes, rewriteBody, lastEvent, rewriter });
  exchanges.add(call.signal, exchange);
  const { isOnPurpose } = dialect;
  const builder = new ResponseBuilder({ provider, family, namespace, model, createId, warnings, isOnPurpose, tools });
  return { request, context, provider, startedAt, call, exchange, builder, files, options };
}

/** Resolves with the model, after the files of the request are read. */
export async function loadModel({ request, context, call, files }: OpenCall): Promise<LanguageModelV3> {
  const reading = files.read(call.signal);
  if (reading !== undefined) await call.guard(reading);
  const model = context.models.get(request.model) ?? (await call.guard(context.models.load(request.model)));
  const cut = call.cutOff();
  if (cut !== undefined) throw cut;
  return model;
}

/** Builds the complete response from all its parts. */
export function buildResponse(
  { context, builder, startedAt }: OpenCall,
  headers: SharedV3Headers | undefined,
): ModelResponse {
  return builder.build({ latencyMs: context.connection.now() - startedAt, headers });
}

/** Returns a function that masks the secrets of the connection and of this request's headers. */
function maskOf({ request, context, provider }: OpenCall): (text: string) => string {
  const { mask } = context.connection;
  const { headers } = familyOptions(request, context.dialect.family, provider);
  const headerSecrets = secretHeaderValues(Object.entries(textEntries(headers)));
  if (headerSecrets.length === 0) return mask;
  const masker = createMasker(headerSecrets);
  return (text) => masker.mask(mask(text));
}

/**
 * Converts a failure of the call to an error of the client. The error's details contain the usage that the response had
 * reported. `body` is the body of a complete response.
 */
export function toError(error: unknown, open: OpenCall, body?: unknown): EngineError {
  const failure = failureOf(error, open);
  const reports = [...open.exchange.usageLines, ...bodiesInError(error), body];
  const usage = readPartialUsage(reports, open.request.model);
  return usage === undefined ? failure : withUsage(failure, usage);
}

function failureOf(error: unknown, open: OpenCall): EngineError {
  const { request, context, provider, call, exchange, options } = open;
  const { variable, now } = context.connection;
  const { url, status, headers } = exchange;
  const { model } = request;
  const cut = call.cutOff();
  if (cut !== undefined) return cut;
  const mask = maskOf(open);
  const { maxOutputTokens: maxTokens } = options;
  return toLlmError(error, { provider, model, variable, url, status, headers, nowMs: now(), mask, maxTokens });
}
