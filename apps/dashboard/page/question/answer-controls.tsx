import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Problem } from "../controls/problem.tsx";
import { plainText } from "../text/plain-text.ts";
import { choiceClass, choiceName } from "./choice-name.ts";
import type { Answering } from "./use-answer.ts";

interface AnswerProps extends Answering {
  /** Allowed answers. Empty: any text. */
  readonly choices: readonly string[];
  /** Prefix of element ids, unique on the page. */
  readonly id: string;
}

function FreeAnswer({ id, answer, isBusy }: AnswerProps): JSX.Element {
  const [text, setText] = useState("");
  return (
    <form
      class="row answer"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "") answer(text.trim());
      }}
    >
      <label for={`${id}-answer`}>Answer</label>
      <input
        id={`${id}-answer`}
        type="text"
        autocomplete="off"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" class="primary" disabled={isBusy || text.trim() === ""}>
        Answer
      </button>
    </form>
  );
}

/** Buttons of the allowed answers, or a field for a free one. */
export function AnswerControls(props: AnswerProps): JSX.Element {
  const { choices, answer, isBusy, problem } = props;
  return (
    <>
      {choices.length === 0 ? (
        <FreeAnswer {...props} />
      ) : (
        <div class="row answer">
          {choices.map((choice) => (
            <button
              key={choice}
              type="button"
              class={choiceClass(choice)}
              disabled={isBusy}
              onClick={() => answer(choice)}
            >
              {plainText(choiceName(choice))}
            </button>
          ))}
        </div>
      )}
      <Problem text={problem} />
    </>
  );
}
