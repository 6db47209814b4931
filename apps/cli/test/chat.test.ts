import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { beginAnswer, endAnswer, type Misbehaviour, startLoopbackModel } from "./loopback-model.ts";
import { BIN, makeFolder } from "./start-switchyard.ts";
import { noTmux, type Screen, startOnScreen } from "./tmux.ts";

const missing = await noTmux();
const KEY = { ANTHROPIC_API_KEY: "sk-ant-test-key-that-is-not-real", TERM: "xterm-256color" };
/** Placeholder of an empty input line while no turn runs. */
const IDLE = "Ask the agent.";

interface Chat {
  readonly screen: Screen;
  readonly state: string;
  readonly cwd: string;
  /** Bodies of the requests to the model. */
  readonly bodies: readonly string[];
  /** Types a line and sends it. */
  send(text: string): Promise<void>;
}

interface Start {
  readonly columns?: number;
  readonly words?: readonly string[];
  readonly state?: string;
  readonly cwd?: string;
}

async function start(answer: Misbehaviour, { columns, words = [], ...given }: Start = {}): Promise<Chat> {
  const { baseUrl, bodies } = await startLoopbackModel(answer);
  const state = given.state ?? (await makeFolder());
  const cwd =
    given.cwd ?? (await makeFolder({ "a.txt": "one\n", "日本語.txt": "x\n", "b.log": "x\n", ".gitignore": "*.log\n" }));
  const options = ["--model", "anthropic/m", "--base-url", baseUrl, "--state", state, ...words];
  const screen = await startOnScreen([process.execPath, BIN, "chat", ...options], { env: KEY, cwd });
  if (columns !== undefined) await screen.resize(columns);
  await screen.until(IDLE);
  const send = async (text: string): Promise<void> => {
    await screen.type(text);
    await screen.press("Enter");
  };
  return { screen, state, cwd, bodies, send };
}

/** Sends the responses in order. The last one is repeated. */
function inTurn(...answers: readonly Misbehaviour[]): Misbehaviour {
  let asked = 0;
  return (response, request) => answers[Math.min(asked++, answers.length - 1)]?.(response, request);
}

function say(text: string): Misbehaviour {
  return (response) => {
    beginAnswer(response);
    endAnswer(response, text);
  };
}

describe("an interactive session", () => {
  beforeEach(({ skip }) => {
    skip(missing !== undefined, missing);
  });

  test("two messages are two stored runs of one conversation, at 60, 80 and 200 columns", async () => {
    for (const columns of [60, 80, 200]) {
      const { screen, state, bodies, send } = await start(inTurn(say("wer 一."), say("wer 二 🎉.")), { columns });
      await send("Erste Frage é 日本");
      await screen.until("Half an answer 一.");
      await screen.until(/Done · [^\n]*\n\n› Ask the agent\./);
      await send("Second question");
      await screen.until("Half an answer 二 🎉.");
      await screen.until(/Done · [^\n]*\n\n› Ask the agent\.[^\n]*\n[^\n]*\n*$/);
      expect(bodies.at(-1)).toContain("Erste Frage é 日本");
      expect(bodies.at(-1)).toContain("Half an answer 一.");
      await send("/quit");
      expect(await screen.ended()).toBe(0);
      expect(await readdir(join(state, "runs"))).toHaveLength(2);
      const shown = await screen.shown();
      expect(shown.match(/^> Erste Frage é 日本$/gm)).toHaveLength(1);
      expect(shown).toContain("Continue this conversation with: switchyard chat --continue");
    }
  });
});
