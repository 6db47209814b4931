import { isSecret, REDACTED } from "../secret/secret.ts";

const MAX_DEPTH = 256;

interface Masking {
  readonly mask: (text: string) => string;
  /** Whether a field is masked for its name, whatever it says. */
  readonly hides: (name: string, item: unknown) => boolean;
  /** Copies by original, so that shared and circular parts stay so. */
  readonly seen: Map<object, unknown>;
}

function maskKey(key: string, taken: Readonly<Record<string, unknown>>, mask: Masking["mask"]): string {
  const masked = mask(key);
  if (masked === key || !Object.hasOwn(taken, masked)) return masked;
  let number = 2;
  while (Object.hasOwn(taken, `${masked} (${number})`)) number += 1;
  return `${masked} (${number})`;
}

function maskArray(list: readonly unknown[], depth: number, masking: Masking): unknown {
  const copy: unknown[] = [];
  masking.seen.set(list, copy);
  let changed = false;
  for (const item of list) {
    const masked = maskValue(item, depth + 1, masking);
    changed ||= masked !== item;
    copy.push(masked);
  }
  if (!changed) masking.seen.set(list, list);
  return changed ? copy : list;
}

function entriesOf(value: object): [string, unknown][] {
  if (value instanceof Map) return [...value].map(([key, item]) => [String(key), item]);
  const entries: [string, unknown][] = Object.entries(value);
  if (!(value instanceof Error)) return entries;
  // These are no enumerable properties, yet they are what gets printed.
  return [["name", value.name], ["message", value.message], ["stack", value.stack], ["cause", value.cause], ...entries];
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function maskObject(value: object, depth: number, masking: Masking): unknown {
  const copy: Record<string, unknown> = Object.create(null);
  masking.seen.set(value, copy);
  let changed = !isPlain(value);
  for (const [key, item] of entriesOf(value)) {
    const maskedKey = maskKey(key, copy, masking.mask);
    const maskedItem = masking.hides(key, item) ? REDACTED : maskValue(item, depth + 1, masking);
    changed ||= maskedKey !== key || maskedItem !== item;
    copy[maskedKey] = maskedItem;
  }
  const result = changed ? Object.setPrototypeOf(copy, Object.prototype) : value;
  masking.seen.set(value, result);
  return result;
}

function maskValue(value: unknown, depth: number, masking: Masking): unknown {
  if (typeof value === "string") return masking.mask(value);
  if (typeof value !== "object" || value === null) return value;
  if (isSecret(value)) return REDACTED;
  if (value instanceof Date || ArrayBuffer.isView(value)) return value;
  // Deeper than any event or report: nothing unmasked gets out that way.
  if (depth > MAX_DEPTH) return REDACTED;
  if (masking.seen.has(value)) return masking.seen.get(value);
  if (value instanceof Set) return maskArray([...value], depth, masking);
  return Array.isArray(value) ? maskArray(value, depth, masking) : maskObject(value, depth, masking);
}

/**
 * Masks the texts and keys of plain data; what holds none is given back as it is. Errors, maps, sets and other
 * objects become plain data, wrapped secrets the marker; dates and bytes stay. `hides` masks fields by their names.
 */
export function maskData(data: unknown, mask: Masking["mask"], hides: Masking["hides"] = () => false): unknown {
  return maskValue(data, 0, { mask, hides, seen: new Map() });
}
