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

function envelopeOf(said: ResponseContent, parts: readonly object[], isLast: boolean): object {
  const { inputTokens, outputTokens } = said.usage;
  const total = { totalTokenCount: inputTokens + outputTokens };
  const usageMetadata = { promptTokenCount: inputTokens, candidatesTokenCount: outputTokens, ...total };
  const reason = isLast && said.end !== undefined ? { finishReason: REASONS[said.end] } : {};
  const candidates = [{ content: { role: "model", parts }, ...reason, index: 0 }];
  return { responseId: said.id, modelVersion: said.model, candidates, ...(isLast ? { usageMetadata } : {}) };
}

/** Returns a complete response of Gemini's `generateContent`. */
export function geminiBody(said: ResponseContent): object {
  const parts = piecesOf(said).map(({ content }) => content);
  return envelopeOf(said, parts, true);
}

/** Returns the events of a response of Gemini's `streamGenerateContent`. */
export function geminiFrames(said: ResponseContent): readonly WireFrame[] {
  const content = piecesOf(said).map(
    ({ part, content: piece }): WireFrame => ({ part, data: JSON.stringify(envelopeOf(said, [piece], false)) }),
  );
  if (said.end === undefined) return content;
  const data = JSON.stringify(envelopeOf(said, [], true));
  return [...content, { part: "end", data, usage: said.usage, isRepeatable: true }];
}
