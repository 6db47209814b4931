import type { McpServerSettings } from "../config/mcp-server-config.ts";

/** Returns whether a name matches a pattern with `*`, in linear time. */
function fits(name: string, pattern: string): boolean {
  const [head = "", ...rest] = pattern.split("*");
  const tail = rest.pop();
  if (tail === undefined) return name === head;
  if (!name.startsWith(head)) return false;
  let from = head.length;
  for (const part of rest) {
    const found = name.indexOf(part, from);
    if (found < 0) return false;
    from = found + part.length;
  }
  return name.length - tail.length >= from && name.endsWith(tail);
}

/** Creates a filter from a server's lists of included and excluded tools. */
export function nameFilter({ includeTools, excludeTools = [] }: McpServerSettings): (name: string) => boolean {
  return (name) =>
    (includeTools === undefined || includeTools.some((pattern) => fits(name, pattern))) &&
    !excludeTools.some((pattern) => fits(name, pattern));
}
