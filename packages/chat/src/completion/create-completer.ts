import type { LineEditor } from "../input/create-line-editor.ts";
import { type Completion, type CompletionSources, completeWord } from "./complete-word.ts";
import type { OpenCompletion } from "./render-candidates.ts";

/** Completes words in an editor. */
export interface Completer {
  /** Candidates that are shown; `undefined` if none are. */
  readonly shown: OpenCompletion | undefined;
  /**
   * Completes the word before the cursor. If several candidates match, inserts their common start and shows the
   * candidates. Each further call inserts the next candidate. Resolves when the editor has changed.
   */
  complete(isBackwards: boolean): Promise<void>;
  /** Hides the candidates. */
  close(): void;
}

interface Open extends Completion {
  /**
   * Index of the candidate that the input currently contains; -1 if the input contains only the common start of all
   * candidates.
   */
  readonly chosen: number;
}

/** Creates the completer of an editor. */
export function createCompleter(editor: LineEditor, sources: CompletionSources): Completer {
  let open: Open | undefined;
  const replace = (start: number, by: string): void => {
    const after = editor.text.slice(editor.cursor);
    editor.set(editor.text.slice(0, start) + by + after, start + by.length);
  };
  const choose = ({ start, candidates, chosen }: Open, step: number): void => {
    const count = candidates.length;
    const next = chosen === -1 && step < 0 ? count - 1 : (chosen + step + count) % count;
    open = { start, candidates, chosen: next };
    replace(start, candidates[next] ?? "");
  };
  return {
    get shown() {
      return open;
    },
    close: () => {
      open = undefined;
    },
    async complete(isBackwards) {
      if (open !== undefined) {
        choose(open, isBackwards ? -1 : 1);
        return;
      }
      const { text, cursor } = editor;
      const found = await completeWord({ text, cursor }, sources);
      // The user may have continued to type in the meantime.
      if (found === undefined || editor.text !== text || editor.cursor !== cursor) return;
      const { start, candidates } = found;
      const [only] = candidates;
      if (only === undefined) return;
      replace(start, candidates.length === 1 ? only : commonStart(candidates, text.slice(start, cursor)));
      if (candidates.length > 1) open = { ...found, chosen: -1 };
    },
  };
}

/** Returns the common start of all candidates, but at least the text that is already typed. */
function commonStart(candidates: readonly string[], typed: string): string {
  const [first = "", ...others] = candidates;
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1;
  return length > typed.length ? first.slice(0, length) : typed;
}
