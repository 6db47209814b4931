import { createMasker } from "@switchyard/secrets";
import type { EnvironmentCall } from "../wrap-environment.ts";
import type { LoggedCall } from "./log-entry.ts";

/** Returns the properties of a call that may be logged. */
export function toLoggedCall(call: EnvironmentCall, number: number): LoggedCall {
  const { operation, paths, pattern, options } = call;
  const set = options?.env?.set ?? {};
  return {
    call: number,
    operation,
    paths,
    ...(pattern === undefined ? {} : { pattern }),
    ...(call.command === undefined ? {} : { command: maskCommand(call.command, Object.values(set)) }),
    ...(options?.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options?.env?.set === undefined ? {} : { variables: Object.keys(set) }),
    ...(options?.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
  };
}

/** Masks the values of a command's variables, because the caller may have inserted them into the command line too. */
function maskCommand(command: string | readonly string[], values: readonly string[]): string | readonly string[] {
  if (values.length === 0) return command;
  const { mask } = createMasker(values);
  return typeof command === "string" ? mask(command) : command.map((argument) => mask(argument));
}
