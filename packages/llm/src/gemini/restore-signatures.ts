import type { LanguageModelV3GenerateResult } from "@ai-sdk/provider";
import { isRecord } from "../failure/error-info.ts";

/** Returns the signatures of a response's tool calls, in order. `undefined` for calls without a signature. */
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
 * Restores the `thoughtSignature` of each tool call in a complete response. Later requests must send the signature back
 * with the call, and Gemini rejects a call with the signature of another part. If an empty text follows a call, the AI
 * SDK replaces the signature of the call with the signature of this text.
 */
export function restoreSignatures({ content, response }: LanguageModelV3GenerateResult): void {
  const signatures = signaturesOf(response?.body);
  const calls = content.filter((part) => part.type === "tool-call" && part.providerExecuted !== true);
  if (calls.length !== signatures.length || signatures.every((signature) => signature === undefined)) return;
  for (const [index, call] of calls.entries()) {
    const { thoughtSignature: _other, ...google } = call.providerMetadata?.["google"] ?? {};
    const thoughtSignature = signatures[index];
    const metadata = thoughtSignature === undefined ? google : { ...google, thoughtSignature };
    if (Object.keys(metadata).length > 0) call.providerMetadata = { ...call.providerMetadata, google: metadata };
    else delete call.providerMetadata;
  }
}
