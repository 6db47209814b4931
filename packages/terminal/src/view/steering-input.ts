import type { KeyReader, Terminal } from "../streams/terminal.ts";
import { createPromptLine } from "./prompt-line.ts";

/** Input line for messages to the agent. */
export interface SteeringInput {
  /** Starts to read keys. Calls `onChange` when the line changes. */
  begin(onChange: () => void): void;
  /** Stops reading keys. Typed text is preserved. */
  end(): void;
  /** Returns the rendered input line. Empty if no keys are read. */
  lines(columns: number): string[];
}

/** Creates the input line. Without `steer`, no keys are read. */
export function createSteeringInput(
  stdin: Terminal["stdin"],
  steer: ((text: string) => void) | undefined,
): SteeringInput {
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
    lines: (columns) => (keys?.isReading === true ? [prompt.render(columns)] : []),
  };
}
