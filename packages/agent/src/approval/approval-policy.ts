import type { ToolEffects } from "@switchyard/contracts";

/** Outcome of a rule: run the call, deny it, or ask the user. */
export type ApprovalOutcome = "allow" | "deny" | "ask";

/** Approval rule. A call must match all its fields. The first matching rule decides. */
export interface ApprovalRule {
  /** Tool names; `*` matches any characters. Default: all tools. */
  readonly tool?: string | readonly string[] | undefined;
  /**
   * Declared effects of the tool. An `allow` rule with no other field does not cover network requests, because a
   * request discloses its URL to the server. Name the tool or the `url` instead.
   */
  readonly effects?: ToolEffects | readonly ToolEffects[] | undefined;
  /**
   * Files, as globs relative to the workspace: `*` and `?` within a name, `**` for any folders, `[…]` and `{a,b}`.
   * Matches tools that report their target files.
   */
  readonly path?: string | readonly string[] | undefined;
  /**
   * First words of a command, such as `npm run test`; `*` matches any characters of a word. An `allow` rule only covers
   * commands in the working directory. With `path`, the rule covers commands that run in a matching folder.
   */
  readonly command?: string | readonly string[] | undefined;
  /**
   * URLs: `docs.example.org`, `*.example.org`, `https://example.org/docs/*`, with the port if it is not the default.
   * `*` matches any characters of the host or path; alone, it matches everything. Redirect targets are not checked.
   */
  readonly url?: string | readonly string[] | undefined;
  /** Outcome for matching calls. */
  readonly outcome: ApprovalOutcome;
  /** Reason, written for the model. */
  readonly reason?: string | undefined;
}

/** Rules that decide which calls may run, as plain data. */
export interface ApprovalPolicy {
  /** Rules in order of precedence. */
  readonly rules: readonly ApprovalRule[];
  /** Outcome for calls that match no rule. Default: `ask`. */
  readonly otherwise?: ApprovalOutcome | undefined;
  /** Absolute path that globs are relative to. Default: the workspace. */
  readonly workspace?: string | undefined;
}
