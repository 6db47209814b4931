import { EngineError } from "@switchyard/contracts";
import type { ApprovalRule } from "./approval-policy.ts";
import type { ApprovalRequest } from "./approval-request.ts";
import type { ApprovalSubject, CommandCall, PathSubject } from "./approval-subject.ts";
import { matchAllowedCommand, matchDeniedCommand } from "./match-command.ts";
import { matchFolder } from "./match-folder.ts";
import { matchesWildcard } from "./match-wildcard.ts";
import { compilePathGlob } from "./path-glob.ts";
import { allOf, anyOf, type Finding, type MatchResult } from "./rule-match.ts";
import { compileUrlPattern } from "./url-pattern.ts";

/** A compiled approval rule, ready to be matched against the resources of a call. */
export interface CompiledRule {
  readonly rule: ApprovalRule;
  /**
   * Returns whether the rule matches a tool call with regard to `subject`, one of the resources that the call accesses.
   */
  fitOf(request: ApprovalRequest, subject: ApprovalSubject): Finding;
}

function listOf<T extends string>(value: T | readonly T[] | undefined): readonly T[] | undefined {
  return typeof value === "string" ? [value] : value;
}

function toPrefix(command: string): readonly string[] {
  const words = command.split(/\s+/u).filter((word) => word !== "");
  if (words.length > 0) return words;
  throw new EngineError("config.invalid", { field: "approval rule command", problem: "it is empty; write * for any" });
}

function matchesTool(tools: readonly string[] | undefined, { tool, canonicalName }: ApprovalRequest): MatchResult {
  if (tools === undefined) return "yes";
  const names = canonicalName === undefined ? [tool] : [tool, canonicalName];
  return tools.some((pattern) => names.some((name) => matchesWildcard(pattern, name))) ? "yes" : "no";
}

type Check = (subject: ApprovalSubject) => Finding;

const YES: Finding = { fit: "yes" };
const NO: Finding = { fit: "no" };

/**
 * Returns the result for a tool that does not report which resources its calls access: `maybe` if the rule names the
 * tool, otherwise `no`.
 */
function matchUnspecified(rule: ApprovalRule): Finding {
  return { fit: rule.tool === undefined ? "no" : "maybe" };
}

/**
 * Returns true if a segment of a glob is literally one of the names, ignoring case. `names` are the path segments for
 * which other programs execute a file, such as `.git` for git hooks. For this name, `.git/**` returns true and `src/**`
 * returns false.
 */
function spellsOut(globs: readonly string[], names: readonly string[]): boolean {
  return globs.some((glob) =>
    glob
      .toLowerCase()
      .split("/")
      .some((segment) => names.includes(segment)),
  );
}

/**
 * Weakens an allow rule's match to `maybe` if the call writes a file that other programs execute, such as a git hook.
 * The match is not weakened if the rule's `path` literally contains a name that identifies such files (see
 * `spellsOut`).
 */
function matchWrite(rule: ApprovalRule, { executable }: PathSubject, finding: Finding): Finding {
  if (rule.outcome !== "allow" || finding.fit !== "yes" || executable === undefined) return finding;
  if (spellsOut(listOf(rule.path) ?? [], executable.names)) return finding;
  return { fit: "maybe", reason: executable.reason };
}

function pathCheck(rule: ApprovalRule, fold: (text: string) => string): Check {
  const globs = listOf(rule.path)?.map((glob) => compilePathGlob(glob, fold));
  if (globs === undefined) return () => YES;
  return (subject) => {
    switch (subject.kind) {
      case "path":
      case "tree": {
        const { kind, location } = subject;
        if (location.kind === "unknown") return { fit: "maybe" };
        const fits = globs.map((glob) =>
          kind === "path" ? glob.matchesPath(location.names) : glob.matchesTree(location.names),
        );
        return matchWrite(rule, subject, anyOf(fits.map((fit) => ({ fit }))));
      }
      case "command":
        return { fit: matchFolder(rule, globs, subject) };
      case "untold":
        return matchUnspecified(rule);
      default:
        return NO;
    }
  };
}

/**
 * Weakens an allow rule's match to `maybe` if the command runs in another folder and the rule sets no `path`. The same
 * applies if the location of a path that the command writes is uncertain.
 */
function matchLocation(rule: ApprovalRule, { isElsewhere, writeProblem }: CommandCall, finding: Finding): Finding {
  if (rule.outcome !== "allow" || finding.fit !== "yes") return finding;
  // A command can have different effects in another folder. There, an allow rule matches only if it sets `path`.
  if (isElsewhere && rule.path === undefined) return { fit: "maybe" };
  return writeProblem === undefined ? finding : { fit: "maybe", reason: writeProblem };
}

function commandCheck(rule: ApprovalRule): Check {
  const prefixes = listOf(rule.command)?.map(toPrefix);
  if (prefixes === undefined) return () => YES;
  const fitCommand = rule.outcome === "allow" ? matchAllowedCommand : matchDeniedCommand;
  return (subject) => {
    if (subject.kind === "untold") return matchUnspecified(rule);
    if (subject.kind !== "command") return NO;
    return matchLocation(rule, subject, anyOf(prefixes.map((prefix) => fitCommand(subject.command, prefix))));
  };
}

/**
 * Returns true if a rule applies to URLs. Allow rules that set `effects` without `tool` do not, because a network
 * request can leak data.
 */
function meansNetwork({ outcome, effects, tool }: ApprovalRule): boolean {
  return outcome !== "allow" || effects === undefined || tool !== undefined;
}

function urlCheck(rule: ApprovalRule): Check {
  const isAllowing = rule.outcome === "allow";
  const patterns = listOf(rule.url)?.map((pattern) => compileUrlPattern(pattern, isAllowing));
  if (patterns === undefined) return ({ kind }) => (kind !== "url" || meansNetwork(rule) ? YES : NO);
  return (subject) => {
    if (subject.kind === "untold") return matchUnspecified(rule);
    if (subject.kind !== "url") return NO;
    return anyOf(patterns.map((pattern) => ({ fit: pattern(subject.address) })));
  };
}

/**
 * Compiles an approval rule. `fold` maps names to the same text if the file system treats them as equal. Throws
 * `config.invalid`.
 */
export function compileRule(rule: ApprovalRule, fold: (text: string) => string): CompiledRule {
  const [tools, effects] = [listOf(rule.tool), listOf(rule.effects)];
  const [path, command, url] = [pathCheck(rule, fold), commandCheck(rule), urlCheck(rule)];
  return {
    rule,
    fitOf: (request, subject) =>
      allOf([
        { fit: matchesTool(tools, request) },
        effects === undefined || effects.includes(request.effects) ? YES : NO,
        path(subject),
        command(subject),
        url(subject),
      ]),
  };
}
