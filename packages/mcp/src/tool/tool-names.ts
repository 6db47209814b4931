import { createHash } from "node:crypto";

/** Maximum length of a tool name that every model API accepts, in characters. */
const MAX_NAME_CHARS = 64;
/** Maximum length of the server's label in a tool name, in characters. */
const MAX_LABEL_CHARS = 24;
const HASH_CHARS = 8;

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, HASH_CHARS);
}

function sanitise(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, "_");
}

/** Returns a truncated name with a hash, which makes the name unique. */
function withHash(name: string, { of, maxChars }: { of: string; maxChars: number }): string {
  return `${name.slice(0, maxChars - HASH_CHARS - 1).replace(/_+$/, "")}_${hashOf(of)}`;
}

/**
 * Returns a valid name for each original name. Adds a hash if the valid name is too long or empty, or if several
 * originals have the same valid name. An original that equals this shared name gets no hash.
 */
function nameEach(originals: readonly string[], render: (original: string) => string, maxChars: number) {
  const rendered = new Map([...new Set(originals)].map((original) => [original, render(original)] as const));
  const counts = new Map<string, number>();
  for (const name of rendered.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = new Map<string, string>();
  for (const [original, name] of rendered) {
    const isShared = (counts.get(name) ?? 0) > 1 && name !== original;
    const needsHash = name.length > maxChars || isShared || name === "";
    names.set(original, needsHash ? withHash(name, { of: original, maxChars }) : name);
  }
  return names;
}

/**
 * Renders a server's label without `__` and without `_` at its ends, because the first `__` of a tool name ends the
 * label.
 */
function renderLabel(server: string): string {
  const label = sanitise(server).replace(/_{2,}/g, "_").replace(/^_|_$/g, "");
  return /^[a-zA-Z]/.test(label) ? label : `mcp_${label}`.replace(/_$/, "");
}

/** Returns the label of each server: letters, digits, `_` and `-`, starting with a letter, and unique. */
export function serverLabels(servers: readonly string[]): ReadonlyMap<string, string> {
  return nameEach(servers, renderLabel, MAX_LABEL_CHARS);
}

/**
 * Returns `server__tool` for each tool of a server: at most 64 letters, digits, `_` and `-`. The names depend only on
 * the server's label and tool names, so they are the same in every process. See loop: MCP, §8.
 */
export function toolNames(label: string, tools: readonly string[]): ReadonlyMap<string, string> {
  const names = nameEach(tools, sanitise, MAX_NAME_CHARS - label.length - 2);
  return new Map(Array.from(names, ([tool, name]) => [tool, `${label}__${name}`]));
}
