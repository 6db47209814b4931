import type { EnvironmentCall, EnvironmentOperation } from "./wrap-environment.ts";

const CHANGES: ReadonlySet<EnvironmentOperation> = new Set(["writeFile", "makeDirectory", "rename", "remove"]);
const MAX_NAME_CHARS = 80;

/** Whether a call changes files by itself. */
export function isChange({ operation }: EnvironmentCall): boolean {
  return CHANGES.has(operation);
}

/** Whether a call starts something. */
export function isCommand({ command }: EnvironmentCall): boolean {
  return command !== undefined;
}

/** What a command is called in a message: its program, or the start of its line. */
export function nameOfCommand({ command = "" }: Pick<EnvironmentCall, "command">): string {
  const name = typeof command === "string" ? command : (command[0] ?? "");
  return name.length <= MAX_NAME_CHARS ? name : `${name.slice(0, MAX_NAME_CHARS)}…`;
}
