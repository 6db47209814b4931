import type {
  LanguageModelV3Message,
  LanguageModelV3ToolResultOutput,
  LanguageModelV3ToolResultPart,
  SharedV3ProviderOptions,
} from "@ai-sdk/provider";
import type { ImagePart, ToolResultPart } from "@switchyard/contracts";
import type { CallIdMap } from "./call-id-map.ts";
import type { PromptRules } from "./prompt-rules.ts";
import { mediaSource } from "./to-media.ts";
import { toWireName } from "./to-wire-name.ts";

type ContentOutput = Extract<LanguageModelV3ToolResultOutput, { type: "content" }>;

function toImage(image: ImagePart, { provider, files }: PromptRules): ContentOutput["value"][number] {
  if (image.path !== undefined) {
    const file = { type: "image-data" as const, data: "", mediaType: image.mediaType };
    files.add(image.path, (base64) => {
      file.data = base64;
    });
    return file;
  }
  const source = mediaSource(image, provider);
  return "url" in source
    ? { type: "image-url", url: source.url.href }
    : { type: "image-data", data: source.data, mediaType: source.mediaType };
}

/** Text that is sent with a tool result that contains only images. */
const IMAGES_ALONE = "(see the images)";

function toOutput(part: ToolResultPart, rules: PromptRules): LanguageModelV3ToolResultOutput {
  const text = part.content.toWellFormed();
  const images = rules.dialect.toolImages === false ? [] : (part.images ?? []);
  // A tool result with images has no error flag, so the text states the failure.
  if (images.length > 0) {
    return {
      type: "content",
      // Some APIs reject an empty text; others treat a tool result without text as missing.
      value: [
        { type: "text", text: text.trim() === "" ? IMAGES_ALONE : text },
        ...images.map((image) => toImage(image, rules)),
      ],
    };
  }
  return { type: part.isError ? "error-text" : "text", value: text };
}

/** Context about earlier calls, for the next message. */
export interface ToolCallContext {
  /** Maps the ids of tool calls to the ids that are sent. */
  ids: CallIdMap;
  /** Metadata of each call, which some providers also require with its result. */
  metadata: ReadonlyMap<string, SharedV3ProviderOptions>;
}

/** Converts tool results, in order. */
export function toToolMessage(
  parts: readonly ToolResultPart[],
  rules: PromptRules,
  calls: ToolCallContext,
): LanguageModelV3Message {
  const content = parts.map((part): LanguageModelV3ToolResultPart => {
    const result: LanguageModelV3ToolResultPart = {
      type: "tool-result",
      toolCallId: calls.ids.toWire(part.toolCallId),
      toolName: toWireName(part.name, rules.wireNames),
      output: toOutput(part, rules),
    };
    const metadata = calls.metadata.get(part.toolCallId);
    if (metadata !== undefined) result.providerOptions = metadata;
    return result;
  });
  return { role: "tool", content };
}
