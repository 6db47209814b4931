import type { ApprovalPolicy, ApprovalRule } from "@switchyard/agent";
import { type ApprovalMode, isApprovalMode } from "@switchyard/settings";
import { parseRule } from "./parse-rule.ts";

/** Permissions that the user chose with command-line options and settings. */
export interface ApprovalChoice {
  /**
   * Approval mode: which tool calls need approval. Default: `on-writes` if a rule allows some calls, otherwise `never`.
   */
  readonly approve?: ApprovalMode | undefined;
  /** Rules for tool calls that run without approval. */
  readonly allow?: readonly string[] | undefined;
  /** Rules for tool calls that are denied. */
  readonly deny?: readonly string[] | undefined;
}

/** Tools whose only effect is to change files of the workspace. */
const EDITORS = ["write_file", "edit_file", "apply_patch"] as const;
/**
 * Tools that control subagents and background commands. They need no approval, because the calls of the subagents and
 * the background commands are approved separately.
 */
const HELPERS = [
  ...["spawn_agent", "send_input", "wait", "close_agent", "skill"],
  ...["shell_output", "shell_kill"],
] as const;

const READING: readonly ApprovalRule[] = [
  { effects: "readonly", outcome: "allow" },
  { tool: HELPERS, outcome: "allow" },
];
const EDITING: readonly ApprovalRule[] = [
  // This does not allow writes to files that other programs execute, such as `.git/hooks` and `.envrc`.
  { tool: EDITORS, path: "**", outcome: "allow" },
];

const RULES: Readonly<Record<Exclude<ApprovalMode, "never">, readonly ApprovalRule[]>> = {
  plan: READING,
  "on-commands": [...READING, ...EDITING],
  "on-writes": READING,
  always: [],
};

/**
 * Returns the approval mode that the user chose. If the user only gave rules that allow some calls, all other changes
 * need approval.
 */
export function approvalModeOf({ approve, allow = [] }: ApprovalChoice): ApprovalMode {
  return approve ?? (allow.length > 0 ? "on-writes" : "never");
}

function isAboutAll({ command, path, url }: ApprovalRule): boolean {
  return command === undefined && path === undefined && url === undefined;
}

/**
 * Converts the user's permission choice to an approval policy. Its rules are, in order: denials, allowed calls, the
 * rules of the approval mode. `undefined` if all calls run without approval.
 */
export function toApprovalPolicy(choice: ApprovalChoice): ApprovalPolicy | undefined {
  const { allow = [], deny = [] } = choice;
  const mode = approvalModeOf(choice);
  if (mode === "never" && deny.length === 0) return undefined;
  const denied = deny.map((text): ApprovalRule => ({ ...parseRule(text), outcome: "deny" }));
  if (mode === "never") return { rules: denied, otherwise: "allow" };
  const allowed = allow.map((text): ApprovalRule => ({ ...parseRule(text), outcome: "allow" }));
  // Rules for whole tools come first, because it may be impossible to determine whether a narrower rule matches.
  const ordered = [...allowed.filter(isAboutAll), ...allowed.filter((rule) => !isAboutAll(rule))];
  return { rules: [...denied, ...ordered, ...RULES[mode]], otherwise: mode === "plan" ? "deny" : "ask" };
}

/** Merges two permission choices. The mode of the second takes precedence, and the rules of both apply. */
export function withChoice(stored: ApprovalChoice, { approve, allow = [], deny = [] }: ApprovalChoice): ApprovalChoice {
  return {
    approve: approve ?? stored.approve,
    allow: [...(stored.allow ?? []), ...allow],
    deny: [...(stored.deny ?? []), ...deny],
  };
}

/** Converts the user's permission choice to plain data for storage; `undefined` if the user chose nothing. */
export function toStoredChoice({
  approve,
  allow = [],
  deny = [],
}: ApprovalChoice): Record<string, unknown> | undefined {
  if (approve === undefined && allow.length === 0 && deny.length === 0) return undefined;
  return { ...(approve === undefined ? {} : { approve }), allow: [...allow], deny: [...deny] };
}

/** Reads the permission choice that is stored with a run. If the data is invalid, every tool call needs approval. */
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
