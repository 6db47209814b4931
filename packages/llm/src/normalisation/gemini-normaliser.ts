import { isRecord, jsonValue } from "../failure/error-info.ts";
import { type JsonRecord, mapList, type Normaliser, type StreamNormaliser, withFields } from "./normaliser.ts";
import { geminiEvents } from "./whole-as-events.ts";

const SUSPECT = /"args"\s*:\s*"|"parts"\s*:\s*(?:null|\{)|"content"\s*:\s*null/;

function withArguments(part: unknown): unknown {
  const call = isRecord(part) ? part["functionCall"] : undefined;
  if (!isRecord(part) || !isRecord(call) || typeof call["args"] !== "string") return part;
  const args = call["args"].trim() === "" ? {} : jsonValue(call["args"]);
  return isRecord(args) ? withFields(part, { functionCall: withFields(call, { args }) }) : part;
}

function withParts(candidate: unknown): unknown {
  if (!isRecord(candidate)) return candidate;
  const { content } = candidate;
  if (content === null) return withFields(candidate, { content: undefined });
  if (!isRecord(content)) return candidate;
  const { parts } = content;
  const list = isRecord(parts) ? [parts] : (parts ?? undefined);
  const changed = Array.isArray(list) ? mapList(list, withArguments) : list;
  return withFields(candidate, { content: withFields(content, { parts: changed }) });
}

function corrected(response: JsonRecord): JsonRecord {
  const { candidates } = response;
  return Array.isArray(candidates) ? withFields(response, { candidates: mapList(candidates, withParts) }) : response;
}

const STREAM: StreamNormaliser = { isSuspect: (text) => SUSPECT.test(text), event: corrected };

/** Corrects responses in Gemini's format that gateways send with deviations from Gemini's API. */
export const GEMINI_NORMALISER: Normaliser = {
  response: corrected,
  events: geminiEvents,
  openStream: () => STREAM,
};
