import type { SessionInput } from "@switchyard/contracts";
import { isEngineFile } from "@switchyard/settings";
import type { CommandContext } from "../context/command-context.ts";
import type { RunCommandOptions } from "./run-command-options.ts";

/** Options that can also be fields of a `SessionInput` document. */
type InputOptions = Pick<RunCommandOptions, "engine" | "model" | "maxTurns" | "timeout" | "retryFor" | "configured">;

/**
 * Adds the model and the limits to a session input. Order of precedence: command-line option, session input,
 * `SWITCHYARD_MODEL`, settings files.
 */
export function withInputOptions(context: CommandContext, options: InputOptions, input: SessionInput): SessionInput {
  const { configured = {} } = options;
  // An engine configuration file determines the model, so the default model is not used.
  const standard = isEngineFile(options.engine) ? undefined : context.env["SWITCHYARD_MODEL"] || configured.model;
  const model = options.model ?? input.model ?? standard;
  const maxTurns = options.maxTurns ?? input.max_turns ?? configured.maxTurns;
  const timeout = options.timeout ?? input.timeout_seconds ?? configured.timeout;
  const retryFor = options.retryFor ?? input.retry_for_seconds ?? configured.retryFor;
  return {
    ...input,
    ...(model === undefined ? {} : { model }),
    ...(maxTurns === undefined ? {} : { max_turns: maxTurns }),
    ...(timeout === undefined ? {} : { timeout_seconds: timeout }),
    ...(retryFor === undefined ? {} : { retry_for_seconds: retryFor }),
  };
}
