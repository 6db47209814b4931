import { type EnvironmentContextOptions, environmentContext } from "./environment-context.ts";
import { inspectWorkspace } from "./inspect-workspace.ts";

/** Environment and git blocks, as written by `environmentContext`. */
const CONTEXT = /^<environment>\n[\s\S]*?^<\/environment>$(?:\n\n^<git>\n[\s\S]*?^<\/git>$)?/m;

/** First line of a message that describes the environment of a continued conversation. */
const UPDATE = "The conversation continues in this environment; it replaces the one described before.";

/**
 * Returns the system prompt of a continued conversation: the earlier one, unless anything but its environment blocks
 * has changed. An unchanged prompt keeps the provider's prompt cache valid.
 */
export function reuseEarlierPrompt(earlier: string, current: string): string {
  return earlier.replace(CONTEXT, "") === current.replace(CONTEXT, "") ? earlier : current;
}

/** What the model already knows about the environment. */
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
  /** Stops inspecting the environment. */
  readonly signal: AbortSignal;
}

/**
 * Returns a message with changes of the environment that the model does not know: date, branch, changed files. Appended
 * after earlier messages, so that they and the system prompt remain cached. `undefined` if nothing differs.
 */
export async function environmentUpdate(
  known: KnownEnvironment,
  { signal, ...options }: ContinuedEnvironment,
): Promise<string | undefined> {
  const { git } = await inspectWorkspace(options.environment, { names: options.profile.documentNames, signal });
  const current = environmentContext({ ...options, git });
  return signal.aborted || current === lastKnown(known) ? undefined : `${UPDATE}\n\n${current}`;
}
