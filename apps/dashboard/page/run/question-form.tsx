import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Problem } from "../controls/problem.tsx";
import { problemText } from "../session/connection.ts";
import { useSession } from "../session/session.ts";
import { plainText } from "../text/plain-text.ts";
import type { QuestionEntry } from "../timeline/entry.ts";

/** Form that answers a question of the engine. */
export function QuestionForm({ runId, question }: { runId: string; question: QuestionEntry }): JSX.Element {
  const { client } = useSession().connection;
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  const answer = (given: string): void => {
    client.runs.answer(runId, { promptId: question.promptId, text: given }).then(
      () => setProblem(""),
      (error: unknown) => setProblem(problemText(error)),
    );
  };
  return (
    <form
      class="dock question"
      aria-label="Question of the agent"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "") answer(text.trim());
      }}
    >
      <p class="asked" role="alert">
        {plainText(question.text)}
      </p>
      {question.choices.map((choice) => (
        <button key={choice} type="button" onClick={() => answer(choice)}>
          {plainText(choice)}
        </button>
      ))}
      {question.choices.length === 0 && (
        <>
          <label for="answer">Answer</label>
          <input
            id="answer"
            type="text"
            autocomplete="off"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <button type="submit" class="primary" disabled={text.trim() === ""}>
            Answer
          </button>
        </>
      )}
      <Problem text={problem} />
    </form>
  );
}
