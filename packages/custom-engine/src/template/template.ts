/** A piece of a text that is written as it is. */
export interface LiteralToken {
  readonly kind: "literal";
  /** What is written. */
  readonly text: string;
}

/** A reference to a variable: `${NAME}`, `${NAME:-default}`, `${NAME?message}`. */
export interface ReferenceToken {
  readonly kind: "reference";
  /** Name of the variable. */
  readonly name: string;
  /** What stands in for a variable that is missing or empty. */
  readonly fallback?: string | undefined;
  /** What is said where it is missing or empty; empty for the usual words. */
  readonly message?: string | undefined;
}

/** One piece of a template. */
export type TemplateToken = LiteralToken | ReferenceToken;

/** A text with references, taken apart once: what a reference becomes is never looked at for references again. */
export type Template = readonly TemplateToken[];

const OPEN = "${";

/**
 * Takes a text apart in one pass. The first closing brace ends a reference; one that is never closed stays as it is
 * written; a default is looked for before a message. custom-engine: environment variable references.
 */
export function parseTemplate(text: string): Template {
  const tokens: TemplateToken[] = [];
  let position = 0;
  for (;;) {
    const open = text.indexOf(OPEN, position);
    const close = open < 0 ? -1 : text.indexOf("}", open);
    if (close < 0) break;
    if (open > position) tokens.push({ kind: "literal", text: text.slice(position, open) });
    tokens.push(parseReference(text.slice(open + OPEN.length, close)));
    position = close + 1;
  }
  if (position < text.length) tokens.push({ kind: "literal", text: text.slice(position) });
  return tokens;
}

function parseReference(content: string): ReferenceToken {
  const fallbackAt = content.indexOf(":-");
  if (fallbackAt >= 0) {
    return { kind: "reference", name: content.slice(0, fallbackAt), fallback: content.slice(fallbackAt + 2) };
  }
  const messageAt = content.indexOf("?");
  if (messageAt < 0) return { kind: "reference", name: content };
  return { kind: "reference", name: content.slice(0, messageAt), message: content.slice(messageAt + 1) };
}

/** A template of one piece of plain text. */
export function literalTemplate(text: string): Template {
  return text === "" ? [] : [{ kind: "literal", text }];
}

/** The references of a template. */
export function referencesOf(template: Template): readonly ReferenceToken[] {
  return template.filter((token) => token.kind === "reference");
}

/** What is said where a variable is missing or empty: the reference's own message, if it has one. */
export function problemOfMissing({ name, message }: Pick<ReferenceToken, "name" | "message">): string {
  if (message === undefined) return `environment variable ${name} is required but not set`;
  return message.trim() === "" ? `${name} is required` : message;
}
