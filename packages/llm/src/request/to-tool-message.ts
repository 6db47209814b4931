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

/** What stands for the text of a result that has images alone. */
const IMAGES_ALONE = "(see the images)";

function toOutput(part: ToolResultPart, rules: PromptRules): LanguageModelV3ToolResultOutput {
  const text = part.content.toWellFormed();
  const images = rules.dialect.toolImages === false ? [] : (part.images ?? []);
  // Content with images has no place for the error flag; the text itself says that it failed.
  if (images.length > 0) {
    return {
      type: "content",
      // Some APIs refuse an empty text, others take a result without any for none.
      value: [
        { type: "text", text: text.trim() === "" ? IMAGES_ALONE : text },
        ...images.map((image) => toImage(image, rules)),
      ],
    };
  }
  return { type: part.isError ? "error-text" : "text", value: text };
}

/** What the next message needs to know about the calls before it. */
export interface ToolCallContext {
  /** Ids as they are sent. */
  ids: CallIdMap;
  /** Metadata of each call, which some providers want with its result as well. */
  metadata: ReadonlyMap<string, SharedV3ProviderOptions>;
}

/** What tools answered, in order. */
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
