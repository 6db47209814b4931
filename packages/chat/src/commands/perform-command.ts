import { EngineError } from "@switchyard/contracts";
import { cutToWidth, formatDuration, neutraliseControls, printError, summariseDiff } from "@switchyard/terminal";
import type { createColors } from "picocolors";
import type { Conversation } from "../conversation/conversation.ts";
import type { ChatInput } from "../input/create-chat-input.ts";
import { costTable } from "../report/cost-table.ts";
import { helpTable } from "../report/help-table.ts";
import { renderDiff } from "../report/render-diff.ts";
import { CHAT_MODES, type ChatHost, type ChatSettings, type EarlierConversation } from "../session/chat-host.ts";
import type { ChatScreen } from "../session/create-chat-screen.ts";
import { CHAT_COMMANDS, type ChatCommandName } from "./chat-commands.ts";

/** State of an interactive session that commands read and change. */
export interface ChatState {
  /** Functions of the program. */
  readonly host: ChatHost;
  /** Screen on which commands print. */
  readonly screen: ChatScreen;
  /** Input line. */
  readonly input: ChatInput;
  /** The turns so far. */
  readonly conversation: Conversation;
  /** Formats text. */
  readonly colours: ReturnType<typeof createColors>;
  /** Current time, in milliseconds since 1970. */
  readonly now: () => number;
  /** Settings of the next turn. */
  settings: ChatSettings;
}

const MODES: Readonly<Record<string, string>> = {
  plan: "plan: read-only, changes and commands are denied",
  ask: "ask: asks before each change and command",
  auto: "auto: changes and commands run without asking",
};

const KEYS: readonly (readonly [string, string])[] = [
  ["Enter", "send; while the agent works, steer it"],
  ["Alt-Enter, Ctrl-J", "new line; so does a backslash before Enter"],
  ["@ and Tab", "complete a file; @image.png attaches an image"],
  ["Up, Down", "earlier inputs"],
  ["Ctrl-U, Ctrl-W", "delete to the start of the line; delete a word"],
  ["Ctrl-C", "interrupt the agent; twice: leave"],
];

type Perform = (state: ChatState, argument: string) => void | Promise<void>;

const PERFORM: Readonly<Record<Exclude<ChatCommandName, "quit">, Perform>> = {
  help: printHelp,
  model: changeModel,
  engine: changeEngine,
  mode: changeMode,
  diff: printDiff,
  undo: undoTurn,
  fork: forkConversation,
  cost: ({ conversation, screen }) => {
    const lines = costTable(conversation.turns, screen.output.columns);
    screen.print(lines.length === 0 ? ["No turns yet."] : lines);
  },
  runs: ({ host, screen }, argument) => host.printRuns(screen.output, argument === "all" ? "all" : "folder"),
  continue: async (state) => {
    const earlier = await state.host.findLatest();
    if (earlier === undefined) state.screen.print(["There is no earlier conversation in this folder."]);
    else continueConversation(state, earlier);
  },
};

/** Performs a command other than `/quit`. Prints errors. */
export async function performCommand(
  state: ChatState,
  { name, argument }: { readonly name: Exclude<ChatCommandName, "quit">; readonly argument: string },
): Promise<void> {
  try {
    await PERFORM[name](state, argument);
  } catch (error) {
    if (!EngineError.is(error)) throw error;
    printError(state.screen.output, error);
  }
}

/** Continues an earlier conversation, and prints its last task and response. */
export function continueConversation(state: ChatState, earlier: EarlierConversation): void {
  const { screen, colours, conversation, now } = state;
  conversation.continue(earlier);
  const { engine, model } = earlier;
  if (
    engine !== undefined &&
    engine === state.settings.engine &&
    state.settings.model === undefined &&
    model !== undefined
  ) {
    state.settings = { ...state.settings, model };
  }
  const lines = neutraliseControls(earlier.response.trim()).split("\n");
  const shown = lines.length > 12 ? ["…", ...lines.slice(-12)] : lines;
  screen.print([
    colours.dim(
      `Continuing the conversation of ${formatDuration(now() - earlier.startedAt)} ago (run ${earlier.runId.slice(0, 10)}).`,
    ),
    colours.dim(cutToWidth(`> ${oneLine(earlier.title)}`, screen.output.columns - 1)),
    ...shown.map((line) => cutToWidth(line, screen.output.columns - 1)),
    "",
  ]);
}

function oneLine(text: string): string {
  return neutraliseControls(text).replace(/\s+/g, " ").trim();
}

function printHelp({ screen, colours }: ChatState): void {
  const commands = CHAT_COMMANDS.map(({ name, argument, help }) => [`/${name} ${argument}`.trim(), help] as const);
  const { columns } = screen.output;
  screen.print([
    ...[colours.bold("Commands"), ...helpTable(commands, columns)],
    ...[colours.bold("Keys"), ...helpTable(KEYS, columns)],
  ]);
}

function changeModel(state: ChatState, argument: string): void {
  const { screen, settings } = state;
  if (argument === "") {
    screen.print([`Model: ${settings.model ?? "the default of the engine"}. Change it with /model provider/name.`]);
    return;
  }
  state.settings = { ...settings, model: argument };
  screen.print([`Model: ${neutraliseControls(argument)}, from the next message on.`]);
}

async function changeEngine(state: ChatState, argument: string): Promise<void> {
  const { screen, settings, host } = state;
  const known = (await host.listEngines?.()) ?? [];
  const names = known.length === 0 ? [] : [`Known engines: ${known.join(", ")}.`];
  if (argument === "") {
    screen.print([`Engine: ${settings.engine}. Change it with /engine NAME.`, ...names]);
    return;
  }
  // An argument with other characters is not a plain engine name but, for example, a path. It is checked when the turn
  // starts.
  if (names.length > 0 && /^[\w-]+$/.test(argument) && !known.includes(argument)) {
    screen.print([`There is no engine ${argument}.`, ...names, `The engine is still ${settings.engine}.`]);
    return;
  }
  // The model of one engine is usually unknown to another. A mode that the user has not chosen may be unknown, too.
  const isChosen = settings.mode !== (await host.defaultMode?.(settings.engine));
  const mode = isChosen ? settings.mode : await host.defaultMode?.(argument);
  state.settings = { engine: argument, model: undefined, mode };
  screen.print([`Engine: ${neutraliseControls(argument)} with its default model, from the next message on.`]);
}

function changeMode(state: ChatState, argument: string): void {
  const { screen, settings } = state;
  const mode = CHAT_MODES.find((known) => known === argument);
  if (argument !== "" && mode === undefined) {
    screen.print([
      `There is no mode ${neutraliseControls(argument)}.`,
      ...CHAT_MODES.map((known) => `  ${MODES[known]}`),
    ]);
    return;
  }
  if (mode !== undefined) state.settings = { ...settings, mode };
  const current = state.settings.mode;
  const choices = argument === "" ? CHAT_MODES.map((known) => `  ${MODES[known]}`) : [];
  screen.print([`Mode: ${current === undefined ? "as given on the command line" : MODES[current]}.`, ...choices]);
}

function printDiff({ conversation, screen, colours }: ChatState): void {
  const turn = conversation.turns.findLast(({ report }) => (report.workspaceDiff ?? "") !== "");
  const diff = turn?.report.workspaceDiff;
  screen.print(
    diff === undefined ? ["No turn has changed files."] : renderDiff(diff, { columns: screen.output.columns, colours }),
  );
}

async function undoTurn({ host, conversation, screen, input, colours }: ChatState): Promise<void> {
  const last = conversation.turns.at(-1);
  if (last === undefined) {
    screen.print(["There is no turn to undo. `switchyard undo RUN` reverts an earlier run."]);
    return;
  }
  const diff = last.report.workspaceDiff ?? "";
  const reverted = diff === "" ? "" : await host.undo(last.report.runId);
  conversation.keep(conversation.turns.length - 1);
  input.setText(last.prompt);
  const files = summariseDiff(reverted).map((line) => `  ${neutraliseControls(line)}`);
  screen.print([
    files.length === 0
      ? "Removed the last turn, which changed no files."
      : "Removed the last turn and reverted its changes:",
    ...files,
    colours.dim("Its message is in the input line again."),
  ]);
}

function forkConversation({ conversation, screen }: ChatState, argument: string): void {
  const { turns } = conversation;
  const number = /^\d{1,6}$/.test(argument) ? Number(argument) : undefined;
  if (number === undefined || number > turns.length) {
    const rows = turns.map(({ prompt }, index) =>
      cutToWidth(`  ${index + 1}  ${oneLine(prompt)}`, screen.output.columns - 1),
    );
    const how =
      turns.length === 0 ? "There are no turns yet." : "Continue after a turn with /fork NUMBER; 0 starts over:";
    screen.print([how, ...rows]);
    return;
  }
  conversation.keep(number);
  screen.print([
    `The next message continues after turn ${number}. Files stay as they are; the later turns remain stored.`,
  ]);
}
