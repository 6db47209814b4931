/** Returns true if a value is an object and not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns true if the named fields are strings. */
export function hasTexts(value: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
  return names.every((name) => typeof value[name] === "string");
}

/** Returns true if a value is an array whose items all pass a check. */
export function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

/** Returns true if a value is a media source (bytes, a URL or a path) with its type. */
function isMedia(value: Readonly<Record<string, unknown>>): boolean {
  const { data, url, path } = value;
  const isSource = (source: unknown): boolean => source === undefined || typeof source === "string";
  return hasTexts(value, ["mediaType"]) && [data, url, path].every(isSource) && (data ?? url ?? path) !== undefined;
}

/** Returns true if a value is an image from a tool. */
export function isImage(value: unknown): boolean {
  return isRecord(value) && value["type"] === "image" && isMedia(value);
}

/** Returns true if a value is provider metadata: an object per provider. */
function isMetadata(value: unknown): boolean {
  return value === undefined || (isRecord(value) && Object.values(value).every(isRecord));
}

/** Returns true if a value is a tool call of a response. */
export function isCall(value: unknown): boolean {
  if (!isRecord(value) || value["type"] !== "tool_call" || !isMetadata(value["providerMetadata"])) return false;
  return hasTexts(value, ["id", "name", "arguments"]);
}

/** Returns true if a value is a valid part of a response. Parts of unknown kinds are valid. */
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
