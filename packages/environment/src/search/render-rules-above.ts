import { compileGlob } from "../glob/compile-glob.ts";
import type { IgnoreRule, IgnoreRules } from "../glob/ignore-rules.ts";
import { toGlob } from "../glob/ignore-rules.ts";

/**
 * Rules of the folders above a searched folder as lines of a `.gitignore` inside of it, which decide where no file of
 * rules in there does. `layers` are listed from the root downwards, `relative` is the folder below that root.
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

/** What is left of a pattern for a place when it has taken the names on the way to the folder, in each way it can. */
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
        // It may have been for nothing: the next segment takes the name. A set that grows is walked to its new end.
        reached.add(at + 1);
      } else if (compileGlob(toGlob(segment))(name)) {
        next.add(at + 1);
      }
    }
    reached = next;
  }
  return [...reached].filter((at) => at < segments.length).map((at) => `/${segments.slice(at).join("/")}`);
}
