import type { MemberName } from "./encoded.ts";

/** Encodes a name. `undefined` for a symbol that the other side cannot know. */
export function encodeName(name: string | symbol): MemberName | undefined {
  if (typeof name === "string") return name;
  const registered = Symbol.keyFor(name);
  if (registered !== undefined) return { symbol: registered };
  const known = Object.entries(Object.getOwnPropertyDescriptors(Symbol)).find(([, { value }]) => value === name);
  return known === undefined ? undefined : { symbol: `@@${known[0]}` };
}

/** Decodes a name. */
export function decodeName(name: MemberName): string | symbol {
  if (typeof name === "string") return name;
  if (!name.symbol.startsWith("@@")) return Symbol.for(name.symbol);
  const known: unknown = Reflect.get(Symbol, name.symbol.slice(2));
  if (typeof known !== "symbol") throw new TypeError(`There is no symbol ${name.symbol}.`);
  return known;
}
