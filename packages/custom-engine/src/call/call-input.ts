import type { SessionInput, SessionMessage } from "@switchyard/contracts";
import type { Secret } from "@switchyard/secrets";
import type { CustomEngineConfig } from "../config/custom-engine-config.ts";
import { renderKwargs, type TemplateValues } from "../template/render-template.ts";

/** Data from which one call of a custom engine is created. */
export interface CallParts {
  readonly config: CustomEngineConfig;
  /** Input of the session. */
  readonly input: SessionInput;
  /** Messages of this call. */
  readonly messages: readonly SessionMessage[];
  /** Session id for engines that continue a conversation. */
  readonly sessionId?: string | undefined;
  /** Absolute path of the workspace. */
  readonly workspace: string;
  /** Time limit for the engine, in seconds; 0 means no limit. */
  readonly timeoutSeconds: number;
  /** API key of the run. `undefined` if there is none. */
  readonly apiKey: Secret | undefined;
  /** Address and token with which the run calls models. `undefined` if there are none. */
  readonly modelAccess?: { readonly baseUrl: string; readonly token: Secret } | undefined;
}

/** Input of one call of a custom engine, and the values for its templates. */
export interface CallInput {
  readonly input: SessionInput;
  readonly values: TemplateValues;
}

/**
 * Creates the `SessionInput` and the built-in variables of one call. See custom-engine: SessionInput format, built-in
 * template variables.
 */
export function createCallInput(parts: CallParts): CallInput {
  const { config, input, messages, workspace, timeoutSeconds, sessionId = "" } = parts;
  const model = modelOf(parts);
  const base = {
    workspace,
    ...{ model: model.reference, model_provider: model.provider, model_name: model.name },
    prompt: promptOf(messages),
    messages_json: JSON.stringify(messages),
    api_key: parts.apiKey ?? "",
    ...{ model_base_url: parts.modelAccess?.baseUrl ?? "", model_token: parts.modelAccess?.token ?? "" },
    session_id: sessionId,
    ...{ case_id: input.case_id ?? "", variant: input.variant ?? "" },
    max_turns: numberText(input.max_turns),
    timeout_seconds: numberText(timeoutSeconds),
  };
  const configured = renderKwargs(config.kwargs, { texts: base, structures: {} });
  // The host's input is used as plain data, so template references in the input are not resolved.
  const kwargs = { ...configured, ...input.kwargs };
  const sent = sentInput(parts, { model: model.reference, kwargs });
  return {
    input: sent,
    values: {
      texts: { ...base, kwargs_json: JSON.stringify(kwargs), session_input_json: JSON.stringify(sent) },
      kwargs,
      structures: { messages, kwargs, session_input: sent },
    },
  };
}

/** Returns the session input without unknown and empty fields. */
function sentInput(
  { input, messages, workspace, timeoutSeconds, sessionId }: CallParts,
  { model, kwargs }: { model: string; kwargs: Readonly<Record<string, string>> },
): SessionInput {
  const { case_id, variant, max_turns } = input;
  return {
    ...(isEmpty(case_id) ? {} : { case_id }),
    ...(isEmpty(variant) ? {} : { variant }),
    ...(workspace === "" ? {} : { workspace }),
    ...(model === "" ? {} : { model }),
    ...(isEmpty(sessionId) ? {} : { session_id: sessionId }),
    ...(Object.keys(kwargs).length === 0 ? {} : { kwargs: { ...kwargs } }),
    messages: messages.map(sentMessage),
    ...(max_turns === undefined || max_turns === 0 ? {} : { max_turns }),
    ...(timeoutSeconds === 0 ? {} : { timeout_seconds: timeoutSeconds }),
  };
}

function sentMessage({ role, content, images = [] }: SessionMessage): SessionMessage {
  return { role, content, ...(images.length === 0 ? {} : { images }) };
}

function isEmpty(text: string | undefined): boolean {
  return text === undefined || text === "";
}

/** Returns the text of the user message if the conversation has only one turn. Empty for several turns. */
function promptOf(messages: readonly SessionMessage[]): string {
  const [first, second] = messages.filter(({ role }) => role === "user");
  const isSingleTurn = second === undefined && !messages.some(({ role }) => role === "assistant" || role === "tool");
  return isSingleTurn ? (first?.content ?? "") : "";
}

function numberText(value: number | undefined): string {
  return value === undefined || value === 0 ? "" : String(value);
}

/** Returns the model of the run, or else of the configuration. */
export function modelOf({ config, input }: Pick<CallParts, "config" | "input">): {
  reference: string;
  provider: string;
  name: string;
} {
  const { model } = input;
  if (model !== undefined && model !== "") {
    const slash = model.indexOf("/");
    return slash < 0
      ? { reference: model, provider: "", name: model }
      : { reference: model, provider: model.slice(0, slash), name: model.slice(slash + 1) };
  }
  return modelOfConfig(config);
}

/** Returns the provider and the model name joined by a slash. Empty if no model is set. */
export function modelOfConfig({ model }: Pick<CustomEngineConfig, "model">): {
  reference: string;
  provider: string;
  name: string;
} {
  const { provider = "", name = "" } = model ?? {};
  return { reference: [provider, name].filter((part) => part !== "").join("/"), provider, name };
}
