import { EngineError } from "@switchyard/contracts";
import type { CustomCommand } from "./skill.ts";

/** An input that called a command. */
export interface ExpandedCommand {
  readonly command: CustomCommand;
  /** What the model is told in its place. */
  readonly content: string;
}

/** Commands by their names, the last one of a name; unset where there are none. Throws `config.invalid`. */
export function commandTable(
  commands: readonly CustomCommand[] | undefined,
): ReadonlyMap<string, CustomCommand> | undefined {
  if (commands === undefined || commands.length === 0) return undefined;
  for (const { name } of commands) {
    if (/^[\w:-]{1,64}$/.test(name)) continue;
    const problem = `${JSON.stringify(name)} is no name: it takes 1 to 64 letters, digits, -, _ and :`;
    throw new EngineError("config.invalid", { field: "commands", problem });
  }
  return new Map(commands.map((command) => [command.name, command]));
}

/** Arguments as a person separates them: by spaces, those in quotes kept together. Inside of a word a quote is an apostrophe. */
function splitArguments(text: string): readonly string[] {
  const found = text.match(/(?:"[^"]*"|'[^']*')(?!\S)|\S+/g) ?? [];
  return found.map((part) => (/^(".*"|'.*')$/s.test(part) ? part.slice(1, -1) : part));
}

/**
 * What an input says that begins with `/` and the name of a command: its template with the arguments in it, or behind
 * it where it names no place for them. Any other input is no command. loop: §8, custom commands.
 */
export function expandCommand(
  input: string,
  commands: ReadonlyMap<string, CustomCommand>,
): ExpandedCommand | undefined {
  const [, name = "", rest = ""] = /^\/([\w:-]+)(?:\s+([\s\S]*))?$/.exec(input.trim()) ?? [];
  const command = commands.get(name);
  if (command === undefined) return undefined;
  const values = splitArguments(rest);
  let hasPlace = false;
  // In one pass: what an argument says is never taken for a place itself.
  const content = command.template.replace(/\$(ARGUMENTS\b|[1-9](?!\d))/g, (_, place: string) => {
    hasPlace = true;
    return place === "ARGUMENTS" ? rest : (values[Number(place) - 1] ?? "");
  });
  return { command, content: hasPlace || rest === "" ? content : `${content}\n\nArguments: ${rest}` };
}
