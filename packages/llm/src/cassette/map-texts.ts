/** Returns plain data with every text replaced, at any depth. Property names are unchanged. */
export function mapTexts<T>(data: T, change: (text: string) => string): T;
export function mapTexts(data: unknown, change: (text: string) => string): unknown {
  if (typeof data === "string") return change(data);
  if (Array.isArray(data)) return data.map((entry: unknown) => mapTexts(entry, change));
  if (typeof data !== "object" || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, mapTexts(value, change)]));
}
