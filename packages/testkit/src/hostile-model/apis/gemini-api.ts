import { objectOf, parsedJson } from "../plain-json.ts";
import type { FramePart, ResponseContent, ResponseEnding, WireFrame } from "../response-content.ts";

const REASONS: Readonly<Record<ResponseEnding, string>> = {
  ...{ usual: "STOP", stop: "STOP", calls: "STOP", length: "MAX_TOKENS" },
  ...{ error: "MALFORMED_FUNCTION_CALL", filter: "SAFETY" },
};

interface Piece {
  readonly part: FramePart;
  readonly content: object;
}

function piecesOf({ reasoning, text, calls }: ResponseContent): readonly Piece[] {
  return [
    ...reasoning.map((piece): Piece => ({ part: "reasoning", content: { text: piece, thought: true } })),
    ...text.map((piece): Piece => ({ part: "text", content: { text: piece } })),
    ...calls.map(({ name, pieces }, index): Piece => {
      const functionCall = { name, args: objectOf(parsedJson(pieces.join(""))) };
      const signature = index === 0 ? { thoughtSignature: "c2lnbmVk" } : {};
      return { part: "arguments", content: { functionCall, ...signature } };
    }),
  ];
}

function envelopeOf(response: ResponseContent, parts: readonly object[], isLast: boolean): object {
  const { inputTokens, outputTokens } = response.usage;
  const total = { totalTokenCount: inputTokens + outputTokens };
  const usageMetadata = { promptTokenCount: inputTokens, candidatesTokenCount: outputTokens, ...total };
  const reason = isLast && response.end !== undefined ? { finishReason: REASONS[response.end] } : {};
  const candidates = [{ content: { role: "model", parts }, ...reason, index: 0 }];
  return { responseId: response.id, modelVersion: response.model, candidates, ...(isLast ? { usageMetadata } : {}) };
}

/** Returns a complete response of Gemini's `generateContent`. */
export function geminiBody(response: ResponseContent): object {
  const parts = piecesOf(response).map(({ content }) => content);
  return envelopeOf(response, parts, true);
}

/** Returns the events of a response of Gemini's `streamGenerateContent`. */
export function geminiFrames(response: ResponseContent): readonly WireFrame[] {
  const content = piecesOf(response).map(
    ({ part, content: piece }): WireFrame => ({ part, data: JSON.stringify(envelopeOf(response, [piece], false)) }),
  );
  if (response.end === undefined) return content;
  const data = JSON.stringify(envelopeOf(response, [], true));
  return [...content, { part: "end", data, usage: response.usage, isRepeatable: true }];
}
