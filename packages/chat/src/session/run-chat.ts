import { EngineError, type SessionReport } from "@switchyard/contracts";
import { createView, cutToWidth, neutraliseControls, printError } from "@switchyard/terminal";
import picocolors from "picocolors";
import { imagePathsIn } from "../commands/attached-images.ts";
import { CHAT_COMMANDS } from "../commands/chat-commands.ts";
import { type ChatLine, parseChatLine } from "../commands/parse-chat-line.ts";
import { type ChatState, continueConversation, performCommand } from "../commands/perform-command.ts";
import type { CompletionSources } from "../completion/complete-word.ts";
import { createFileList } from "../completion/create-file-list.ts";
import { createConversation } from "../conversation/conversation.ts";
import { createChatInput } from "../input/create-chat-input.ts";
import { openHistoryFile } from "../input/history-file.ts";
import { createAsker } from "../questions/create-asker.ts";
import { turnSummary } from "../report/turn-summary.ts";
import { CHAT_MODES, type ChatHost, type ChatOptions, type ChatTerminal, type TurnDisplay } from "./chat-host.ts";
import { createChatScreen } from "./create-chat-screen.ts";
import { createLineQueue, type LineQueue } from "./line-queue.ts";
import { createWaitingLine } from "./waiting-line.ts";

const PASTE_ON = "\x1b[?2004h";
const PASTE_OFF = "\x1b[?2004l";
const IDLE = "Ask the agent. @ and Tab complete files, /help lists commands.";

/** State of an interactive session, shared by its functions. */
interface Chat extends ChatState {
  readonly terminal: ChatTerminal;
  readonly lines: LineQueue;
  readonly ask: TurnDisplay["ask"];
  readonly store: (line: string) => Promise<void>;
  /** Messages that were sent to the engine during the turn and that the engine has not read yet. */
  unread: string[];
  /** Whether the view has shown a response of the turn. */
  hasResponse: boolean;
  /** Warnings of the turn that were already shown. */
  shown: Set<string>;
  /** True once the user has asked to leave. */
  isLeaving: boolean;
}

/**
 * Runs an interactive session on a terminal until the user leaves. Each message starts a separate run that continues
 * the conversation. Rejects only with unexpected errors; errors of a turn are printed.
 */
export async function runChat(terminal: ChatTerminal, host: ChatHost, options: ChatOptions): Promise<void> {
  const chat = await openChat(terminal, host, options);
  const { screen, input, colours } = chat;
  terminal.stdout.write(PASTE_ON);
  input.begin();
  try {
    screen.print([...headerOf(chat), ""]);
    if (options.earlier !== undefined) continueConversation(chat, options.earlier);
    else await offerLatest(chat);
    if (options.prompt !== undefined) await takeLine(chat, options.prompt);
    while (!chat.isLeaving) await takeNext(chat);
  } finally {
    screen.hide();
    input.end();
    terminal.stdout.write(PASTE_OFF);
  }
  if (chat.conversation.from !== undefined) {
    screen.print([colours.dim(`Continue this conversation with: ${host.continueCommand}`)]);
  }
}

async function openChat(terminal: ChatTerminal, host: ChatHost, options: ChatOptions): Promise<Chat> {
  const colours = picocolors.createColors(terminal.stdout.hasColour);
  const history = host.historyFile === undefined ? undefined : openHistoryFile(host.historyFile);
  const commands = CHAT_COMMANDS.map(({ name }) => name);
  const input = createChatInput({
    stdin: terminal.stdin,
    history: (await history?.read()) ?? [],
    sources: { commands, arguments: argumentSources(host), files: createFileList(host.files, terminal.now) },
    colours,
  });
  const screen = createChatScreen(terminal, input);
  return {
    ...{ terminal, host, screen, input, colours, now: () => terminal.now() },
    lines: createLineQueue(input),
    ask: createAsker({ screen, input, colours, now: () => terminal.now() }),
    conversation: createConversation(),
    settings: options.settings,
    isLeaving: false,
    unread: [],
    hasResponse: false,
    shown: new Set(),
    // A full disk must not end the conversation.
    store: async (line) => history?.append(host.mask(line)).catch(() => undefined),
  };
}

/** Returns the functions that list the possible arguments of each command. */
function argumentSources({ listEngines }: ChatHost): CompletionSources["arguments"] {
  return { mode: async () => CHAT_MODES, engine: async () => (await listEngines?.()) ?? [], runs: async () => ["all"] };
}

function headerOf({ host, settings, colours, terminal }: Chat): string[] {
  const { engine, model = "default", mode = "custom" } = settings;
  const where = host.environment === undefined ? [] : [`environment ${host.environment}`];
  const facts = [engine, ...where, `model ${model}`, `mode ${mode}`].join(" · ");
  const columns = terminal.stdout.columns - 1;
  const rows = [`folder  ${host.folder}`, `engine  ${facts}`];
  return [colours.bold("Switchyard"), ...rows.map((row) => colours.dim(cutToWidth(neutraliseControls(row), columns)))];
}

async function offerLatest(chat: Chat): Promise<void> {
  const latest = await chat.host.findLatest();
  if (latest === undefined) return;
  const { columns } = chat.terminal.stdout;
  const title = neutraliseControls(latest.title).replace(/\s+/g, " ");
  chat.screen.print([
    chat.colours.dim(cutToWidth(`/continue resumes the last conversation here: ${title}`, columns - 1)),
    "",
  ]);
}

/** Waits for the next entered line and handles the line. */
async function takeNext(chat: Chat): Promise<void> {
  const { input, screen, lines, terminal } = chat;
  let isAsked = false;
  input.setPlaceholder(IDLE);
  const status = (columns: number): string[] => [chat.colours.dim(cutToWidth(statusOf(chat, isAsked), columns - 4))];
  screen.show({ below: status });
  const keepAsking = input.onChange(() => {
    isAsked = false;
  });
  const ignore = terminal.onStopRequest((request) => {
    if (request === "shutdown" || isAsked) lines.end();
    else if (!input.clear()) isAsked = true;
  });
  try {
    const line = await lines.next();
    if (line === undefined) chat.isLeaving = true;
    else await takeLine(chat, line);
  } finally {
    ignore();
    keepAsking();
  }
}

function statusOf({ settings, conversation }: Chat, isAsked: boolean): string {
  if (isAsked) return "  Press Ctrl-C again to leave.";
  const last = conversation.turns.findLast(({ report }) => report.engine === settings.engine);
  const model = settings.model ?? last?.report.model ?? "default model";
  return `  ${settings.engine} · ${model} · ${settings.mode ?? "custom permissions"}`;
}

async function takeLine(chat: Chat, line: string): Promise<void> {
  const parsed = parseChatLine(line);
  if (parsed.kind === "empty") return;
  chat.input.remember(line);
  await chat.store(line);
  if (parsed.kind === "message") await takeTurn(chat, parsed.text);
  else await takeCommand(chat, parsed);
}

async function takeCommand(chat: Chat, line: Exclude<ChatLine, { kind: "empty" | "message" }>): Promise<void> {
  const { screen, colours } = chat;
  if (line.kind === "unknown") {
    const instead = line.suggestion === undefined ? "/help lists the commands" : `did you mean /${line.suggestion}?`;
    screen.print([
      colours.yellow(`There is no command /${line.name}; ${instead} A space before the slash sends it as a message.`),
    ]);
    return;
  }
  const { name, argument } = line;
  if (name === "quit") {
    chat.isLeaving = true;
    return;
  }
  screen.print([colours.dim(`> /${name} ${neutraliseControls(argument)}`.trimEnd())]);
  await performCommand(chat, { name, argument });
  screen.print([""]);
}

/** Sends a message to the engine and shows its run. */
async function takeTurn(chat: Chat, prompt: string): Promise<void> {
  const { host, screen, input, conversation, colours, terminal } = chat;
  const waiting = createWaitingLine(terminal.now);
  chat.unread = [];
  chat.hasResponse = false;
  chat.shown = new Set();
  let stops = 0;
  const ignore = terminal.onStopRequest((request) => {
    stops += 1;
    if (stops > 1 || request === "shutdown") chat.isLeaving = true;
  });
  input.setPlaceholder("");
  screen.show({ above: (columns) => [cutToWidth(`> ${prompt.split("\n")[0]}`, columns - 4), waiting.line()] });
  let report: SessionReport | undefined;
  try {
    const images = await host.readImages(imagePathsIn(prompt));
    const turn = { prompt, images, settings: chat.settings, from: conversation.from };
    report = await host.runTurn(turn, displayOf(chat));
  } catch (error) {
    if (!EngineError.is(error)) throw error;
    screen.hide();
    printError(screen.output, error);
    input.setText(prompt);
  } finally {
    ignore();
    chat.lines.steer(undefined);
  }
  // The engine ended its work before it could read these messages, so they are sent with the next turns.
  if (!chat.isLeaving && stops === 0) for (const text of chat.unread) chat.lines.add(text);
  if (report === undefined) return;
  conversation.add({ prompt, report });
  if (!chat.hasResponse) screen.print(responseLines(report));
  const warnings = report.warnings?.filter((warning) => !chat.shown.has(warning));
  screen.print([...turnSummary({ ...report, warnings }, colours), ""]);
}

function displayOf(chat: Chat): TurnDisplay {
  const { screen, input, terminal, lines } = chat;
  return {
    stderr: screen.output,
    ask: chat.ask,
    openView: async (handle, isSteerable) => {
      screen.hide();
      input.setPlaceholder(
        isSteerable ? "Type to steer the agent. Ctrl-C interrupts it." : "Type the next message. Ctrl-C interrupts.",
      );
      const steer = (text: string): void => {
        chat.unread.push(text);
        handle.steer(text);
      };
      lines.steer(isSteerable ? steer : undefined);
      const view = await createView(terminal, "people", { input, shown: chat.shown });
      return {
        ...view,
        show: (envelope) => {
          if (envelope.type === "assistant_text_end" && envelope.payload.content !== "") chat.hasResponse = true;
          if (envelope.type === "steering_injected") chat.unread.shift();
          view.show(envelope);
        },
      };
    },
  };
}

/** Returns the final message of an engine that reports no text while it works. */
function responseLines({ result }: SessionReport): string[] {
  const text = neutraliseControls(result?.final_message ?? "").trim();
  return text === "" ? [] : text.split("\n");
}
