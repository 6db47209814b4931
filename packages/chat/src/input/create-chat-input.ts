import { cutToWidth, type FooterInput, type FooterLines, type KeyReader, type TextInput } from "@switchyard/terminal";
import type { CompletionSources } from "../completion/complete-word.ts";
import { createCompleter } from "../completion/create-completer.ts";
import { type OpenCompletion, renderCandidates } from "../completion/render-candidates.ts";
import { createInputHistory } from "./create-input-history.ts";
import { createKeyDecoder, type KeyListener } from "./create-key-decoder.ts";
import { createLineEditor, type LineEditor } from "./create-line-editor.ts";
import type { Key } from "./key.ts";
import { type InputText, renderInput } from "./render-input.ts";

/** Component that receives the keys instead of the editor, such as a question. */
interface InputFocus extends KeyListener {
  /** Renders the component. */
  render(columns: number): FooterLines;
}

/** Input line of the interactive session. It reads keys from `begin` to `end`. */
export interface ChatInput extends FooterInput {
  /** Starts to read keys. */
  begin(): void;
  /** Stops reading keys and restores the terminal. */
  end(): void;
  /**
   * Sets the function that is called with each entered line, or with `undefined` when the user presses Ctrl-D on an
   * empty line.
   */
  onLine(listener: (line: string | undefined) => void): void;
  /** Sets the text that an empty line shows. */
  setPlaceholder(text: string): void;
  /** Adds an entered line to the history. */
  remember(line: string): void;
  /** Text that is typed but not sent. */
  readonly text: string;
  /** Replaces the text. */
  setText(text: string): void;
  /** Empties the line. Returns false if it was empty. */
  clear(): boolean;
  /** Passes all keys to a component until the returned function is called. */
  focus(component: InputFocus): () => void;
}

/** Options of `createChatInput`. */
export interface ChatInputOptions {
  /** Standard input. */
  readonly stdin: Pick<TextInput, "readKeys">;
  /** Earlier inputs, the oldest first. */
  readonly history: readonly string[];
  /** Sources of completions. */
  readonly sources: CompletionSources;
  /** Formats the prompt symbol before the input, and the placeholder. */
  readonly colours: { cyan(text: string): string; dim(text: string): string };
}

const MARK = "› ";
const SHIFT_TAB = "\u001b[Z";
const BACKSPACE: Key = { name: "backspace", text: "", ctrl: false, meta: false };
const NEW_LINE: Key = { name: "enter", text: "", ctrl: false, meta: false };
/** Number of columns at the right edge that stay empty. */
const ROOM = 4;

/** Creates the input line. It does not read keys yet. */
export function createChatInput({ stdin, history, sources, colours }: ChatInputOptions): ChatInput {
  const editor = createLineEditor();
  const { changed, onChange } = createChangeListeners();
  const line = createEditedLine(editor, { history, sources, changed });
  let placeholder = "";
  let focused: InputFocus | undefined;
  let reader: KeyReader | undefined;
  const decode = createKeyDecoder({
    press: (key) => {
      (focused ?? line).press(key);
      changed();
    },
    paste: (text) => {
      (focused ?? editor).paste(text);
      changed();
    },
  });
  return {
    begin: () => {
      reader ??= stdin.readKeys(decode);
    },
    end: () => {
      reader?.stop();
      reader = undefined;
    },
    get text() {
      return editor.text;
    },
    onLine: line.onLine,
    setPlaceholder: (text) => {
      placeholder = text;
    },
    remember: line.remember,
    setText: (text) => {
      editor.set(text);
      changed();
    },
    clear: () => {
      const isEmpty = editor.text === "";
      editor.take();
      changed();
      return !isEmpty;
    },
    focus: (component) => {
      focused = component;
      return () => {
        if (focused === component) focused = undefined;
      };
    },
    onChange,
    render: (columns) =>
      focused?.render(columns) ??
      renderLine({ text: editor.text, cursor: editor.cursor, placeholder }, { columns, colours, shown: line.shown }),
  };
}

/** Creates a set of listeners. `changed` calls them all; `onChange` adds one, and returns a function that removes it. */
function createChangeListeners(): Pick<ChatInput, "onChange"> & { changed(): void } {
  const listeners = new Set<() => void>();
  return {
    changed: () => {
      for (const listener of [...listeners]) listener();
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

interface EditedLine extends Pick<ChatInput, "onLine" | "remember"> {
  /** Candidates of the completion that is in progress. */
  readonly shown: OpenCompletion | undefined;
  /** Handles a key. */
  press(key: Key): void;
}

interface EditedLineOptions extends Pick<ChatInputOptions, "history" | "sources"> {
  /** Called when the edited line has changed without a key press, for example by completion. */
  readonly changed: () => void;
}

/** Creates the handler of keys that send the line, complete a word or move through the history. */
function createEditedLine(editor: LineEditor, { history, sources, changed }: EditedLineOptions): EditedLine {
  const earlier = createInputHistory(history);
  const completer = createCompleter(editor, sources);
  let submit: (line: string | undefined) => void = () => {};
  const enter = (): void => {
    // A backslash before Enter continues the text on the next line.
    if (editor.text.charAt(editor.cursor - 1) === "\\") {
      editor.press(BACKSPACE);
      editor.press(NEW_LINE);
    } else submit(editor.take());
  };
  const move = (isUp: boolean): void => {
    const { text, cursor } = editor;
    const hasMore = (isUp ? text.slice(0, cursor) : text.slice(cursor)).includes("\n");
    const entry = hasMore ? undefined : isUp ? earlier.previous(text) : earlier.next();
    if (hasMore) moveLine(editor, isUp);
    else if (entry !== undefined) editor.set(entry);
  };
  return {
    get shown() {
      return completer.shown;
    },
    onLine: (listener) => {
      submit = listener;
    },
    remember: (line) => earlier.add(line),
    press: (key) => {
      if (key.name === "tab") {
        // A folder that cannot be read has no completions.
        completer.complete(key.text === SHIFT_TAB).then(changed, () => undefined);
        return;
      }
      completer.close();
      if (key.name === "return" && !key.meta) enter();
      else if (key.name === "d" && key.ctrl && editor.text === "") submit(undefined);
      else if (isKey(key, "up", "p")) move(true);
      else if (isKey(key, "down", "n")) move(false);
      else editor.press(key);
    },
  };
}

interface RenderLineOptions extends Pick<ChatInputOptions, "colours"> {
  readonly columns: number;
  /** Candidates of the completion that is in progress. */
  readonly shown: OpenCompletion | undefined;
}

function renderLine(
  { placeholder, ...input }: InputText & { readonly placeholder: string },
  { columns, colours, shown }: RenderLineOptions,
): FooterLines {
  const { lines, cursor } = renderInput(input, { columns: columns - ROOM, mark: MARK });
  const [first = "", ...others] = lines;
  const hint = input.text === "" ? colours.dim(cutToWidth(placeholder, columns - ROOM - MARK.length)) : "";
  // If the beginning of a long text is not shown, an ellipsis replaces the prompt symbol.
  const marked = first.startsWith(MARK) ? `${colours.cyan(MARK)}${first.slice(MARK.length)}` : first;
  const candidates = shown === undefined ? [] : renderCandidates(shown, { columns, colours });
  return { lines: [`${marked}${hint}`, ...others, ...candidates], cursor };
}

function isKey({ name, ctrl }: Key, alone: string, withCtrl: string): boolean {
  return (name === alone && !ctrl) || (ctrl && name === withCtrl);
}

/** Moves the cursor one line up or down, to the same position in that line if it is long enough. */
function moveLine(
  editor: { readonly text: string; readonly cursor: number; set(text: string, cursor: number): void },
  isUp: boolean,
): void {
  const { text, cursor } = editor;
  const start = text.lastIndexOf("\n", cursor - 1) + 1;
  const column = cursor - start;
  const target = isUp ? text.lastIndexOf("\n", start - 2) + 1 : text.indexOf("\n", cursor) + 1;
  const end = text.indexOf("\n", target);
  editor.set(text, Math.min(target + column, end === -1 ? text.length : end));
}
