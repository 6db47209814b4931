import type { ExecutionEnvironment } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { isChange, isCommand, nameOfCommand } from "./call-kind.ts";
import type { WrapperOptions } from "./wrap-environment.ts";
import { wrapEnvironment } from "./wrap-environment.ts";

/** What an environment that is only read may do. */
export interface ReadOnlyOptions extends WrapperOptions {
  /**
   * Whether commands are refused (default) or run. Nothing keeps a command that is run from writing: allow them where
   * the place itself is read-only, or where they are trusted.
   */
  readonly shell?: "refuse" | "allow" | undefined;
}

/**
 * An environment whose files cannot be changed: every write, move and removal is refused with `environment.read_only`,
 * and commands with `environment.command_refused` unless they are allowed. loop: §4.4.
 */
export function withReadOnly(environment: ExecutionEnvironment, options: ReadOnlyOptions = {}): ExecutionEnvironment {
  return wrapEnvironment(environment, {
    suffix: "read-only",
    keepOpen: options.keepOpen,
    async around(call, run) {
      if (isChange(call)) throw new EngineError("environment.read_only", { path: call.paths.at(-1) });
      if (isCommand(call) && options.shell !== "allow") {
        const problem = "it could write, and this environment is read-only";
        throw new EngineError("environment.command_refused", { command: nameOfCommand(call), problem });
      }
      return run();
    },
  });
}
