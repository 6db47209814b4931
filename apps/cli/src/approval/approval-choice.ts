import type { ApprovalPolicy, ApprovalRule } from "@switchyard/agent";
import { type ApprovalMode, isApprovalMode } from "@switchyard/settings";
import { parseRule } from "./parse-rule.ts";

/** What the options say about permissions. */
export interface ApprovalChoice {
  /** Which calls wait for a permission; those that write once a rule allows some, else none. */
  readonly approve?: ApprovalMode | undefined;
  /** Rules for calls that run without a question. */
  readonly allow?: readonly string[] | undefined;
  /** Rules for calls that never run. */
  readonly deny?: readonly string[] | undefined;
}

/** Tools that change files of the workspace, and nothing else. */
const EDITORS = ["write_file", "edit_file", "apply_patch"] as const;
/** Tools that only steer what other calls began: those are asked about themselves. */
const HELPERS = [
  ...["spawn_agent", "send_input", "wait", "close_agent", "skill"],
  ...["shell_output", "shell_kill"],
] as const;

const READING: readonly ApprovalRule[] = [
  { effects: "readonly", outcome: "allow" },
  { tool: HELPERS, outcome: "allow" },
];
const EDITING: readonly ApprovalRule[] = [
  // Does not cover files that other tools execute, such as `.git/hooks` and `.envrc`: those are asked about.
  { tool: EDITORS, path: "**", outcome: "allow" },
];

const RULES: Readonly<Record<Exclude<ApprovalMode, "never">, readonly ApprovalRule[]>> = {
  plan: READING,
  "on-commands": [...READING, ...EDITING],
  "on-writes": READING,
  always: [],
};

/** The mode of a choice: who allows some calls does not mean all of them. */
export function modeOf({ approve, allow = [] }: ApprovalChoice): ApprovalMode {
  return approve ?? (allow.length > 0 ? "on-writes" : "never");
}

function isAboutAll({ command, path, url }: ApprovalRule): boolean {
  return command === undefined && path === undefined && url === undefined;
}

/** The rules of a choice, in order: what is denied, what is allowed, what the mode says; nothing where all calls run. */
export function toApprovalPolicy(choice: ApprovalChoice): ApprovalPolicy | undefined {
  const { allow = [], deny = [] } = choice;
  const mode = modeOf(choice);
  if (mode === "never" && deny.length === 0) return undefined;
  const denied = deny.map((text): ApprovalRule => ({ ...parseRule(text), outcome: "deny" }));
  if (mode === "never") return { rules: denied, otherwise: "allow" };
  const allowed = allow.map((text): ApprovalRule => ({ ...parseRule(text), outcome: "allow" }));
  // Of a call that a narrower rule may mean nobody could tell: one that means the whole tool comes first.
  const ordered = [...allowed.filter(isAboutAll), ...allowed.filter((rule) => !isAboutAll(rule))];
  return { rules: [...denied, ...ordered, ...RULES[mode]], otherwise: mode === "plan" ? "deny" : "ask" };
}

/** A choice with what another one says on top: rules are added, a denial counts before all that is allowed. */
export function withChoice(kept: ApprovalChoice, { approve, allow = [], deny = [] }: ApprovalChoice): ApprovalChoice {
  return {
    approve: approve ?? kept.approve,
    allow: [...(kept.allow ?? []), ...allow],
    deny: [...(kept.deny ?? []), ...deny],
  };
}

/** A choice as plain data; nothing where it says nothing. */
export function toKeptChoice({ approve, allow = [], deny = [] }: ApprovalChoice): Record<string, unknown> | undefined {
  if (approve === undefined && allow.length === 0 && deny.length === 0) return undefined;
  return { ...(approve === undefined ? {} : { approve }), allow: [...allow], deny: [...deny] };
}

/** A choice that was kept; of what is none, everything is asked about. */
export function fromKeptChoice(kept: unknown): ApprovalChoice {
  if (kept === undefined) return {};
  if (typeof kept !== "object" || kept === null) return { approve: "always" };
  const approve = "approve" in kept ? kept.approve : undefined;
  return {
    ...(approve === undefined ? {} : { approve: isApprovalMode(approve) ? approve : "always" }),
    allow: rulesIn("allow" in kept ? kept.allow : undefined),
    deny: rulesIn("deny" in kept ? kept.deny : undefined),
  };
}

function rulesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((rule) => typeof rule === "string") : [];
}
