import type { ApprovalPolicy, ApprovalRule } from "@switchyard/agent";
import { type ApprovalMode, isApprovalMode } from "@switchyard/settings";
import { parseRule } from "./parse-rule.ts";

/** Permissions that a user chose. */
export interface ApprovalChoice {
  /** Calls that need a permission. Default: `on-writes` if a rule allows some calls, otherwise `never`. */
  readonly approve?: ApprovalMode | undefined;
  /** Rules for calls that run without a permission. */
  readonly allow?: readonly string[] | undefined;
  /** Rules for calls that are denied. */
  readonly deny?: readonly string[] | undefined;
}

/** Tools that only change files of the workspace. */
const EDITORS = ["write_file", "edit_file", "apply_patch"] as const;
/** Tools that control subagents and background commands, whose own calls need permissions. */
const HELPERS = [
  ...["spawn_agent", "send_input", "wait", "close_agent", "skill"],
  ...["shell_output", "shell_kill"],
] as const;

const READING: readonly ApprovalRule[] = [
  { effects: "readonly", outcome: "allow" },
  { tool: HELPERS, outcome: "allow" },
];
const EDITING: readonly ApprovalRule[] = [
  // Does not cover files that other tools execute, such as `.git/hooks` and `.envrc`.
  { tool: EDITORS, path: "**", outcome: "allow" },
];

const RULES: Readonly<Record<Exclude<ApprovalMode, "never">, readonly ApprovalRule[]>> = {
  plan: READING,
  "on-commands": [...READING, ...EDITING],
  "on-writes": READING,
  always: [],
};

/** Returns the mode of a choice. Allowing some calls does not allow the others. */
export function modeOf({ approve, allow = [] }: ApprovalChoice): ApprovalMode {
  return approve ?? (allow.length > 0 ? "on-writes" : "never");
}

function isAboutAll({ command, path, url }: ApprovalRule): boolean {
  return command === undefined && path === undefined && url === undefined;
}

/**
 * Converts a choice to a policy: denials, then allowed calls, then the rules of the mode. `undefined` if all calls run.
 */
export function toApprovalPolicy(choice: ApprovalChoice): ApprovalPolicy | undefined {
  const { allow = [], deny = [] } = choice;
  const mode = modeOf(choice);
  if (mode === "never" && deny.length === 0) return undefined;
  const denied = deny.map((text): ApprovalRule => ({ ...parseRule(text), outcome: "deny" }));
  if (mode === "never") return { rules: denied, otherwise: "allow" };
  const allowed = allow.map((text): ApprovalRule => ({ ...parseRule(text), outcome: "allow" }));
  // A narrower rule may be undecidable for a call, so rules for whole tools come first.
  const ordered = [...allowed.filter(isAboutAll), ...allowed.filter((rule) => !isAboutAll(rule))];
  return { rules: [...denied, ...ordered, ...RULES[mode]], otherwise: mode === "plan" ? "deny" : "ask" };
}

/** Merges two choices: the second mode wins, rules are added. */
export function withChoice(stored: ApprovalChoice, { approve, allow = [], deny = [] }: ApprovalChoice): ApprovalChoice {
  return {
    approve: approve ?? stored.approve,
    allow: [...(stored.allow ?? []), ...allow],
    deny: [...(stored.deny ?? []), ...deny],
  };
}

/** Converts a choice to plain data; `undefined` if it is empty. */
export function toStoredChoice({
  approve,
  allow = [],
  deny = [],
}: ApprovalChoice): Record<string, unknown> | undefined {
  if (approve === undefined && allow.length === 0 && deny.length === 0) return undefined;
  return { ...(approve === undefined ? {} : { approve }), allow: [...allow], deny: [...deny] };
}

/** Reads a stored choice. Every call needs a permission if the data is invalid. */
export function fromStoredChoice(stored: unknown): ApprovalChoice {
  if (stored === undefined) return {};
  if (typeof stored !== "object" || stored === null) return { approve: "always" };
  const approve = "approve" in stored ? stored.approve : undefined;
  return {
    ...(approve === undefined ? {} : { approve: isApprovalMode(approve) ? approve : "always" }),
    allow: rulesIn("allow" in stored ? stored.allow : undefined),
    deny: rulesIn("deny" in stored ? stored.deny : undefined),
  };
}

function rulesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((rule) => typeof rule === "string") : [];
}
