/** Provider data of a part that must be sent back unchanged, such as signatures and item ids; by provider name. */
export type ProviderMetadata = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A text. */
export interface TextPart {
  type: "text";
  /** The text. */
  text: string;
  /** Opaque provider data of this part, sent back unchanged, and only to the provider that created it. */
  providerMetadata?: ProviderMetadata | undefined;
}

/** Media content: exactly one of `data`, `url` and `path` is set. */
export interface MediaSource {
  /** URL of the content. */
  url?: string | undefined;
  /** Content in base64. */
  data?: string | undefined;
  /** Path of the file that holds the content. Requires a provider that was configured to read files. */
  path?: string | undefined;
  /** MIME type. */
  mediaType: string;
}

/** An image. */
export interface ImagePart extends MediaSource {
  type: "image";
}

/** An audio recording. */
export interface AudioPart extends MediaSource {
  type: "audio";
}

/** A document such as a PDF file. See engine: Part of type file. */
export interface DocumentPart extends MediaSource {
  type: "document";
  /** File name. */
  name?: string | undefined;
}

/** Structured data. */
export interface DataPart {
  type: "data";
  /** Plain data. */
  value: unknown;
  /** MIME type. */
  mediaType?: string | undefined;
}

/** A tool call by the model. */
export interface ToolCallPart {
  type: "tool_call";
  /** Id of the tool call. The result has the same id. */
  id: string;
  /** Name of the tool. */
  name: string;
  /** Arguments as the model wrote them: unparsed, untrusted JSON text. */
  arguments: string;
  /** Opaque provider data of this part, sent back unchanged, and only to the provider that created it. */
  providerMetadata?: ProviderMetadata | undefined;
}

/** Result of a tool call. */
export interface ToolResultPart {
  type: "tool_result";
  /** Id of the tool call. */
  toolCallId: string;
  /** Name of the tool. */
  name: string;
  /** Text for the model. */
  content: string;
  /** True if the tool failed. */
  isError: boolean;
  /** Images the tool returned. */
  images?: readonly ImagePart[] | undefined;
}

/** The model's reasoning, with the signature that its provider requires. */
export interface ThinkingPart {
  type: "thinking";
  /** Text of the reasoning; may be a summary or empty. */
  text: string;
  /** Opaque provider data of this part, sent back unchanged, and only to the provider and model that created it. */
  providerMetadata?: ProviderMetadata | undefined;
}

/** Reasoning that the provider returns only in encrypted form. */
export interface RedactedThinkingPart {
  type: "redacted_thinking";
  /** Opaque data, sent back unchanged. */
  data: string;
  /** Opaque provider data of this part, sent back unchanged, and only to the provider and model that created it. */
  providerMetadata?: ProviderMetadata | undefined;
}

/** A part of an unknown kind, passed through unchanged. */
export interface UnknownPart {
  type: "unknown";
  /** Name of the part's kind, as the provider calls it. */
  kind: string;
  /** Its content. */
  value: unknown;
}

/** One part of a message. See engine: model.Part; unified-llm-client: parts. */
export type Part =
  | TextPart
  | ImagePart
  | AudioPart
  | DocumentPart
  | DataPart
  | ToolCallPart
  | ToolResultPart
  | ThinkingPart
  | RedactedThinkingPart
  | UnknownPart;
