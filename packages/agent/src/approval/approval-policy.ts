import type { ToolEffects } from "@switchyard/contracts";

/** Outcome of an approval rule: run the tool call, deny it, or ask the user. */
export type ApprovalOutcome = "allow" | "deny" | "ask";

/** An approval rule. A call matches if it meets all conditions that the rule sets. The first matching rule decides. */
export interface ApprovalRule {
  /** Tool names; `*` matches any characters. Default: all tools. */
  readonly tool?: string | readonly string[] | undefined;
  /**
   * Declared effects of the tools that the rule matches. An allow rule with `effects` and without `tool` or `url` does
   * not allow network access, because a request can leak data in its URL.
   */
  readonly effects?: ToolEffects | readonly ToolEffects[] | undefined;
  /**
   * Globs relative to the workspace: `*` and `?` match within one name, `**` matches any number of folders; `[…]` and
   * `{a,b}` work too. Matches calls of tools that report which files they access.
   */
  readonly path?: string | readonly string[] | undefined;
  /**
   * Leading words of the commands that the rule matches, such as `npm run test`; `*` matches any characters of a word.
   * An allow rule without `path` matches only commands in the working directory. With `path`, the rule matches commands
   * that run in a folder matching it.
   */
  readonly command?: string | readonly string[] | undefined;
  /**
   * URL patterns: `docs.example.org`, `*.example.org`, `https://example.org/docs/*`, with a port if it is not the
   * default one. `*` matches any characters of the host or path; a lone `*` matches every URL. Redirect targets are not
   * checked.
   */
  readonly url?: string | readonly string[] | undefined;
  /** Outcome for a tool call that matches the rule. */
  readonly outcome: ApprovalOutcome;
  /** Reason for the outcome, reported to the model. */
  readonly reason?: string | undefined;
}

/** Policy that decides which tool calls may run, as plain data. */
export interface ApprovalPolicy {
  /** Approval rules in order of precedence. */
  readonly rules: readonly ApprovalRule[];
  /** Outcome for a call that no rule matches. Default: `ask`. */
  readonly otherwise?: ApprovalOutcome | undefined;
  /** Absolute path of the folder that globs are relative to. Default: the workspace. */
  readonly workspace?: string | undefined;
}
