import { cutToWidth } from "@switchyard/terminal";
import type { ChatInput } from "../input/create-chat-input.ts";
import type { Key } from "../input/key.ts";
import type { ChatScreen } from "../session/create-chat-screen.ts";

/** Choice that a user can make. */
export interface Choice {
  /** Key that selects this choice immediately. */
  readonly key: string;
  /** Text of the choice. */
  readonly label: string;
}

/** Terminal and input line of a question. */
export interface QuestionTerminal {
  /** Screen above the input line. */
  readonly screen: ChatScreen;
  /** Input line. While the question is open, it passes keystrokes to the question. */
  readonly input: ChatInput;
  /** Current time, in milliseconds since 1970. */
  readonly now: () => number;
  /** Formats choices. */
  readonly colours: { cyan(text: string): string; dim(text: string): string };
}

/** Time for which keys are ignored if the user was typing when the question appeared, in milliseconds. */
const TYPING_MS = 1_000;

/**
 * Lets the user choose with the arrow keys and Enter, or with a choice's key. Resolves with the index of the choice.
 * Rejects with the signal's reason.
 */
export function choose(
  { screen, input, colours, now }: QuestionTerminal,
  choices: readonly Choice[],
  signal: AbortSignal,
): Promise<number> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    // The user was typing a message, whose last keys must not answer the question.
    const isTyping = input.text !== "";
    const readsFrom = isTyping ? now() + TYPING_MS : 0;
    let at = isTyping ? -1 : 0;
    const end = (): void => {
      release();
      screen.hide();
      signal.removeEventListener("abort", abort);
    };
    const abort = (): void => {
      end();
      reject(signal.reason);
    };
    const press = (key: Key): void => {
      if (now() < readsFrom) return;
      const direct = choices.findIndex((choice) => choice.key === key.text.toLowerCase());
      if (isStep(key, "up", "p")) at = at <= 0 ? choices.length - 1 : at - 1;
      else if (isStep(key, "down", "n") || key.name === "tab") at = (at + 1) % choices.length;
      else if (direct !== -1 || (key.name === "return" && at !== -1)) {
        end();
        resolve(direct === -1 ? at : direct);
      }
    };
    const render = (columns: number): { lines: string[] } => ({
      lines: choices.map(({ key, label }, index) => {
        const text = cutToWidth(`${index === at ? "›" : " "} ${label} (${key})`, columns - 4);
        return index === at ? colours.cyan(text) : text;
      }),
    });
    const release = input.focus({ press, paste: () => {}, render });
    signal.addEventListener("abort", abort, { once: true });
    screen.show({});
  });
}

function isStep({ name, ctrl }: Key, alone: string, withCtrl: string): boolean {
  return (name === alone && !ctrl) || (ctrl && name === withCtrl);
}
