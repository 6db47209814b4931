import { certificateProblem } from "@switchyard/contracts";
import type { ErrorInfo } from "./error-info.ts";

const MAX_LENGTH = 300;
const UNPRINTABLE = /[\p{Cc}\s]+/gu;

/** Takes secrets out of a text. */
export type Mask = (text: string) => string;

/** One printable, masked line of at most 300 characters. */
export function oneLine(text: string, mask: Mask): string {
  // Masked before it is cut: half a secret could not be recognised.
  const line = mask(text).replace(UNPRINTABLE, " ").trim();
  // A cut through a surrogate pair would leave half a character.
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1).replace(/[\ud800-\udbff]$/, "")}…` : line;
}

/** What came with a refusal. */
export interface Refusal {
  /** What could be read of it. */
  info: ErrorInfo;
  /** The whole text, where it came as one. */
  body: string | undefined;
  /** What the server calls the status. */
  statusText: string;
}

/** A short explanation of a refusal: never a page or a whole body. */
export function describeRefusal({ info, body, statusText }: Refusal, mask: Mask): string {
  if (info.message !== undefined) return oneLine(info.message, mask);
  const text = body?.trim() ?? "";
  if (/^<(!doctype|html|head|body|\?xml)/i.test(text)) return "the answer is a web page, not the API's";
  if (text !== "" && text.length <= MAX_LENGTH && !/[<{[]/.test(text)) return oneLine(text, mask);
  return oneLine(statusText, mask) || "no explanation was given";
}

const MINUTE_MS = 60_000;

/** A problem with the time to wait, where that is longer than somebody waits without being told. */
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
  CONNECT_TIMEOUT: "no connection within the time allowed",
  UND_ERR_SOCKET: "the connection was closed before an answer came",
  UND_ERR_CONNECT_TIMEOUT: "no connection within the time allowed",
  UND_ERR_HEADERS_TIMEOUT: "no answer within the time allowed",
  UND_ERR_BODY_TIMEOUT: "the answer stopped",
};

/** The errors of a chain of causes, outermost first. */
export function causesOf(error: unknown): readonly Error[] {
  const chain: Error[] = [];
  for (let value = error; value instanceof Error && !chain.includes(value); value = value.cause) {
    chain.push(value);
    if (value instanceof AggregateError && value.errors[0] instanceof Error) chain.push(value.errors[0]);
  }
  return chain;
}

/** The error code of the system or of `fetch` on a chain of causes. */
export function networkCode(error: unknown): string | undefined {
  for (const cause of causesOf(error)) {
    if ("code" in cause && typeof cause.code === "string" && /^[A-Z][A-Z0-9_]+$/.test(cause.code)) return cause.code;
  }
  return undefined;
}

/** What went wrong on the way, in words. */
export function describeNetwork(error: unknown, mask: Mask): string {
  const untrusted = certificateProblem(error);
  if (untrusted !== undefined) return untrusted;
  const code = networkCode(error);
  // Node's word for a server that hung up without an answer; its code is that of any connection that breaks.
  const isHungUp = causesOf(error).some(({ message }) => message === "socket hang up");
  const known = code === undefined ? undefined : NETWORK_PROBLEMS[isHungUp ? "UND_ERR_SOCKET" : code];
  if (known !== undefined) return known;
  const innermost = causesOf(error).at(-1)?.message ?? "the connection failed";
  return oneLine(code === undefined ? innermost : `${innermost} (${code})`, mask);
}
