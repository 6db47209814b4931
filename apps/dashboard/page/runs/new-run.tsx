import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Dialog } from "../controls/dialog.tsx";
import { Problem } from "../controls/problem.tsx";
import { problemText } from "../session/problem-text.ts";
import { useSession } from "../session/session.ts";
import { hrefOfRun } from "../text/href.ts";

/** Dialog that creates a run and opens its page. */
export function NewRun({ onClose }: { onClose: () => void }): JSX.Element {
  const { client } = useSession().connection;
  const [task, setTask] = useState("");
  const [model, setModel] = useState("");
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const start = async (): Promise<void> => {
    if (task.trim() === "" || isBusy) return;
    setBusy(true);
    try {
      const chosen = model.trim() === "" ? {} : { model: model.trim() };
      const { run_id: runId } = await client.runs.create({ messages: [{ role: "user", content: task }], ...chosen });
      onClose();
      location.hash = hrefOfRun(runId);
    } catch (error) {
      setProblem(problemText(error));
      setBusy(false);
    }
  };
  return (
    <Dialog name="New run" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void start();
        }}
      >
        <h2>New run</h2>
        <label for="task">Task</label>
        <textarea id="task" rows={6} autofocus value={task} onInput={(event) => setTask(event.currentTarget.value)} />
        <label for="model">
          Model <span class="faint">(optional)</span>
        </label>
        <input
          id="model"
          type="text"
          autocomplete="off"
          spellcheck={false}
          placeholder="provider/name; the server's default if empty"
          value={model}
          onInput={(event) => setModel(event.currentTarget.value)}
        />
        <Problem text={problem} />
        <div class="row">
          <button type="submit" class="primary" disabled={isBusy || task.trim() === ""}>
            Start
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <span class="faint hideable">Ctrl Enter starts</span>
        </div>
      </form>
    </Dialog>
  );
}
