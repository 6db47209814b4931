import { certificateProblem } from "@switchyard/contracts";
import type { ErrorInfo } from "./error-info.ts";

const MAX_LENGTH = 300;
/** Maximum length of a text that is masked, in UTF-16 units. The rest of a longer text would be cut off anyway. */
const MAX_MASKED = 1_048_576;
const UNPRINTABLE = /[\p{Cc}\s]+/gu;

/** Removes secrets from a text. */
export type Mask = (text: string) => string;

/** Returns one printable, masked line of at most 300 characters. */
export function oneLine(text: string, mask: Mask): string {
  // The text is masked before it is truncated, because a truncated secret could not be recognised.
  const line = mask(text.slice(0, MAX_MASKED)).replace(UNPRINTABLE, " ").trim();
  // Truncation inside a surrogate pair would leave half a character.
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1).replace(/[\ud800-\udbff]$/, "")}…` : line;
}

/** Data of an error response, from which an explanation is built. */
export interface Refusal {
  /** Parsed error. */
  info: ErrorInfo;
  /** Complete text, if available. */
  body: string | undefined;
  /** Status text of the server. */
  statusText: string;
}

/** Returns a short explanation of an error response, never a page or a complete body. */
export function describeRefusal({ info, body, statusText }: Refusal, mask: Mask): string {
  if (info.message !== undefined) return oneLine(info.message, mask);
  const text = body?.trim() ?? "";
  if (/^<(!doctype|html|head|body|\?xml)/i.test(text)) return "the response is a web page, not an API response";
  if (text !== "" && text.length <= MAX_LENGTH && !/[<{[]/.test(text)) return oneLine(text, mask);
  return oneLine(statusText, mask) || "no explanation was given";
}

const MINUTE_MS = 60_000;

/** Appends the time to wait, if it is long enough that the user should know. */
export function withWait(problem: string, afterMs: number | undefined): string {
  if (afterMs === undefined || afterMs <= MINUTE_MS) return problem;
  const minutes = Math.ceil(afterMs / MINUTE_MS);
  return `${problem}; it asks to wait for ${minutes <= 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`}`;
}

const NETWORK_PROBLEMS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was reset",
  EPIPE: "the connection was closed",
  ETIMEDOUT: "the connection timed out",
  ENOTFOUND: "the host name is unknown",
  EAI_AGAIN: "the host name cannot be looked up now",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  CONNECT_TIMEOUT: "no connection within the time limit",
  UND_ERR_SOCKET: "the connection was closed before a response arrived",
  UND_ERR_CONNECT_TIMEOUT: "no connection within the time limit",
  UND_ERR_HEADERS_TIMEOUT: "no response within the time limit",
  UND_ERR_BODY_TIMEOUT: "the answer stopped",
};

/** Returns the errors of a cause chain, outermost first. */
export function causesOf(error: unknown): readonly Error[] {
  const chain: Error[] = [];
  for (let value = error; value instanceof Error && !chain.includes(value); value = value.cause) {
    chain.push(value);
    if (value instanceof AggregateError && value.errors[0] instanceof Error) chain.push(value.errors[0]);
  }
  return chain;
}

/** Returns the first system or `fetch` error code in a cause chain. */
export function networkCode(error: unknown): string | undefined {
  for (const cause of causesOf(error)) {
    if ("code" in cause && typeof cause.code === "string" && /^[A-Z][A-Z0-9_]+$/.test(cause.code)) return cause.code;
  }
  return undefined;
}

/** Describes a network failure. */
export function describeNetwork(error: unknown, mask: Mask): string {
  const untrusted = certificateProblem(error);
  if (untrusted !== undefined) return untrusted;
  const code = networkCode(error);
  // Node's message for a server that closed the connection without a response; its code alone is ambiguous.
  const isHungUp = causesOf(error).some(({ message }) => message === "socket hang up");
  const known = code === undefined ? undefined : NETWORK_PROBLEMS[isHungUp ? "UND_ERR_SOCKET" : code];
  if (known !== undefined) return known;
  const innermost = causesOf(error).at(-1)?.message ?? "the connection failed";
  return oneLine(code === undefined ? innermost : `${innermost} (${code})`, mask);
}
