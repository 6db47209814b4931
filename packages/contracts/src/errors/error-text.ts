import type { WireError } from "./engine-error.ts";

/** Ends a text with a full stop, unless it already ends like a sentence. */
export function toSentence(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed === "" || /[.!?…:][)"'”’`]*$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** Returns the message and the remedy of an error as complete sentences. */
export function errorText({ message, remedy }: Pick<WireError, "message" | "remedy">): string {
  return `${toSentence(message)} ${toSentence(remedy)}`.trim();
}
