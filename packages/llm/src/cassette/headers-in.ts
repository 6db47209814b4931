import type { Header } from "../request/secret-headers.ts";

/** Names of settings that contain headers. */
export const HEADERS: RegExp = /headers?$/i;

function textsIn(name: string, value: unknown): readonly Header[] {
  if (typeof value === "string") return [[name, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) => textsIn(Array.isArray(value) ? name : key, entry));
}

/** Returns the headers in settings, at any depth. */
export function headersIn(settings: unknown): readonly Header[] {
  if (typeof settings !== "object" || settings === null) return [];
  return Object.entries(settings).flatMap(([name, value]) =>
    HEADERS.test(name) ? textsIn(name, value) : headersIn(value),
  );
}
