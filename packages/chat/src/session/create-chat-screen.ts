import { createLiveScreen, type Terminal, type TextOutput } from "@switchyard/terminal";
import type { ChatInput } from "../input/create-chat-input.ts";
import { wrapStyled } from "../report/wrap-styled.ts";

/** Terminal of the interactive session while no run is shown: output scrolls away above the input line. */
export interface ChatScreen {
  /** Output that prints above the input line. */
  readonly output: TextOutput;
  /** Shows the input line between two sets of lines, which are rendered again regularly. */
  show(around: ChatScreenLines): void;
  /** Removes the input line, so that a view or a question can use the terminal. */
  hide(): void;
  /** Prints lines above the input line. */
  print(lines: readonly string[]): void;
}

/** Lines above and below the input line. Lines that are wider than the terminal must have no colours. */
interface ChatScreenLines {
  /** Returns the lines above. */
  readonly above?: ((columns: number) => readonly string[]) | undefined;
  /** Returns the lines below. */
  readonly below?: ((columns: number) => readonly string[]) | undefined;
}

const TICK_MS = 100;

/** Creates the screen of an interactive session. */
export function createChatScreen({ stdout }: Pick<Terminal, "stdout">, input: ChatInput): ChatScreen {
  const screen = createLiveScreen(stdout);
  let shown: { readonly around: ChatScreenLines; readonly end: () => void } | undefined;
  let last = "";
  const draw = (force: boolean): void => {
    if (shown === undefined) return;
    const { columns } = stdout;
    const above = shown.around.above?.(columns) ?? [];
    const { lines, cursor } = input.render(columns);
    const all = [...above, ...lines, ...(shown.around.below?.(columns) ?? [])];
    const state = `${columns}\n${all.join("\n")}`;
    if (!force && state === last) return;
    last = state;
    const position = cursor ?? { row: lines.length - 1, before: lines.at(-1) ?? "" };
    screen.setFooter(all, { ...position, row: above.length + position.row });
  };
  const print = (lines: readonly string[]): void => {
    // Wrapped at spaces, because the terminal would break words.
    const wrapped = lines.flatMap((line) => wrapStyled(line, stdout.columns - 1));
    if (shown === undefined) stdout.write(wrapped.map((line) => `${line}\n`).join(""));
    else screen.print(wrapped);
  };
  let partial = "";
  const hide = (): void => {
    shown?.end();
    if (shown !== undefined) screen.close();
    shown = undefined;
  };
  return {
    print,
    hide,
    show: (around) => {
      hide();
      const ignore = input.onChange(() => draw(true));
      // Redraws after the terminal was resized, and redraws animated lines.
      const ticker = setInterval(() => draw(false), TICK_MS);
      const end = (): void => {
        clearInterval(ticker);
        ignore();
      };
      shown = { around, end };
      draw(true);
    },
    output: {
      isTerminal: stdout.isTerminal,
      hasColour: stdout.hasColour,
      get columns() {
        return stdout.columns;
      },
      closed: stdout.closed,
      readerGone: stdout.readerGone,
      write: (text) => {
        const lines = (partial + text).split("\n");
        partial = lines.pop() ?? "";
        if (lines.length > 0) print(lines);
      },
      flushed: () => stdout.flushed(),
    },
  };
}
