import { createRedactor, isSecretName, type Redactor } from "@switchyard/secrets";
import { HEADERS } from "./headers-in.ts";

/** Content parts whose `data` is binary, or opaque to everyone but the provider. */
const WITH_BYTES: ReadonlySet<unknown> = new Set(["image", "audio", "document", "file", "redacted_thinking"]);

/**
 * Returns whether a value is binary data or a signature. Such values are not redacted: a match with a credential
 * pattern would be accidental, and a changed value would be invalid.
 */
function isOpaque(name: string, owner: object): boolean {
  return name === "providerMetadata" || (name === "data" && "type" in owner && WITH_BYTES.has(owner.type));
}

/**
 * Redactors of one recording. Each recording has its own, because redactors store short texts that they have searched.
 */
interface CassetteRedactors {
  /** Redacts messages, tools and schemas, in which field names are argument names and do not indicate secret values. */
  readonly content: Redactor;
  /** Redacts settings and failures: all headers, because any may be secret, and fields with secret names. */
  readonly settings: Redactor;
}

/** Creates the redactors of one recording. */
export function createCassetteRedactors(): CassetteRedactors {
  const content = createRedactor({
    ignoresFields: true,
    replacementOf: (name, item, owner) => (isOpaque(name, owner) ? { replacement: item } : undefined),
  });
  const settings = createRedactor({
    isSecretKey: (name) => HEADERS.test(name) || isSecretName(name),
    // In a schema, `password` is only the name of a requested property.
    replacementOf: (name, item) => (name === "responseFormat" ? { replacement: content.data(item) } : undefined),
  });
  return { content, settings };
}
