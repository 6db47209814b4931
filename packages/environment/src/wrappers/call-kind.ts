import type { EnvironmentCall, EnvironmentOperation } from "./wrap-environment.ts";

const CHANGES: ReadonlySet<EnvironmentOperation> = new Set(["writeFile", "makeDirectory", "rename", "remove"]);
const MAX_NAME_CHARS = 80;

/** Returns whether a call changes files directly, as opposed to through a command. */
export function isChange({ operation }: EnvironmentCall): boolean {
  return CHANGES.has(operation);
}

/** Returns whether a call starts a process. */
export function isCommand({ command }: EnvironmentCall): boolean {
  return command !== undefined;
}

/** Returns the name of a command for messages: its program, or the start of its command line. */
export function nameOfCommand({ command = "" }: Pick<EnvironmentCall, "command">): string {
  const name = typeof command === "string" ? command : (command[0] ?? "");
  return name.length <= MAX_NAME_CHARS ? name : `${name.slice(0, MAX_NAME_CHARS)}…`;
}
