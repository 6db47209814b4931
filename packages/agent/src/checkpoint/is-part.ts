/** Whether a value is an object that is no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether these fields are texts. */
export function hasTexts(value: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
  return names.every((name) => typeof value[name] === "string");
}

/** Whether a value is a list of such items. */
export function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

/** Bytes, an address or a path, and what they are. */
function isMedia(value: Readonly<Record<string, unknown>>): boolean {
  const { data, url, path } = value;
  const isSource = (source: unknown): boolean => source === undefined || typeof source === "string";
  return hasTexts(value, ["mediaType"]) && [data, url, path].every(isSource) && (data ?? url ?? path) !== undefined;
}

/** Whether a value is an image of a tool. */
export function isImage(value: unknown): boolean {
  return isRecord(value) && value["type"] === "image" && isMedia(value);
}

/** What providers attach: an object for each. */
function isMetadata(value: unknown): boolean {
  return value === undefined || (isRecord(value) && Object.values(value).every(isRecord));
}

/** Whether a value is a tool call of an answer. */
export function isCall(value: unknown): boolean {
  if (!isRecord(value) || value["type"] !== "tool_call" || !isMetadata(value["providerMetadata"])) return false;
  return hasTexts(value, ["id", "name", "arguments"]);
}

/** Whether a value is a part of an answer; one of a kind that this release does not know is passed on. */
export function isResponsePart(value: unknown): boolean {
  if (!isRecord(value) || !isMetadata(value["providerMetadata"])) return false;
  switch (value["type"]) {
    case "text":
    case "thinking":
      return hasTexts(value, ["text"]);
    case "redacted_thinking":
      return hasTexts(value, ["data"]);
    case "tool_call":
      return isCall(value);
    case "image":
    case "audio":
    case "document":
      return isMedia(value);
    case "unknown":
      return hasTexts(value, ["kind"]);
    default:
      return value["type"] === "data";
  }
}
