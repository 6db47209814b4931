import { findCredentials } from "../detection/find-credentials.ts";
import { isSecretName } from "../detection/is-secret-name.ts";
import { REDACTED } from "../secret/secret.ts";
import { maskData } from "./mask-data.ts";

// A name, and a value up to the end of the pair; linear, as neither part can be taken for the other.
const QUERY_PAIR = /(?<start>[?&;#](?<name>[A-Za-z0-9_.~%[\]-]{1,200})=)(?<value>[^\s&;#"'<>]{1,4096})/g;
const MIN_TOKEN_LENGTH = 20;

/** Long, of one piece, and of letters and digits: nobody has chosen it. */
function looksLikeToken(value: string): boolean {
  if (value.length < MIN_TOKEN_LENGTH || !/^[A-Za-z0-9_.~+/=%-]+$/.test(value)) return false;
  return /\d/.test(value) && /[A-Za-z]/.test(value) && findWords(value) < 3;
}

/** Words of letters alone that dashes and the like separate: titles and dates have many, tokens have none. */
function findWords(value: string): number {
  return value.split(/[-_.%+/]/).filter((part) => /^[A-Za-z]{2,}$/.test(part)).length;
}

function maskQueries(text: string): string {
  let masked = "";
  let position = 0;
  for (const { index, groups = {} } of text.matchAll(QUERY_PAIR)) {
    const { start = "", name = "", value = "" } = groups;
    if (!isSecretName(name) && !looksLikeToken(value)) continue;
    masked += text.slice(position, index) + start + REDACTED;
    position = index + start.length + value.length;
  }
  return masked + text.slice(position);
}

function maskText(text: string): string {
  const queried = text.includes("=") ? maskQueries(text) : text;
  let masked = "";
  let position = 0;
  for (const { start, end } of findCredentials(queried)) {
    masked += queried.slice(position, start) + REDACTED;
    position = end;
  }
  return masked + queried.slice(position);
}

function isSecretText(name: string, value: unknown): boolean {
  return isSecretName(name) && typeof value === "string" && value !== "";
}

/**
 * Plain data for a log, without what says of itself that it is secret: texts of fields whose names read like
 * credentials, token-like values in the query of an address, and texts in the form of a credential. For diagnostics,
 * where nobody knows the values; known ones are a masker's. custom-engine: environment variable references.
 */
export function maskForLog<T>(data: T): T;
export function maskForLog(data: unknown): unknown {
  return maskData(data, maskText, isSecretText);
}
