import { beginAnswer, endAnswer, type Misbehaviour, startLoopbackModel } from "./loopback-model.ts";
import { BIN, makeFolder } from "./start-switchyard.ts";
import { type Screen, startOnScreen } from "./tmux.ts";

/** Environment variables of the sessions. */
export const KEY = { ANTHROPIC_API_KEY: "sk-ant-test-key-that-is-not-real", TERM: "xterm-256color" };
/** Placeholder of an empty input line while no turn runs. */
export const IDLE = "Ask the agent.";

/** Interactive session on a screen. */
export interface Chat {
  readonly screen: Screen;
  readonly state: string;
  readonly cwd: string;
  /** Bodies of the requests to the model. */
  readonly bodies: readonly string[];
  /** Types a line and sends it. */
  send(text: string): Promise<void>;
}

interface ChatStart {
  readonly columns?: number;
  readonly words?: readonly string[];
  readonly state?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts an interactive session with a simulated model, in a folder with a few files. */
export async function startChat(
  answer: Misbehaviour,
  { columns, words = [], env = {}, ...given }: ChatStart = {},
): Promise<Chat> {
  const { baseUrl, bodies } = await startLoopbackModel(answer);
  const state = given.state ?? (await makeFolder());
  const cwd =
    given.cwd ?? (await makeFolder({ "a.txt": "one\n", "日本語.txt": "x\n", "b.log": "x\n", ".gitignore": "*.log\n" }));
  const options = ["--model", "anthropic/m", "--base-url", baseUrl, "--state", state, ...words];
  const screen = await startOnScreen([process.execPath, BIN, "chat", ...options], { env: { ...KEY, ...env }, cwd });
  if (columns !== undefined) await screen.resize(columns);
  await screen.until(IDLE);
  const send = async (text: string): Promise<void> => {
    await screen.type(text);
    await screen.press("Enter");
  };
  return { screen, state, cwd, bodies, send };
}

/** Sends the responses in order. The last one is repeated. */
export function inTurn(...answers: readonly Misbehaviour[]): Misbehaviour {
  let asked = 0;
  return (response, request) => answers[Math.min(asked++, answers.length - 1)]?.(response, request);
}

/** Responds with text that starts with "Half an ans". */
export function say(text: string): Misbehaviour {
  return (response) => {
    beginAnswer(response);
    endAnswer(response, text);
  };
}
