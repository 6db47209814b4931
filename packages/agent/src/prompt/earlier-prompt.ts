import { type EnvironmentContextOptions, environmentContext } from "./environment-context.ts";
import { inspectWorkspace } from "./inspect-workspace.ts";

/** The environment and git blocks as `environmentContext` writes them. */
const CONTEXT = /^<environment>\n[\s\S]*?^<\/environment>$(?:\n\n^<git>\n[\s\S]*?^<\/git>$)?/m;

/** First line of a message that describes the environment of a continued conversation. */
const UPDATE = "The conversation continues in this environment; it replaces the one described before.";

/**
 * The system prompt of a conversation that continues: the earlier one unless something else than its environment blocks
 * has changed, such as an instruction file. An unchanged prompt keeps the provider's prompt cache valid.
 */
export function reuseEarlierPrompt(earlier: string, current: string): string {
  return earlier.replace(CONTEXT, "") === current.replace(CONTEXT, "") ? earlier : current;
}

/** What the model knows of the environment so far. */
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

/** Where the conversation continues. */
export interface ContinuedEnvironment extends Omit<EnvironmentContextOptions, "git"> {
  /** Stops looking around. */
  readonly signal: AbortSignal;
}

/**
 * A message that describes the environment where it differs from what the model knows: date, branch, changed files. It
 * goes after the earlier messages, so that they and the system prompt stay as they were. `undefined` if nothing differs.
 */
export async function environmentUpdate(
  known: KnownEnvironment,
  { signal, ...options }: ContinuedEnvironment,
): Promise<string | undefined> {
  const { git } = await inspectWorkspace(options.environment, { names: options.profile.documentNames, signal });
  const current = environmentContext({ ...options, git });
  return signal.aborted || current === lastKnown(known) ? undefined : `${UPDATE}\n\n${current}`;
}
