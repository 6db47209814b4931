import { EngineError } from "@switchyard/contracts";
import type { CustomCommand } from "./skill.ts";

/** Input that invoked a command. */
export interface ExpandedCommand {
  readonly command: CustomCommand;
  /** Expanded text for the model. */
  readonly content: string;
}

/** Returns commands by name; the last one of a name applies. `undefined` if there are none. Throws `config.invalid`. */
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

/** Splits arguments at spaces, keeping quoted parts together. Within a word, a quote is an apostrophe. */
function splitArguments(text: string): readonly string[] {
  const found = text.match(/(?:"[^"]*"|'[^']*')(?!\S)|\S+/g) ?? [];
  return found.map((part) => (/^(".*"|'.*')$/s.test(part) ? part.slice(1, -1) : part));
}

/**
 * Expands an input that starts with `/` and a command's name: its template with the arguments inserted, or appended if
 * the template has no placeholder. `undefined` for any other input. loop: §8, custom commands.
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
  // Replaced in one pass, so that placeholders within arguments are not replaced.
  const content = command.template.replace(/\$(ARGUMENTS\b|[1-9](?!\d))/g, (_, place: string) => {
    hasPlace = true;
    return place === "ARGUMENTS" ? rest : (values[Number(place) - 1] ?? "");
  });
  return { command, content: hasPlace || rest === "" ? content : `${content}\n\nArguments: ${rest}` };
}
