import type { LanguageModelV3FilePart, LanguageModelV3Message, LanguageModelV3TextPart } from "@ai-sdk/provider";
import { EngineError, type Part } from "@switchyard/contracts";
import type { PromptRules } from "./prompt-rules.ts";
import { toFilePart } from "./to-media.ts";

function toContent(part: Part, rules: PromptRules): LanguageModelV3TextPart | LanguageModelV3FilePart {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text.toWellFormed() };
    case "data":
      return { type: "text", text: JSON.stringify(part.value) ?? "null" };
    case "image":
    case "audio":
    case "document":
      return toFilePart(part, rules);
    case "tool_call":
    case "tool_result":
    case "thinking":
    case "redacted_thinking":
    case "unknown": {
      const kind = part.type === "unknown" ? part.kind : part.type;
      throw new EngineError("llm.unsupported_part", { provider: rules.provider, part: kind });
    }
  }
}

/** Converts a user message. Empty texts are omitted unless there is nothing else. */
export function toUserMessage(parts: readonly Part[], rules: PromptRules): LanguageModelV3Message {
  const [only] = parts;
  if (parts.length === 1 && only?.type === "text")
    return { role: "user", content: [{ type: "text", text: only.text.toWellFormed() }] };
  const content = parts.map((part) => toContent(part, rules));
  const nonEmpty = content.filter((part) => part.type !== "text" || part.text !== "");
  return { role: "user", content: nonEmpty.length > 0 ? nonEmpty : content };
}
