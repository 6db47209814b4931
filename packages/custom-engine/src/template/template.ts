/** Literal text of a template. */
export interface LiteralToken {
  readonly kind: "literal";
  /** Text to insert unchanged. */
  readonly text: string;
}

/** A reference to a variable: `${NAME}`, `${NAME:-default}`, `${NAME?message}`. */
export interface ReferenceToken {
  readonly kind: "reference";
  /** Name of the variable. */
  readonly name: string;
  /** Default value if the variable is missing or empty. */
  readonly fallback?: string | undefined;
  /** Error message if the variable is missing or empty. An empty string selects the default message. */
  readonly message?: string | undefined;
}

/** One piece of a template. */
export type TemplateToken = LiteralToken | ReferenceToken;

/** A parsed text with references. Inserted values are never searched for references. */
export type Template = readonly TemplateToken[];

const OPEN = "${";

/**
 * Parses a template. The first closing brace ends a reference. An unclosed reference is literal text. A reference that
 * contains `:-` has a default, even if it also contains `?`. See custom-engine: environment variable references.
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

/** Creates a template of literal text. */
export function literalTemplate(text: string): Template {
  return text === "" ? [] : [{ kind: "literal", text }];
}

/** Returns the references of a template. */
export function referencesOf(template: Template): readonly ReferenceToken[] {
  return template.filter((token) => token.kind === "reference");
}

/**
 * Returns the error message for a missing or empty variable: the message in the reference, or else the default message.
 */
export function problemOfMissing({ name, message }: Pick<ReferenceToken, "name" | "message">): string {
  if (message === undefined) return `environment variable ${name} is required but not set`;
  return message.trim() === "" ? `${name} is required` : message;
}
