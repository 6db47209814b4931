import { compileGlob } from "../glob/compile-glob.ts";
import type { IgnoreRule, IgnoreRules } from "../glob/ignore-rules.ts";
import { toGlob } from "../glob/ignore-rules.ts";

/**
 * Returns the rules of parent folders as `.gitignore` lines relative to a searched folder, with lower priority than its
 * own ignore files. `layers` are ordered from the root downwards; `relative` is the folder's path below that root.
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

/** Returns the possible remainders of a pattern after it has matched the names on the way to the folder. */
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
        // The step may match nothing, so the next segment takes the name. The loop visits elements added meanwhile.
        reached.add(at + 1);
      } else if (compileGlob(toGlob(segment))(name)) {
        next.add(at + 1);
      }
    }
    reached = next;
  }
  return [...reached].filter((at) => at < segments.length).map((at) => `/${segments.slice(at).join("/")}`);
}
