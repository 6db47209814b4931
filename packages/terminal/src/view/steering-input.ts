import type { KeyReader, Terminal } from "../streams/terminal.ts";
import type { FooterInput, FooterLines } from "./footer-input.ts";
import { createPromptLine } from "./prompt-line.ts";

/** Number of columns at the right edge that stay empty. */
const ROOM = 3;

/** Input line for messages to the agent. */
export interface SteeringInput {
  /** Starts to read keys. Calls `onChange` when the line changes. */
  begin(onChange: () => void): void;
  /** Stops reading keys. Typed text is preserved. */
  end(): void;
  /** Renders the input line. Empty if no keys are read. */
  render(columns: number): FooterLines;
}

/**
 * Creates the input line of a live view. A function `steer` receives each message that the user enters. If `steer` is
 * the input line of another component, that line is shown. If `steer` is `undefined`, no keys are read.
 */
export function createSteeringInput(
  stdin: Terminal["stdin"],
  steer: ((text: string) => void) | FooterInput | undefined,
): SteeringInput {
  if (typeof steer === "object") return showInput(steer);
  const prompt = createPromptLine();
  let keys: KeyReader | undefined;
  return {
    begin(onChange) {
      if (steer === undefined) return;
      keys = stdin.readKeys((typed) => {
        for (const message of prompt.take(typed)) steer(message);
        onChange();
      });
    },
    end() {
      keys?.stop();
      keys = undefined;
    },
    render: (columns) => ({ lines: keys?.isReading === true ? [prompt.render(columns - ROOM)] : [] }),
  };
}

/** Adapts the input line of another component to `SteeringInput`. The other component reads the keys. */
function showInput(input: FooterInput): SteeringInput {
  let ignore = (): void => {};
  return {
    begin: (onChange) => {
      ignore = input.onChange(onChange);
    },
    end: () => ignore(),
    render: input.render,
  };
}
