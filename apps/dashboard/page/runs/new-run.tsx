import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Problem } from "../controls/problem.tsx";
import { problemText } from "../session/connection.ts";
import { useSession } from "../session/session.ts";
import { hrefOfRun } from "../text/href.ts";

/** Form that creates a run. */
export function NewRun(): JSX.Element {
  const { client } = useSession().connection;
  const [task, setTask] = useState("");
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const start = async (): Promise<void> => {
    setBusy(true);
    try {
      const made = await client.runs.create({ messages: [{ role: "user", content: task }] });
      location.hash = hrefOfRun(made.run_id);
    } catch (error) {
      setProblem(problemText(error));
    }
    setBusy(false);
  };
  return (
    <details class="card">
      <summary>New run</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (task.trim() !== "" && !isBusy) void start();
        }}
      >
        <label for="task">Task</label>
        <textarea id="task" rows={3} value={task} onInput={(event) => setTask(event.currentTarget.value)} />
        <Problem text={problem} />
        <div class="row">
          <button type="submit" class="primary" disabled={isBusy || task.trim() === ""}>
            Start
          </button>
        </div>
      </form>
    </details>
  );
}
