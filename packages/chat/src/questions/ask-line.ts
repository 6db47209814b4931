import { createLineEditor } from "../input/create-line-editor.ts";
import type { Key } from "../input/key.ts";
import { renderInput } from "../input/render-input.ts";
import type { QuestionTerminal } from "./choose.ts";

/** Asks for a line of text. Resolves with the line, which may be empty. Rejects with the signal's reason. */
export function askLine({ screen, input }: QuestionTerminal, mark: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const editor = createLineEditor();
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
      if (key.name !== "return" || key.meta) return void editor.press(key);
      end();
      resolve(editor.take().trim());
    };
    const release = input.focus({
      press,
      paste: (text) => editor.paste(text),
      render: (columns) => renderInput(editor, { columns: columns - 4, mark }),
    });
    signal.addEventListener("abort", abort, { once: true });
    screen.show({});
  });
}
