import type {
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
} from "@ai-sdk/provider";

function* partsOfContent(content: LanguageModelV3Content, id: string): Iterable<LanguageModelV3StreamPart> {
  if (content.type !== "text" && content.type !== "reasoning") {
    yield content;
    return;
  }
  const metadata = content.providerMetadata === undefined ? {} : { providerMetadata: content.providerMetadata };
  yield { type: `${content.type}-start`, id, ...metadata };
  yield { type: `${content.type}-delta`, id, delta: content.text };
  yield { type: `${content.type}-end`, id, ...metadata };
}

/** Converts a complete AI SDK response to the AI SDK stream parts of an equivalent stream. */
export function* partsOfResult(result: LanguageModelV3GenerateResult): Iterable<LanguageModelV3StreamPart> {
  yield { type: "stream-start", warnings: result.warnings };
  const { id, modelId } = result.response ?? {};
  yield {
    type: "response-metadata",
    ...(id === undefined ? {} : { id }),
    ...(modelId === undefined ? {} : { modelId }),
  };
  let index = 0;
  for (const content of result.content) yield* partsOfContent(content, String(index++));
  const { usage, finishReason, providerMetadata } = result;
  yield { type: "finish", usage, finishReason, ...(providerMetadata === undefined ? {} : { providerMetadata }) };
}
