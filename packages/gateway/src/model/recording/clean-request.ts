import { hash } from "node:crypto";

type Fields = Readonly<Record<string, unknown>>;

/** A cleaned value, and the digest of the value before it was cleaned. */
interface CleanedValue {
  readonly digest: string;
  readonly value: unknown;
}

/**
 * Creates a function that cleans request bodies with `clean`. Each request of a conversation repeats the previous one,
 * so a field, or an entry of an array, that occurred at the same place of the previous request is not cleaned again.
 */
export function createRequestCleaner(clean: (value: unknown, name: string) => unknown): (request: Fields) => Fields {
  let previous = new Map<string, CleanedValue>();
  return (request) => {
    const current = new Map<string, CleanedValue>();
    const cleanOnce = (value: unknown, name: string, place: string): unknown => {
      const digest = hash("sha256", JSON.stringify(value) ?? "", "base64");
      const known = previous.get(place);
      const cleaned = known?.digest === digest ? known : { digest, value: clean(value, name) };
      current.set(place, cleaned);
      return cleaned.value;
    };
    const fields = Object.entries(request).map(([name, value]) => {
      if (!Array.isArray(value)) return [name, cleanOnce(value, name, name)] as const;
      const entries = value.map((entry: unknown, index) => cleanOnce(entry, name, `${name} ${index}`));
      return [name, entries] as const;
    });
    previous = current;
    return Object.fromEntries(fields);
  };
}
