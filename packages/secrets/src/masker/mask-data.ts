import { isSecret, REDACTED } from "../secret/secret.ts";

const MAX_DEPTH = 256;
/**
 * Maximum number of objects and arrays that are searched for secrets before anything is copied. Data within this limit
 * is copied only if it contains a secret. Larger data is copied while it is searched.
 */
const MAX_VISITS = 1_000;

/** Additional rules for replacing values in data. */
export interface DataRules {
  /**
   * Returns the replacement for a field, based on its name or the object that contains it. `undefined`: the field's
   * value is masked like other values.
   */
  field?(name: string, item: unknown, owner: object): { readonly replacement: unknown } | undefined;
  /**
   * Returns true if an item of a list must be masked because of the previous items, such as the argument after
   * `--password`.
   */
  hidesItem?(list: readonly unknown[], index: number): boolean;
  /**
   * Text that replaces three kinds of values: list items for which `hidesItem` returns true, `Secret` objects, and
   * values that are nested too deeply. Default: `***REDACTED***`.
   */
  readonly marker?: string | undefined;
}

interface Masking {
  readonly mask: (text: string) => string;
  readonly rules: DataRules;
  /** Masked copy of each original object, so that shared and circular references are preserved. */
  readonly seen: Map<object, unknown>;
}

function markerOf({ rules }: Masking): string {
  return rules.marker ?? REDACTED;
}

function maskKey(key: string, used: Readonly<Record<string, unknown>>, mask: Masking["mask"]): string {
  const masked = mask(key);
  if (masked === key || !Object.hasOwn(used, masked)) return masked;
  let number = 2;
  while (Object.hasOwn(used, `${masked} (${number})`)) number += 1;
  return `${masked} (${number})`;
}

function maskArray(list: readonly unknown[], depth: number, masking: Masking): unknown {
  const copy: unknown[] = [];
  masking.seen.set(list, copy);
  let changed = false;
  for (const [index, item] of list.entries()) {
    const isHidden = index > 0 && masking.rules.hidesItem?.(list, index) === true;
    const masked = isHidden ? markerOf(masking) : maskValue(item, depth + 1, masking);
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
  // These properties of an error are not enumerable, but loggers print them.
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
    const replaced = masking.rules.field?.(key, item, value);
    const maskedItem = replaced === undefined ? maskValue(item, depth + 1, masking) : replaced.replacement;
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
  if (isSecret(value)) return markerOf(masking);
  if (value instanceof Date || ArrayBuffer.isView(value)) return value;
  // Events and reports are never nested this deeply. The value is replaced, because searching it would go too deep.
  if (depth > MAX_DEPTH) return markerOf(masking);
  if (masking.seen.has(value)) return masking.seen.get(value);
  if (value instanceof Set) return maskArray([...value], depth, masking);
  return Array.isArray(value) ? maskArray(value, depth, masking) : maskObject(value, depth, masking);
}

/** Counts down the containers that {@link isUnchanged} may visit. */
interface Visits {
  left: number;
}

function isListUnchanged(list: readonly unknown[], depth: number, masking: Masking & { visits: Visits }): boolean {
  for (let index = 0; index < list.length; index += 1) {
    if (index > 0 && masking.rules.hidesItem?.(list, index) === true) return false;
    if (!isUnchanged(list[index], depth + 1, masking)) return false;
  }
  return true;
}

/**
 * Returns whether masking surely changes nothing in a value. This check creates no copies, and most data contains no
 * secrets. Also returns false for unusual values: objects that are not plain, and data with so many containers that the
 * same objects probably occur again and again.
 */
function isUnchanged(value: unknown, depth: number, masking: Masking & { visits: Visits }): boolean {
  if (typeof value === "string") return masking.mask(value) === value;
  if (typeof value !== "object" || value === null) return true;
  if (depth > MAX_DEPTH || masking.visits.left === 0) return false;
  masking.visits.left -= 1;
  if (Array.isArray(value)) return isListUnchanged(value, depth, masking);
  if (isSecret(value) || !isPlain(value)) return false;
  const fields: Readonly<Record<string, unknown>> = { ...value };
  for (const key in fields) {
    const item = fields[key];
    if (masking.mask(key) !== key) return false;
    const replaced = masking.rules.field?.(key, item, value);
    if (replaced === undefined ? !isUnchanged(item, depth + 1, masking) : replaced.replacement !== item) return false;
  }
  return true;
}

/**
 * Masks the texts and keys in plain data. Returns the same value if it contains no secret. Errors, maps, sets and other
 * objects are converted to plain data. `Secret` objects are replaced with the marker. Dates and bytes stay unchanged.
 */
export function maskData(data: unknown, mask: Masking["mask"], rules: DataRules = {}): unknown {
  const masking: Masking = { mask, rules, seen: new Map() };
  if (isUnchanged(data, 0, { ...masking, visits: { left: MAX_VISITS } })) return data;
  return maskValue(data, 0, masking);
}
