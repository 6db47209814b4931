import type { Part, UserPrompt, UserReply } from "@switchyard/contracts";
import { toolSubjectOf } from "@switchyard/contracts";
import { type AnswerPrompt, type ApprovalSubject, approvalSubjectOf, editLinesOf, quote } from "@switchyard/terminal";
import type { createColors } from "picocolors";
import { askLine } from "./ask-line.ts";
import { type Choice, choose, type QuestionTerminal } from "./choose.ts";

/** Options of `createAsker`. */
export interface AskerOptions extends QuestionTerminal {
  /** Formats questions. */
  readonly colours: ReturnType<typeof createColors>;
}

const CHOICES: readonly Choice[] = [
  { key: "y", label: "Allow once" },
  { key: "s", label: "Allow this call for this session" },
  { key: "n", label: "Deny" },
  { key: "r", label: "Deny and say why" },
];

/**
 * Creates the function that asks a run's questions in the interactive session. Each turn is a separate run. The
 * function therefore remembers calls that the user allowed for the session, and allows them in later turns.
 */
export function createAsker(options: AskerOptions): AnswerPrompt {
  const allowed = new Set<string>();
  return async (prompt, { signal }) => {
    signal.throwIfAborted();
    const subject = approvalSubjectOf(prompt);
    return subject === undefined
      ? askQuestion(options, prompt, signal)
      : askApproval(options, { subject, allowed }, signal);
  };
}

interface Approval {
  readonly subject: ApprovalSubject;
  /** Calls that the user allowed for the session. */
  readonly allowed: Set<string>;
}

async function askApproval(
  options: AskerOptions,
  { subject, allowed }: Approval,
  signal: AbortSignal,
): Promise<UserReply> {
  const { screen, colours } = options;
  const call = JSON.stringify([subject.tool, subject.args, subject.folder]);
  if (allowed.has(call)) {
    screen.print([colours.dim(`✓ ${sentenceOf(subject)}: allowed for this session`)]);
    return toReply("allow_session");
  }
  screen.print([`${colours.yellow("?")} ${colours.bold(sentenceOf(subject))}`, ...detailsOf(options, subject)]);
  const chosen = CHOICES[await choose(options, CHOICES, signal)]?.key;
  const why = chosen === "r" ? await askLine(options, "Why? ", signal) : "";
  switch (chosen) {
    case "y":
      screen.print([colours.green("✓ Allowed once")]);
      return toReply("allow_once");
    case "s":
      allowed.add(call);
      screen.print([colours.green("✓ Allowed for this session")]);
      return toReply("allow_session");
    default:
      screen.print([colours.yellow(why === "" ? "✗ Denied" : `✗ Denied: ${why}`)]);
      return why === "" ? toReply("deny") : toReply("deny", why);
  }
}

/** Describes a call in words: the agent and the requested action. */
function sentenceOf(subject: ApprovalSubject): string {
  const { tool, args, folder, agentId } = subject;
  const who = agentId === undefined ? "The agent" : `The subagent ${plain(agentId)}`;
  const where = folder === undefined ? "" : ` in ${plain(folder)}`;
  const path = plain(String(args["file_path"] ?? args["path"] ?? ""));
  switch (toolSubjectOf(tool) ?? subjectOfArguments(subject)) {
    case "command":
      return `${who} wants to run a command${where}`;
    case "path":
      return path === "" ? `${who} wants to change files` : `${who} wants to change ${path}`;
    case "url":
      return `${who} wants to open a web page`;
    default:
      return `${who} wants to use ${plain(tool)}`;
  }
}

/**
 * Returns what a call affects: a `command`, or the file at a `path`. Used for tools that are not built in, and judged
 * by the call's arguments. `undefined` for other calls.
 */
function subjectOfArguments({ tool, args, command }: ApprovalSubject): "command" | "path" | undefined {
  if (command !== undefined) return "command";
  return editLinesOf(tool, args) === undefined ? undefined : "path";
}

/**
 * Returns the lines that describe a call: the diff if it edits a file, the command if it runs one, otherwise its
 * arguments. If there is a reason for the question, it follows.
 */
function detailsOf({ screen, colours }: AskerOptions, subject: ApprovalSubject): string[] {
  const { columns } = screen.output;
  const edit = editLinesOf(subject.tool, subject.args);
  const text = edit?.lines.join("\n") ?? subject.command ?? argumentsOf(subject.args);
  const { lines } = quote(text, { columns, whole: true });
  const why = subject.reason === undefined ? [] : quote(`Why: ${subject.reason}`, { columns, whole: true }).lines;
  const coloured = edit === undefined ? lines : lines.map((line) => colourOf(line, colours));
  return [...coloured, ...why.map(colours.dim)];
}

/** Colours a quoted line of a diff. */
function colourOf(line: string, colours: AskerOptions["colours"]): string {
  const start = line.replace(/^ *│ /, "").charAt(0);
  return start === "+" ? colours.green(line) : start === "-" ? colours.red(line) : line;
}

function argumentsOf(args: ApprovalSubject["args"]): string {
  return Object.entries(args)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("\n");
}

function plain(text: string): string {
  return quote(text, { columns: 1_000, whole: true }).lines.join(" ").replace(/^ *│ /, "").trim();
}

async function askQuestion(options: AskerOptions, prompt: UserPrompt, signal: AbortSignal): Promise<UserReply> {
  const { screen, colours } = options;
  const { columns } = screen.output;
  const text = prompt.parts.map((part) => (part.type === "text" ? part.text : JSON.stringify(part))).join("\n");
  const schema = prompt.schema;
  const listed: unknown = schema?.["enum"];
  const names = Array.isArray(listed) ? listed.filter((name) => typeof name === "string") : [];
  screen.print([
    `${colours.yellow("?")} ${colours.bold("The agent asks")}`,
    ...quote(text, { columns, whole: true }).lines,
  ]);
  if (names.length > 0) {
    const choices = names.map((label, index) => ({ key: String(index + 1), label: plain(label) }));
    const chosen = names[await choose(options, choices, signal)] ?? "";
    screen.print([colours.dim(`> ${plain(chosen)}`)]);
    return toReply(chosen);
  }
  const wantsData = schema !== undefined && schema["type"] !== "string";
  if (wantsData)
    screen.print(quote(`Answer with JSON that matches: ${JSON.stringify(schema)}`, { columns, whole: true }).lines);
  let answer = "";
  while (answer === "") answer = await askLine(options, "Answer: ", signal);
  screen.print([colours.dim(`> ${answer.replaceAll("\n", "\n> ")}`)]);
  return { parts: [wantsData ? toData(answer) : { type: "text", text: answer }] };
}

function toData(text: string): Part {
  try {
    return { type: "data", value: JSON.parse(text) };
  } catch {
    return { type: "text", text };
  }
}

function toReply(...texts: readonly string[]): UserReply {
  return { parts: texts.map((text) => ({ type: "text", text })) };
}
