import { readEngineName } from "@switchyard/engine-catalog";
import { isEngineFile, type PermissionMode, type PermissionOptions } from "@switchyard/settings";
import { hasPerson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";

/** Engine whose tool calls this process can submit to the user for approval: the built-in agent. */
const ASKING_ENGINE = "agent";

/**
 * Resolves with the default permission mode of an engine on a terminal whose user can approve calls. It is `ask` for
 * the built-in agent if the user chose no permissions, otherwise `undefined`. `engine` is the name of an engine, or the
 * path of an engine configuration file, which may configure the built-in agent. Rejects with `input.unreadable` and
 * `config.malformed` if the file cannot be read.
 */
export async function defaultMode(
  context: CommandContext,
  { approve, allow }: PermissionOptions,
  engine: string,
): Promise<PermissionMode | undefined> {
  if (approve !== undefined || allow !== undefined) return undefined;
  const name = isEngineFile(engine) ? await readEngineName(context, engine) : engine;
  return name === ASKING_ENGINE ? "ask" : undefined;
}

/** Selects the default permission mode if the user chose none and can be asked on a terminal. */
export async function withDefaultMode<T extends PermissionOptions & { readonly engine: string }>(
  context: CommandContext,
  options: T,
): Promise<T> {
  if (options.mode !== undefined || !hasPerson(context)) return options;
  const mode = await defaultMode(context, options, options.engine);
  return mode === undefined ? options : { ...options, mode };
}
