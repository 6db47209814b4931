import { createRedactor, type Masker, type Redactor } from "@switchyard/secrets";
import { createRequestCleaner } from "./clean-request.ts";
import type { RecordedModelCall } from "./model-call-recording.ts";

/** Names of fields that contain a piece of a streamed text. The pieces of one text arrive in several events. */
const DELTAS: ReadonlySet<string> = new Set([
  ...["text", "thinking", "partial_json", "delta", "content", "arguments", "input"],
  ...["reasoning_content", "reasoning", "refusal", "summary_text"],
]);
/**
 * Names of fields that identify the text to which a piece belongs. The pieces of several texts may arrive in mixed
 * order.
 */
const POSITIONS: ReadonlySet<string> = new Set(["index", "output_index", "content_index", "summary_index"]);
/** Names of fields with signatures or binary data, which would be invalid if they were redacted. */
const OPAQUE: ReadonlySet<string> = new Set([
  ...["signature", "encrypted_content", "thoughtSignature", "thought_signature", "data", "id", "call_id"],
]);

type Mask = Pick<Masker, "mask">;
/** Returns the replacement for a text. `key` is the same for all pieces of one streamed text. */
type Replace = (text: string, key: string) => string;

/** Removes secrets from calls before they are recorded or compared with a recording. */
export interface CallCleaner {
  /** Returns a request body without secrets. */
  request(request: RecordedModelCall["request"]): RecordedModelCall["request"];
  /** Returns a call without secrets. */
  call(call: RecordedModelCall): RecordedModelCall;
}

interface Place {
  readonly path: string;
  readonly name: string;
}

/**
 * Returns a copy of plain data in which each text is replaced by the result of `replace`. `replace` also receives a
 * key, which is equal for all pieces of the same streamed text. The key consists of the path of the text and of the
 * fields in `POSITIONS` that occur in the objects along this path.
 */
function mapTexts(value: unknown, place: Place, replace: Replace): unknown {
  if (typeof value === "string") return replace(value, `${place.name} ${place.path}`);
  if (Array.isArray(value)) {
    return value.map((entry: unknown, index) =>
      mapTexts(entry, { ...place, path: `${place.path}[${index}]` }, replace),
    );
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const position = entries.flatMap(([name, number]) => (POSITIONS.has(name) ? [`${name}=${String(number)}`] : []));
  const path = `${place.path}{${position.join()}}`;
  return Object.fromEntries(
    entries.map(([name, entry]) => [name, mapTexts(entry, { path: `${path}.${name}`, name }, replace)]),
  );
}

/** A server-sent event: the text before its JSON, the JSON, and the text after it. */
interface SplitEvent {
  readonly before: string;
  readonly json: unknown;
  readonly after: string;
}

function splitEvent(part: string): SplitEvent | undefined {
  const match = /^([\s\S]*?(?:^|\n)data: ?)(.*)(\r?\n[\s\S]*)?$/.exec(part);
  try {
    const json: unknown = JSON.parse(match?.[2] ?? part);
    return { before: match?.[1] ?? "", json, after: match?.[3] ?? "" };
  } catch {
    return undefined;
  }
}

/** Creates a cleaner. `masker` masks known secrets. Other credentials are recognised by their format. */
export function createCallCleaner(masker: Mask): CallCleaner {
  const redactor: Redactor = createRedactor({ ignoresFields: true });
  const clean = (text: string, name: string): string =>
    OPAQUE.has(name) ? masker.mask(text) : redactor.text(masker.mask(text));
  const nameOf = (key: string): string => key.slice(0, key.indexOf(" "));

  /** Cleans the parts of a response. A secret may be split over several events, so their texts are joined first. */
  function cleanParts(parts: readonly string[]): readonly string[] {
    const split = parts.map(splitEvent);
    const joined = new Map<string, string>();
    const root: Place = { path: "", name: "" };
    for (const event of split) {
      mapTexts(event?.json, root, (text, key) => {
        if (DELTAS.has(nameOf(key))) joined.set(key, (joined.get(key) ?? "") + text);
        return text;
      });
    }
    const changed = new Map<string, string>();
    for (const [key, text] of joined) {
      const cleaned = clean(text, nameOf(key));
      if (cleaned !== text) changed.set(key, cleaned);
    }
    // If a text was changed, its first event receives the whole text, and its later events an empty one.
    const replace: Replace = (text, key) => {
      const whole = changed.get(key);
      if (whole === undefined) return DELTAS.has(nameOf(key)) ? text : clean(text, nameOf(key));
      changed.set(key, "");
      return whole;
    };
    return parts.map((part, index) => {
      const event = split[index];
      if (event === undefined) return clean(part, "");
      const json = mapTexts(event.json, root, replace);
      const isChanged = JSON.stringify(json) !== JSON.stringify(event.json);
      return isChanged ? `${event.before}${JSON.stringify(json)}${event.after}` : part;
    });
  }
  const cleanFields = createRequestCleaner((value, name) =>
    mapTexts(value, { path: "", name }, (text, key) => clean(text, nameOf(key))),
  );
  const cleanRequest: CallCleaner["request"] = (request) => (request === undefined ? undefined : cleanFields(request));
  return {
    request: cleanRequest,
    call: (call) => ({ ...call, request: cleanRequest(call.request), parts: cleanParts(call.parts) }),
  };
}
