import type {
  JSONObject,
  LanguageModelV3,
  LanguageModelV3GenerateResult,
  LanguageModelV3Message,
} from "@ai-sdk/provider";
import type { ModelRequest } from "@switchyard/contracts";
import type { LastEvent } from "../call/last-event.ts";
import type { ModelList } from "../model-list/model-list.ts";
import type { Normaliser } from "../normalisation/normaliser.ts";
import type { ProjectedTools } from "../projection/project-tools.ts";
import type { SchemaRules } from "../projection/schema-rules.ts";
import type { FileReads } from "../request/file-reads.ts";

/** Settings of an AI SDK model, which is created once for all calls. */
export interface ModelSettings {
  /** The vendor's model id. */
  model: string;
  /** Key in plain text. `undefined` for a server without keys. */
  apiKey: string | undefined;
  /** Base URL to which paths are appended. */
  baseUrl: string;
  /** Additional headers. */
  headers: Record<string, string>;
  /**
   * Sends HTTP requests. Each model call has its own abort signal, by which `fetch` recognises the call of a request.
   */
  fetch: typeof globalThis.fetch;
  /** Generates ids for tool calls without an id. */
  createId: () => string;
}

/** Creates a model. */
export type CreateModel = (settings: ModelSettings) => LanguageModelV3;

/** A model request, prepared for one API family such as OpenAI's. */
export interface FamilyRequest {
  /** The request. */
  request: ModelRequest;
  /** Provider options of the request for this API family. */
  options: Readonly<Record<string, unknown>>;
  /** Files to read, because message parts refer to them by path. */
  files: FileReads;
  /** Tools of the request, converted to what the API accepts. */
  tools: ProjectedTools;
  /** Collects warnings about ignored or changed settings. */
  warn: (warning: string) => void;
}

/** An assistant message in the AI SDK's format. */
export type AssistantMessage = Extract<LanguageModelV3Message, { role: "assistant" }>;

/** Properties in which one API family, such as OpenAI's, differs from the others. */
export interface Dialect {
  /** Name of the API family, such as `openai`. */
  readonly family: string;
  /** Name of the API family in the AI SDK's provider options. */
  readonly namespace: string;
  /** Environment variable that usually contains the API key. */
  readonly keyVariable: string;
  /** Address of the vendor, version prefix included. */
  readonly defaultBaseUrl: string;
  /** True if system messages may follow other messages. */
  readonly lateSystemMessages: boolean;
  /** True if all initial instructions are merged into one system message. */
  readonly oneSystemMessage?: boolean;
  /** True if the AI SDK package expects the arguments of tool calls parsed instead of as text. */
  readonly parsedArguments?: boolean;
  /** True if thinking is sent back without a signature. */
  readonly plainReasoning?: boolean;
  /**
   * Whether tool results may contain images. If not, images are sent in a user message after the results. Default:
   * true.
   */
  readonly toolImages?: boolean;
  /** Format of a stream's last event. */
  readonly lastEvent: LastEvent;
  /** Pattern of call ids that the API accepts. */
  readonly callIds: RegExp;
  /** Schema rules for tool parameters. */
  readonly schemaRules: SchemaRules;
  /** Schema rules for responses. `undefined`: schemas are sent unchanged. */
  readonly responseRules?: (schema: Readonly<Record<string, unknown>>) => SchemaRules | undefined;
  /**
   * Value of `strict` that is sent with each tool. Set for APIs that otherwise treat every tool parameter as required.
   */
  readonly strictTools?: boolean;
  /** Returns the AI SDK options for a request: reasoning effort, metadata and others. */
  readonly toOptions: (input: FamilyRequest) => JSONObject;
  /** Returns the default output limit for a model and its options, if the API requires an output limit. */
  readonly defaultMaxTokens?: (model: string, options: JSONObject) => number;
  /** Returns the AI SDK option that marks the end of a prompt prefix to cache, for APIs that require such a mark. */
  readonly cacheMark?: (input: FamilyRequest) => JSONObject | undefined;
  /** Normalises responses before the AI SDK parses them. */
  readonly normaliser: Normaliser;
  /**
   * Returns the part of a tool call's metadata to send back with the call, in the API's field names. Tool results carry
   * no metadata. Absent if the AI SDK sends the metadata itself.
   */
  readonly callFields?: (metadata: JSONObject) => JSONObject | undefined;
  /** Restores opaque API data of a message to the fields in which the API sent the data. */
  readonly restoreMessage?: (message: AssistantMessage) => AssistantMessage;
  /** Format of the model list endpoint. */
  readonly modelList: ModelList;
  /** Loads the AI SDK's package. Called once, on first use. */
  readonly loadFactory: () => Promise<CreateModel>;
  /** Returns whether a failure inside a stream concerns an unknown event type. The failure is then ignored. */
  readonly isUnknownEvent?: (error: unknown) => boolean;
  /** Returns whether an AI SDK warning concerns intended behaviour. The warning is then dropped. */
  readonly isOnPurpose?: (warning: string) => boolean;
  /**
   * Corrects the AI SDK's result of a request without streaming, where the SDK misreads the provider. Throws if the
   * response is incomplete.
   */
  readonly restoreResult?: (result: LanguageModelV3GenerateResult) => void;
  /** Final change to the JSON request body. May throw to abort the call. */
  readonly rewriteBody?: (body: string, request: ModelRequest) => string;
}
