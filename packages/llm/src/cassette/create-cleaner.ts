import type { Message, ModelResponse, ToolDefinition } from "@switchyard/contracts";
import { createMasker, type Masker, REDACTED, type Redactor } from "@switchyard/secrets";
import { type Header, secretHeaderValues } from "../request/secret-headers.ts";
import type { RecordedCall, RecordedError, RecordedRequest } from "./cassette.ts";
import { createCassetteRedactors } from "./cassette-redactors.ts";
import { createCleanHistory } from "./create-clean-history.ts";
import { headersIn } from "./headers-in.ts";
import { mapTexts } from "./map-texts.ts";

/** Additional redactions, besides values that look like secrets. */
export interface CleanerOptions {
  /** Masks known secrets. */
  masker?: Pick<Masker, "maskData"> | undefined;
  /** Replaces run-specific values, such as paths and times, with placeholders. */
  normalise?: ((text: string) => string) | undefined;
}

/** Prepares calls for recording. */
export interface Cleaner {
  /** Returns a model request without secrets. */
  request(request: RecordedRequest): RecordedRequest;
  /**
   * Returns a model call without secrets. If the next call continues the conversation, both results share one list of
   * messages, to which the next call's messages are added. A long history is therefore not copied for each call.
   */
  call(call: RecordedCall): RecordedCall;
}

type Settings = Omit<RecordedRequest, "messages" | "tools">;

/** Returns the JSON text of data. `undefined` if the data has no JSON text, for example because it is nested too deeply. */
function jsonOf(data: unknown): string | undefined {
  try {
    return JSON.stringify(data);
  } catch {
    return undefined;
  }
}

/** Creates a cleaner for the calls of one recording. Shared history is processed once. */
export function createCleaner({ masker, normalise }: CleanerOptions): Cleaner {
  const redactors = createCassetteRedactors();
  const known = new WeakMap<Message, Message>();
  /**
   * Tools of the last call, as given and without secrets. `given` is a copy of the list, because the caller may change
   * its own list.
   */
  let lastTools: { readonly given: readonly ToolDefinition[]; readonly cleaned: readonly ToolDefinition[] } | undefined;
  /** Secret values of request headers. They are masked everywhere, because servers and models may repeat them. */
  const learned = createMasker([]);
  const secrets = new Set<string>([REDACTED]);
  /**
   * Settings of the last call: their JSON text after masking, and the redacted settings. Settings rarely change, so the
   * redacted settings are reused. The JSON text is stored for comparison, because the caller may change the original
   * objects.
   */
  let lastSettings: { readonly text: string; readonly redacted: Settings } | undefined;

  function learn(headers: readonly Header[]): void {
    const values = secretHeaderValues(headers).filter((value) => !secrets.has(value));
    for (const value of values) secrets.add(value);
    if (values.length > 0) learned.add(values);
  }
  /** Masks known secrets. Data is masked again in each call, because further secrets may have become known. */
  function masked<T>(data: T): T {
    const known = masker === undefined ? data : masker.maskData(data);
    return secrets.size > 1 ? learned.maskData(known) : known;
  }
  function redact<T>(data: T, redactor: Redactor): T {
    const redacted = redactor.data(data);
    return normalise === undefined ? redacted : mapTexts(redacted, normalise);
  }
  function clean<T>(data: T, redactor: Redactor): T {
    return redact(masked(data), redactor);
  }
  function cleanSettings(settings: Settings): Settings {
    const current = masked(settings);
    const text = jsonOf(current);
    if (text === undefined) return redact(current, redactors.settings);
    if (lastSettings?.text !== text) {
      const copy: Settings = JSON.parse(text);
      lastSettings = { text, redacted: redact(copy, redactors.settings) };
    }
    return lastSettings.redacted;
  }
  function cleanMessage(message: Message): Message {
    const cleaned = known.get(message) ?? clean(message, redactors.content);
    known.set(message, cleaned);
    return cleaned;
  }
  const cleanMessages = createCleanHistory(cleanMessage);
  function cleanTools(tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
    const last = lastTools;
    const isSame = tools.length === last?.given.length && tools.every((tool, index) => tool === last.given[index]);
    if (last !== undefined && isSame) return last.cleaned;
    const given = tools.slice();
    lastTools = { given, cleaned: clean(given, redactors.content) };
    return lastTools.cleaned;
  }
  function request({ messages, tools, ...settings }: RecordedRequest): RecordedRequest {
    learn(headersIn(settings.providerOptions));
    const cleaned = { ...cleanSettings(settings), messages: cleanMessages(messages) };
    return tools === undefined ? cleaned : { ...cleaned, tools: cleanTools(tools) };
  }
  function response({ message, raw: _raw, ...rest }: ModelResponse): ModelResponse {
    return { ...clean(rest, redactors.content), message: cleanMessage(message) };
  }
  /** Redacts a recorded failure. Its message may quote any request header. */
  function failure(error: RecordedError, { providerOptions }: RecordedRequest): RecordedError {
    const values = headersIn(providerOptions).map(([, value]) => value);
    return clean(values.length === 0 ? error : createMasker(values).maskData(error), redactors.settings);
  }
  return {
    request: (given) => {
      const cleaned = request(given);
      return { ...cleaned, messages: cleaned.messages.slice() };
    },
    call(call) {
      const { delivered, error, pieces, unfinished } = call;
      return {
        request: request(call.request),
        ...(call.response === undefined ? {} : { response: response(call.response) }),
        ...(error === undefined ? {} : { error: failure(error, call.request) }),
        ...(delivered === undefined ? {} : { delivered: clean(delivered, redactors.content) }),
        ...(pieces === undefined ? {} : { pieces }),
        ...(unfinished === undefined ? {} : { unfinished }),
      };
    },
  };
}
