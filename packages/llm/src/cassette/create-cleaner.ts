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

/** Masks known secrets, and those that request headers contain. */
class SecretMask {
  readonly #masker: CleanerOptions["masker"];
  /** Secret values of request headers. They are masked everywhere, because servers and models may repeat them. */
  readonly #learned = createMasker([]);
  readonly #values = new Set<string>([REDACTED]);

  constructor(masker: CleanerOptions["masker"]) {
    this.#masker = masker;
  }

  /** Adds the secret values of request headers. */
  learn(headers: readonly Header[]): void {
    const values = secretHeaderValues(headers).filter((value) => !this.#values.has(value));
    for (const value of values) this.#values.add(value);
    if (values.length > 0) this.#learned.add(values);
  }

  /** Returns the data without secrets. It is masked again in each call, because more secrets may have become known. */
  mask<T>(data: T): T {
    const known = this.#masker === undefined ? data : this.#masker.maskData(data);
    return this.#values.size > 1 ? this.#learned.maskData(known) : known;
  }
}

/**
 * Returns a function that masks and redacts the settings of a call. Settings rarely change, so the redacted settings
 * are reused. Their JSON text after masking is compared, because the caller may change the original objects.
 */
function createSettingsCleaner(secrets: SecretMask, redact: (settings: Settings) => Settings) {
  let last: { readonly text: string; readonly redacted: Settings } | undefined;
  return (settings: Settings): Settings => {
    const current = secrets.mask(settings);
    const text = jsonOf(current);
    if (text === undefined) return redact(current);
    if (last?.text !== text) {
      const copy: Settings = JSON.parse(text);
      last = { text, redacted: redact(copy) };
    }
    return last.redacted;
  };
}

type Tools = readonly ToolDefinition[];

/** Returns a function that cleans the tools of a call, and reuses the result while the tools stay the same. */
function createToolsCleaner(clean: (tools: Tools) => Tools): (tools: Tools) => Tools {
  /** Tools of the last call. `given` is a copy of the list, because the caller may change its own list. */
  let last: { readonly given: Tools; readonly cleaned: Tools } | undefined;
  return (tools) => {
    const { given, cleaned } = last ?? {};
    const isSame = tools.length === given?.length && tools.every((tool, index) => tool === given[index]);
    if (cleaned !== undefined && isSame) return cleaned;
    const copy = tools.slice();
    last = { given: copy, cleaned: clean(copy) };
    return last.cleaned;
  };
}

/** Creates a cleaner for the calls of one recording. Shared history is processed once. */
export function createCleaner({ masker, normalise }: CleanerOptions): Cleaner {
  const redactors = createCassetteRedactors();
  const secrets = new SecretMask(masker);
  const known = new WeakMap<Message, Message>();

  function redact<T>(data: T, redactor: Redactor): T {
    const redacted = redactor.data(data);
    return normalise === undefined ? redacted : mapTexts(redacted, normalise);
  }
  function clean<T>(data: T, redactor: Redactor): T {
    return redact(secrets.mask(data), redactor);
  }
  function cleanMessage(message: Message): Message {
    const cleaned = known.get(message) ?? clean(message, redactors.content);
    known.set(message, cleaned);
    return cleaned;
  }
  const cleanMessages = createCleanHistory(cleanMessage);
  const cleanSettings = createSettingsCleaner(secrets, (settings) => redact(settings, redactors.settings));
  const cleanTools = createToolsCleaner((tools) => clean(tools, redactors.content));
  function request({ messages, tools, ...settings }: RecordedRequest): RecordedRequest {
    secrets.learn(headersIn(settings.providerOptions));
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
