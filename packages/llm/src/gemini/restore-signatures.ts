import type { LanguageModelV3GenerateResult } from "@ai-sdk/provider";
import { isRecord } from "../failure/error-info.ts";

/** Signatures of the calls of an answer, in order; undefined for those without one. */
function signaturesOf(body: unknown): readonly (string | undefined)[] {
  const candidates = isRecord(body) ? body["candidates"] : undefined;
  const candidate: unknown = Array.isArray(candidates) ? candidates[0] : undefined;
  const content = isRecord(candidate) ? candidate["content"] : undefined;
  const parts = isRecord(content) && Array.isArray(content["parts"]) ? content["parts"] : [];
  return parts.flatMap((part: unknown) => {
    if (!isRecord(part) || !isRecord(part["functionCall"])) return [];
    const signature = part["thoughtSignature"];
    return [typeof signature === "string" ? signature : undefined];
  });
}

/**
 * Gives each call of a whole answer its own signature again. The AI SDK puts that of an empty text behind them in its
 * place, and Gemini refuses a call with the signature of another part.
 */
export function restoreSignatures({ content, response }: LanguageModelV3GenerateResult): void {
  const signatures = signaturesOf(response?.body);
  const calls = content.filter((part) => part.type === "tool-call" && part.providerExecuted !== true);
  if (calls.length !== signatures.length || signatures.every((signature) => signature === undefined)) return;
  for (const [index, call] of calls.entries()) {
    const { thoughtSignature: _other, ...google } = call.providerMetadata?.["google"] ?? {};
    const thoughtSignature = signatures[index];
    const own = thoughtSignature === undefined ? google : { ...google, thoughtSignature };
    if (Object.keys(own).length > 0) call.providerMetadata = { ...call.providerMetadata, google: own };
    else delete call.providerMetadata;
  }
}
