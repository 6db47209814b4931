/** What a provider attached to a part and wants back verbatim (signatures, item ids), by provider name. */
export type ProviderMetadata = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Text. */
export interface TextPart {
  type: "text";
  /** The text. */
  text: string;
  /** Round-trips to the provider it came from. */
  providerMetadata?: ProviderMetadata | undefined;
}

/** Bytes, an address of them or a file; one of `data`, `url` and `path` is set. */
export interface MediaSource {
  /** Address. */
  url?: string | undefined;
  /** Bytes, base64. */
  data?: string | undefined;
  /** Path of a file; needs a provider that was given a reader of files. */
  path?: string | undefined;
  /** MIME type. */
  mediaType: string;
}

/** An image. */
export interface ImagePart extends MediaSource {
  type: "image";
}

/** Sound. */
export interface AudioPart extends MediaSource {
  type: "audio";
}

/** A file for the model or the user to read, such as a PDF. engine: Part of type file. */
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

/** A tool the model asks for. */
export interface ToolCallPart {
  type: "tool_call";
  /** Id that pairs call and result. */
  id: string;
  /** Name of the tool. */
  name: string;
  /** The arguments as the model wrote them: JSON text, not yet parsed or trusted. */
  arguments: string;
  /** Round-trips to the provider it came from. */
  providerMetadata?: ProviderMetadata | undefined;
}

/** What a tool answered. */
export interface ToolResultPart {
  type: "tool_result";
  /** Id of the call it answers. */
  toolCallId: string;
  /** Name of the tool. */
  name: string;
  /** What the model sees. */
  content: string;
  /** Whether the tool failed. */
  isError: boolean;
  /** Images the tool returned. */
  images?: readonly ImagePart[] | undefined;
}

/** The model's reasoning, with the signature that its provider wants back. */
export interface ThinkingPart {
  type: "thinking";
  /** The reasoning; may be a summary or empty. */
  text: string;
  /** Round-trips verbatim to the provider and model it came from. */
  providerMetadata?: ProviderMetadata | undefined;
}

/** Reasoning that the provider keeps to itself. */
export interface RedactedThinkingPart {
  type: "redacted_thinking";
  /** Opaque data, returned verbatim. */
  data: string;
  /** Round-trips verbatim to the provider and model it came from. */
  providerMetadata?: ProviderMetadata | undefined;
}

/** A part this release does not know; passed through untouched. */
export interface UnknownPart {
  type: "unknown";
  /** Name the provider gives it. */
  kind: string;
  /** Its content. */
  value: unknown;
}

/** One piece of a message. engine: model.Part; unified-llm-client: parts. */
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
