import { isSecretName, REDACTED } from "@switchyard/secrets";
import { HEADERS } from "./headers-in.ts";
import { scrubText } from "./scrub-text.ts";

/** What data is: settings have names that tell secrets; content has parts that must stay as they are. */
export type ScrubbedKind = "settings" | "content";

type Plain = Readonly<Record<string, unknown>>;

/** Redacts every text, however deep: of headers and credentials nobody knows which part of them is the key. */
function redactAll(value: unknown): unknown {
  if (typeof value === "string") return REDACTED;
  if (Array.isArray(value)) return value.map(redactAll);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, redactAll(entry)]));
}

function scrubSetting(name: string, value: unknown): unknown {
  if (HEADERS.test(name) || isSecretName(name)) return redactAll(value);
  // A schema has the names of what is asked for: `password` stands for its description there.
  return scrub(value, name === "responseFormat" ? "content" : "settings");
}

/** Parts whose `data` are bytes, or nobody's to read. */
const WITH_BYTES: ReadonlySet<unknown> = new Set(["image", "audio", "document", "file", "redacted_thinking"]);

/** Bytes and signatures are no text: a part of them that looks like a credential is chance, and changed they are void. */
function isOpaque(name: string, owner: Plain): boolean {
  return name === "providerMetadata" || (name === "data" && WITH_BYTES.has(owner["type"]));
}

function scrubObject(owner: Plain, kind: ScrubbedKind): Plain {
  let isSame = true;
  const entries = Object.entries(owner).map(([name, value]): [string, unknown] => {
    const scrubbed =
      kind === "settings" ? scrubSetting(name, value) : isOpaque(name, owner) ? value : scrub(value, kind);
    const scrubbedName = scrubText(name);
    if (scrubbed !== value || scrubbedName !== name) isSame = false;
    return [scrubbedName, scrubbed];
  });
  return isSame ? owner : Object.fromEntries(entries);
}

function isPlain(value: object): value is Plain {
  return !Array.isArray(value);
}

function scrub(value: unknown, kind: ScrubbedKind): unknown {
  if (typeof value === "string") return scrubText(value);
  if (typeof value !== "object" || value === null) return value;
  if (isPlain(value)) return scrubObject(value, kind);
  if (!Array.isArray(value)) return value;
  const scrubbed = value.map((entry: unknown) => scrub(entry, kind));
  return scrubbed.some((entry, index) => entry !== value[index]) ? scrubbed : value;
}

/** Plain data without what looks like a secret; the very same value when there is nothing. */
export function scrubData<T>(data: T, kind: ScrubbedKind): T;
export function scrubData(data: unknown, kind: ScrubbedKind): unknown {
  return scrub(data, kind);
}
