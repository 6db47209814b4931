import { type EnvironmentContextOptions, environmentContext } from "./environment-context.ts";
import { inspectWorkspace } from "./inspect-workspace.ts";

/** Matches the environment and git blocks that `environmentContext` writes. */
const CONTEXT = /^<environment>\n[\s\S]*?^<\/environment>$(?:\n\n^<git>\n[\s\S]*?^<\/git>$)?/m;

/** First line of a message that describes the environment of a continued conversation. */
const UPDATE = "The conversation continues in this environment; it replaces the one described before.";

/**
 * Returns the earlier system prompt of a continued conversation if only its environment blocks have changed. Otherwise
 * returns the current prompt. Reusing the earlier prompt preserves the provider's prompt cache.
 */
export function reuseEarlierPrompt(earlier: string, current: string): string {
  return earlier.replace(CONTEXT, "") === current.replace(CONTEXT, "") ? earlier : current;
}

/** Earlier prompt and messages, which contain the environment description that the model has already received. */
export interface KnownEnvironment {
  /** The earlier system prompt. */
  readonly prompt: string;
  /** Messages of the conversation, oldest first. */
  readonly messages: readonly string[];
}

function lastKnown({ prompt, messages }: KnownEnvironment): string | undefined {
  const update = messages.findLast((text) => text.startsWith(`${UPDATE}\n`));
  return CONTEXT.exec(update ?? prompt)?.[0];
}

/** Options for `environmentUpdate`. */
export interface ContinuedEnvironment extends Omit<EnvironmentContextOptions, "git"> {
  /** Signal that stops the inspection of the workspace when aborted. */
  readonly signal: AbortSignal;
}

/**
 * Creates a message that describes a changed environment: date, branch or changed files. Callers append it to the
 * conversation, so that the cached system prompt and messages stay unchanged. `undefined` if nothing has changed or the
 * signal aborted.
 */
export async function environmentUpdate(
  known: KnownEnvironment,
  { signal, ...options }: ContinuedEnvironment,
): Promise<string | undefined> {
  const { git } = await inspectWorkspace(options.environment, { names: options.profile.documentNames, signal });
  const current = environmentContext({ ...options, git });
  return signal.aborted || current === lastKnown(known) ? undefined : `${UPDATE}\n\n${current}`;
}
