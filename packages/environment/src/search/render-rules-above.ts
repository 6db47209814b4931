import { compileGlob } from "../glob/compile-glob.ts";
import type { IgnoreRule, IgnoreRules } from "../glob/ignore-rules.ts";
import { toGlob } from "../glob/ignore-rules.ts";

/**
 * Returns the ignore rules of parent folders, as `.gitignore` lines relative to a searched folder. They have a lower
 * priority than ignore files in that folder. `layers` are ordered from the root downwards; `relative` is the folder's
 * path below that root.
 */
export function renderRulesAbove(layers: readonly IgnoreRules[], relative: string): string {
  return layers
    .flatMap(({ folder, rules }) => {
      const names = (folder === "" ? relative : relative.slice(folder.length + 1)).split("/");
      return rules.flatMap((rule) => renderRule(rule, names));
    })
    .map((line) => `${line}\n`)
    .join("");
}

function renderRule(rule: IgnoreRule, names: readonly string[]): string[] {
  const patterns = rule.anchored ? renderRests(rule.pattern, names) : [rule.pattern];
  return patterns.map((pattern) => `${rule.negated ? "!" : ""}${pattern}${rule.foldersOnly ? "/" : ""}`);
}

/**
 * Returns the possible remainders of a pattern after its first segments have matched the names of the parent folders.
 */
function renderRests(pattern: string, names: readonly string[]): string[] {
  const segments = pattern.split("/").filter((segment) => segment !== "" && segment !== ".");
  let reached = new Set([0]);
  for (const name of names) {
    const next = new Set<number>();
    for (const at of reached) {
      const segment = segments[at];
      if (segment === undefined) continue;
      if (segment === "**") {
        next.add(at);
        // `**` may match no folder at all, so the next segment must be tried too. The loop also visits added entries.
        reached.add(at + 1);
      } else if (compileGlob(toGlob(segment))(name)) {
        next.add(at + 1);
      }
    }
    reached = next;
  }
  return [...reached].filter((at) => at < segments.length).map((at) => `/${segments.slice(at).join("/")}`);
}
