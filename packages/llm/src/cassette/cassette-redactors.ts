import { createRedactor, isSecretName, type Redactor } from "@switchyard/secrets";
import { HEADERS } from "./headers-in.ts";

/** Content parts whose `data` are bytes, or opaque to everyone but the provider. */
const WITH_BYTES: ReadonlySet<unknown> = new Set(["image", "audio", "document", "file", "redacted_thinking"]);

/** Bytes and signatures are no text: a part of them that looks like a credential is chance, and a changed one is void. */
function isOpaque(name: string, owner: object): boolean {
  return name === "providerMetadata" || (name === "data" && "type" in owner && WITH_BYTES.has(owner.type));
}

/** Redacts messages, tools and schemas, in which names of fields are names of arguments and say nothing of values. */
export const CONTENT_REDACTOR: Redactor = createRedactor({
  ignoresFields: true,
  replacementOf: (name, item, owner) => (isOpaque(name, owner) ? { replacement: item } : undefined),
});

/** Redacts settings and failures: all headers, as it is unknown which of them are secret, and fields with secret names. */
export const SETTINGS_REDACTOR: Redactor = createRedactor({
  isSecretKey: (name) => HEADERS.test(name) || isSecretName(name),
  // A schema has names of what is asked for: `password` stands for its description.
  replacementOf: (name, item) => (name === "responseFormat" ? { replacement: CONTENT_REDACTOR.data(item) } : undefined),
});
