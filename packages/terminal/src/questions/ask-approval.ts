import type { UserReply } from "@switchyard/contracts";
import type { ApprovalSubject } from "../approval/approval-subject.ts";
import { cutToWidth } from "../text/display-width.ts";
import type { Dialogue } from "./dialogue.ts";
import { plainLine, quote } from "./quote.ts";

const CHOICES = "y = allow once, s = allow this exact call for the session, n = deny, n REASON = deny with a reason";
const AGAIN = "Answer y, s or n. A reason after n is sent to the model.";

function reply(...texts: readonly string[]): UserReply {
  return { parts: texts.map((text) => ({ type: "text", text })) };
}

/** Parses the user's response to an approval question. Returns `undefined` for an invalid response. */
function parseChoice(line: string): UserReply | undefined {
  const [, word = "", why = ""] = /^\s*(\S+?)[,:]?(?:\s+(.*))?$/su.exec(line) ?? [];
  const choice = word.toLowerCase();
  if (["n", "no", "deny"].includes(choice)) return why.trim() === "" ? reply("deny") : reply("deny", why.trim());
  // A "yes" followed by more text is ambiguous.
  if (why.trim() !== "") return undefined;
  if (["y", "yes", "allow_once"].includes(choice)) return reply("allow_once");
  return ["s", "session", "allow_session"].includes(choice) ? reply("allow_session") : undefined;
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function argumentText(name: string, value: unknown): string {
  const text = toText(value);
  return text.includes("\n") ? `${name}:\n${text}` : `${name}: ${text}`;
}

/** Formats a tool call for the user: the command first, then other arguments with their names. */
function textOf({ args, command }: ApprovalSubject): string {
  const others = Object.entries(args).filter(([, value]) => command === undefined || value !== command);
  const lines = others.map(([name, value]) => argumentText(name, value));
  return (command === undefined ? lines : [command, ...lines]).join("\n");
}

/** Prints a tool call and the possible answers. Returns true if part of the call was omitted. */
function show(dialogue: Dialogue, subject: ApprovalSubject, whole: boolean): boolean {
  const { columns } = dialogue;
  const who = subject.agentId === undefined ? "The agent" : `The subagent ${plainLine(subject.agentId)}`;
  const where = subject.folder === undefined ? "" : ` in the folder ${plainLine(subject.folder)}`;
  const text = textOf(subject);
  const { lines, isFolded } = text === "" ? { lines: [], isFolded: false } : quote(text, { columns, whole });
  const why = subject.reason === undefined ? [] : [cutToWidth(`  Why: ${plainLine(subject.reason)}`, columns - 1)];
  const headline = cutToWidth(`${who} wants to use ${plainLine(subject.tool)}${where}`, columns - 3);
  dialogue.say([dialogue.headline(headline), ...lines, ...why, `  ${CHOICES}${isFolded ? ", v = view all" : ""}`]);
  return isFolded;
}

/**
 * Asks whether a call may run, until the user gives a valid answer. Resolves with `undefined` at the end of the input.
 */
export async function askApproval(dialogue: Dialogue, subject: ApprovalSubject): Promise<UserReply | undefined> {
  show(dialogue, subject, false);
  for (;;) {
    const line = await dialogue.readLine();
    if (line === undefined) return undefined;
    const chosen = parseChoice(line);
    if (chosen !== undefined) return chosen;
    if (/^\s*v(?:iew)?\s*$/i.test(line)) show(dialogue, subject, true);
    else dialogue.say([`  ${AGAIN}`]);
  }
}
