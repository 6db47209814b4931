import type { ExecutionEnvironment } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { isChange, isCommand, nameOfCommand } from "./call-kind.ts";
import type { WrapperOptions } from "./wrap-environment.ts";
import { wrapEnvironment } from "./wrap-environment.ts";

/** Options for a read-only environment. */
export interface ReadOnlyOptions extends WrapperOptions {
  /**
   * Selects whether commands are rejected (`refuse`) or run. Commands can still write, so run them only if they are
   * trusted, or if the wrapped environment itself is read-only. Default: `refuse`.
   */
  readonly shell?: "refuse" | "allow" | undefined;
}

/**
 * Wraps an environment so that its files cannot be changed. Writes, moves and removals fail with
 * `environment.read_only`, and commands with `environment.command_refused` unless allowed. See loop: §4.4.
 */
export function withReadOnly(environment: ExecutionEnvironment, options: ReadOnlyOptions = {}): ExecutionEnvironment {
  return wrapEnvironment(environment, {
    suffix: "read-only",
    keepOpen: options.keepOpen,
    async around(call, run) {
      if (isChange(call)) throw new EngineError("environment.read_only", { path: call.paths.at(-1) });
      if (isCommand(call) && options.shell !== "allow") {
        const problem = "it could write files, but this environment is read-only";
        throw new EngineError("environment.command_refused", { command: nameOfCommand(call), problem });
      }
      return run();
    },
  });
}
