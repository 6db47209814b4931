import { createHash } from "node:crypto";

/** Most characters of a tool's name that every model API takes. */
const MAX_NAME_CHARS = 64;
/** Most of them for the server's part. */
const MAX_LABEL_CHARS = 24;
const HASH_CHARS = 8;

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, HASH_CHARS);
}

function sanitise(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, "_");
}

/** A name with its hash, so that it fits and is nobody else's. */
function withHash(name: string, { of, maxChars }: { of: string; maxChars: number }): string {
  return `${name.slice(0, maxChars - HASH_CHARS - 1).replace(/_+$/, "")}_${hashOf(of)}`;
}

/** A name that fits, for each of several that differ; one that had to be changed into another's gets its hash. */
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

/** No `__` and no `_` at the ends: the first `__` of a tool's name is where its server's part ends. */
function renderLabel(server: string): string {
  const label = sanitise(server).replace(/_{2,}/g, "_").replace(/^_|_$/g, "");
  return /^[a-zA-Z]/.test(label) ? label : `mcp_${label}`.replace(/_$/, "");
}

/** What the tools of each server begin with: letters, digits, `_` and `-`, beginning with a letter, and unique. */
export function serverLabels(servers: readonly string[]): ReadonlyMap<string, string> {
  return nameEach(servers, renderLabel, MAX_LABEL_CHARS);
}

/**
 * `server__tool` for each tool of a server: at most 64 letters, digits, `_` and `-`. The names depend on nothing but
 * what the server's tools are called, so that they are the same in every process. loop: MCP, §8.
 */
export function toolNames(label: string, tools: readonly string[]): ReadonlyMap<string, string> {
  const names = nameEach(tools, sanitise, MAX_NAME_CHARS - label.length - 2);
  return new Map(Array.from(names, ([tool, name]) => [tool, `${label}__${name}`]));
}
