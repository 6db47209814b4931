import { EngineError } from "@switchyard/contracts";
import type { CustomCommand } from "./skill.ts";

/** Result of expanding a custom command. */
export interface ExpandedCommand {
  readonly command: CustomCommand;
  /** Text for the model. */
  readonly content: string;
}

/**
 * Returns the commands by name. The last command with a name is used. `undefined` if there are none. Throws
 * `config.invalid` if a name is invalid.
 */
export function commandTable(
  commands: readonly CustomCommand[] | undefined,
): ReadonlyMap<string, CustomCommand> | undefined {
  if (commands === undefined || commands.length === 0) return undefined;
  for (const { name } of commands) {
    if (/^[\w:-]{1,64}$/.test(name)) continue;
    const problem = `${JSON.stringify(name)} is not a valid name; use 1 to 64 letters, digits, -, _ and :`;
    throw new EngineError("config.invalid", { field: "commands", problem });
  }
  return new Map(commands.map((command) => [command.name, command]));
}

/** Splits arguments at white space. Quoted arguments stay together. A quote within a word is an apostrophe. */
function splitArguments(text: string): readonly string[] {
  const found = text.match(/(?:"[^"]*"|'[^']*')(?!\S)|\S+/g) ?? [];
  return found.map((part) => (/^(".*"|'.*')$/s.test(part) ? part.slice(1, -1) : part));
}

/**
 * Expands input of the form `/name arguments`. Inserts the arguments into the command's template, or appends them if
 * the template has no placeholder. `undefined` for any other input. See loop: §8, custom commands.
 */
export function expandCommand(
  input: string,
  commands: ReadonlyMap<string, CustomCommand>,
): ExpandedCommand | undefined {
  const [, name = "", rest = ""] = /^\/([\w:-]+)(?:\s+([\s\S]*))?$/.exec(input.trim()) ?? [];
  const command = commands.get(name);
  if (command === undefined) return undefined;
  const values = splitArguments(rest);
  let hasPlaceholder = false;
  // All placeholders are replaced in a single pass, so that placeholder texts within the arguments are not expanded.
  const content = command.template.replace(/\$(ARGUMENTS\b|[1-9](?!\d))/g, (_, placeholder: string) => {
    hasPlaceholder = true;
    return placeholder === "ARGUMENTS" ? rest : (values[Number(placeholder) - 1] ?? "");
  });
  return { command, content: hasPlaceholder || rest === "" ? content : `${content}\n\nArguments: ${rest}` };
}
