import type { Rule } from "./rule.ts";

/** Describes what a rule expects, for results. */
export function describeRule(rule: Rule): string {
  switch (rule.name) {
    case "exit_code":
      return String(rule.code);
    case "files_exist":
    case "files_not_exist":
      return rule.paths.join(", ");
    case "file_contains":
      return `${rule.path}: ${rule.text}`;
    case "golden_file":
      return rule.path;
    case "tool_called":
    case "tool_called_in_turn":
    case "tool_not_called_in_turn":
      return describeTool(rule);
    case "output_matches":
      return describeTerms(rule, ({ source }) => source);
    case "output_contains":
      return describeTerms(rule, (text) => text);
    default:
      return `turn ${rule.turn}: ${describeTerms(rule, (text) => text)}`;
  }
}

function describeTool({ tool, args, turn }: Extract<Rule, { tool: string }>): string {
  const given = Object.keys(args).length === 0 ? "" : ` ${JSON.stringify(args)}`;
  return `${turn === undefined ? "" : `turn ${turn}: `}${tool}${given}`;
}

function describeTerms<T>(
  { all, any, not }: { readonly all: readonly T[]; readonly any: readonly T[]; readonly not: readonly T[] },
  toText: (term: T) => string,
): string {
  const list = (name: string, terms: readonly T[]): string[] =>
    terms.length === 0 ? [] : [`${name} ${terms.map(toText).join(", ")}`];
  return [...list("all of", all), ...list("any of", any), ...list("none of", not)].join("; ");
}
