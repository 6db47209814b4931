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

/** What a model of the AI SDK is made from, once for all its calls. */
export interface ModelSettings {
  /** The vendor's model id. */
  model: string;
  /** The key in clear; none for a server that wants none. */
  apiKey: string | undefined;
  /** Address that paths are appended to. */
  baseUrl: string;
  /** Further headers. */
  headers: Record<string, string>;
  /** Makes the request of the call whose signal it is given. */
  fetch: typeof globalThis.fetch;
  /** Makes ids for calls that come without one. */
  createId: () => string;
}

/** Makes a model. */
export type CreateModel = (settings: ModelSettings) => LanguageModelV3;

/** What one request says about one family. */
export interface FamilyRequest {
  /** The request. */
  request: ModelRequest;
  /** Its options for this family. */
  options: Readonly<Record<string, unknown>>;
  /** Files that parts name by path. */
  files: FileReads;
  /** Its tools as they are sent. */
  tools: ProjectedTools;
  /** Collects what will be ignored or changed. */
  warn: (warning: string) => void;
}

/** A message of the assistant as the AI SDK takes it. */
export type AssistantMessage = Extract<LanguageModelV3Message, { role: "assistant" }>;

/** How one family of model APIs differs from the others. */
export interface Dialect {
  /** Name of the family. */
  readonly family: string;
  /** Name that the AI SDK's package gives it. */
  readonly namespace: string;
  /** Environment variable that usually holds the key. */
  readonly keyVariable: string;
  /** The vendor's own address, version prefix included. */
  readonly defaultBaseUrl: string;
  /** Whether system messages may stand after the first other message. */
  readonly lateSystemMessages: boolean;
  /** Whether instructions at the start are sent as one message. */
  readonly oneSystemMessage?: boolean;
  /** Whether the AI SDK's package takes the arguments of calls parsed, not as text. */
  readonly parsedArguments?: boolean;
  /** Whether thoughts are sent back without a signature. */
  readonly plainReasoning?: boolean;
  /** Whether the results of tools may hold images; else they follow in a message of the user. Default true. */
  readonly toolImages?: boolean;
  /** How the last event of a stream looks. */
  readonly lastEvent: LastEvent;
  /** Shape of the call ids that the API accepts. */
  readonly callIds: RegExp;
  /** What the API accepts as the parameters of a tool. */
  readonly schemaRules: SchemaRules;
  /** What the API accepts as the schema of a response; `undefined`: every schema is sent as it is. */
  readonly responseRules?: (schema: Readonly<Record<string, unknown>>) => SchemaRules | undefined;
  /** Set where the API would make every parameter of a tool mandatory unless told otherwise. */
  readonly strictTools?: boolean;
  /** Options of the AI SDK that the request stands for: reasoning effort, metadata and the like. */
  readonly toOptions: (input: FamilyRequest) => JSONObject;
  /** Most tokens of an answer where the request names none and the API has to be told; with the options that go to it. */
  readonly defaultMaxTokens?: (model: string, options: JSONObject) => number;
  /** Mark of a cached prefix, where the API has to be told. */
  readonly cacheMark?: (input: FamilyRequest) => JSONObject | undefined;
  /** Corrects responses before the AI SDK's package parses them. */
  readonly normaliser: Normaliser;
  /**
   * What of a call's metadata the API wants back, in the fields of its wire format; on the call alone, not on its result.
   * Absent where the AI SDK's package sends the metadata back itself.
   */
  readonly callFields?: (metadata: JSONObject) => JSONObject | undefined;
  /** Puts what a message carries for the API back to where it came from. */
  readonly restoreMessage?: (message: AssistantMessage) => AssistantMessage;
  /** How the API lists its models. */
  readonly modelList: ModelList;
  /** Loads the AI SDK's package; called once, on first use. */
  readonly loadFactory: () => Promise<CreateModel>;
  /** Whether a failure inside a stream is about a kind of event that is newer than this package; it is passed over. */
  readonly isUnknownEvent?: (error: unknown) => boolean;
  /** Whether a warning of the AI SDK is about something that is so on purpose; nobody is told. */
  readonly isOnPurpose?: (warning: string) => boolean;
  /** Corrects what the AI SDK makes of a whole response; throws for one that is not complete. */
  readonly restoreResult?: (result: LanguageModelV3GenerateResult) => void;
  /** Last change to the JSON text that goes out; may throw to stop the call. */
  readonly rewriteBody?: (body: string, request: ModelRequest) => string;
}
