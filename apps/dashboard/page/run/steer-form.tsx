import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Problem } from "../controls/problem.tsx";
import { problemText } from "../session/problem-text.ts";
import { useSession } from "../session/session.ts";

/** Form that sends a steering message to a running engine. */
export function SteerForm({ runId }: { runId: string }): JSX.Element {
  const { client } = useSession().connection;
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  const send = (): void => {
    const message = text.trim();
    if (message === "") return;
    client.runs.steer(runId, message).then(
      () => {
        // Text that the user has typed since sending is not cleared.
        setText((now) => (now.trim() === message ? "" : now));
        setProblem("");
      },
      (error: unknown) => setProblem(problemText(error)),
    );
  };
  return (
    <form
      class="dock"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label for="steer">Steer</label>
      <input
        id="steer"
        type="text"
        autocomplete="off"
        placeholder="Message to the agent, delivered before its next step"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" class="primary" disabled={text.trim() === ""}>
        Send
      </button>
      <Problem text={problem} />
    </form>
  );
}
