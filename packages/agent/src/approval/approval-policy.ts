import type { ToolEffects } from "@switchyard/contracts";

/** What a rule says: run it, refuse it, or ask the user. */
export type ApprovalOutcome = "allow" | "deny" | "ask";

/** A rule; a call must fit all that it names. The first rule that fits decides. */
export interface ApprovalRule {
  /** Names of tools; `*` stands for any characters. All tools when unset. */
  readonly tool?: string | readonly string[] | undefined;
  /**
   * What the tools say that they may change. A rule that allows and names nothing but this does not let calls out to
   * the network: an address tells whoever is asked for it what is written in it. Name the tool or the `url`.
   */
  readonly effects?: ToolEffects | readonly ToolEffects[] | undefined;
  /**
   * Files, as globs below the workspace: `*` and `?` within one name, `**` for any folders, `[…]` and `{a,b}`. Fits
   * tools that name the files they touch.
   */
  readonly path?: string | readonly string[] | undefined;
  /**
   * The first words of a command, such as `npm run test`; `*` stands for any characters of a word. A rule that allows
   * is about commands in the working directory; with `path`, rules are about commands that run in a folder of that name.
   */
  readonly command?: string | readonly string[] | undefined;
  /**
   * Addresses: `docs.example.org`, `*.example.org`, `https://example.org/docs/*`, with a port where it is not the usual
   * one; `*` stands for any characters of the host or the path, and alone for everything. Where redirects lead to is not looked at.
   */
  readonly url?: string | readonly string[] | undefined;
  /** What happens to a call that fits. */
  readonly outcome: ApprovalOutcome;
  /** Why, in words for the model. */
  readonly reason?: string | undefined;
}

/** Which calls may run, as plain data. */
export interface ApprovalPolicy {
  /** In order. */
  readonly rules: readonly ApprovalRule[];
  /** What happens to a call that no rule fits; `ask` by default. */
  readonly otherwise?: ApprovalOutcome | undefined;
  /** Absolute path of the folder that globs are relative to; the workspace by default. */
  readonly workspace?: string | undefined;
}
