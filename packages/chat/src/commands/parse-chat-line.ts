import { CHAT_COMMANDS, type ChatCommandName } from "./chat-commands.ts";

/** Meaning of a line that the user entered. */
export type ChatLine =
  | { readonly kind: "empty" }
  | { readonly kind: "message"; readonly text: string }
  | { readonly kind: "command"; readonly name: ChatCommandName; readonly argument: string }
  | { readonly kind: "unknown"; readonly name: string; readonly suggestion: string | undefined };

const ALIASES: Readonly<Record<string, ChatCommandName>> = { exit: "quit", q: "quit", "?": "help" };

/**
 * Parses a line that the user entered. A command is one line that starts with a slash and a word, such as `/model`. A
 * path such as `/etc/hosts` is not a command, and a line that starts with a space is always a message.
 */
export function parseChatLine(line: string): ChatLine {
  const text = line.trim();
  if (text === "") return { kind: "empty" };
  const [, word, argument = ""] = /^\/([a-z?]+)(?:[ \t]+(.*))?$/.exec(line.trimEnd()) ?? [];
  if (word === undefined) return { kind: "message", text };
  const name = CHAT_COMMANDS.find((command) => command.name === word)?.name ?? ALIASES[word];
  if (name !== undefined) return { kind: "command", name, argument: argument.trim() };
  const near = CHAT_COMMANDS.find((command) => command.name.startsWith(word.slice(0, 2)));
  return { kind: "unknown", name: word, suggestion: near?.name };
}
