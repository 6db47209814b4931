import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Dialog } from "../controls/dialog.tsx";
import { Problem } from "../controls/problem.tsx";
import { problemText } from "../session/problem-text.ts";
import { useSession } from "../session/session.ts";
import { hrefOfRun } from "../text/href.ts";

/** Message and model of a new run. Empty ones are those of the run that is forked. */
interface Fork {
  readonly text: string;
  readonly model: string;
}

/** Returns a function that forks a run and opens the new run's page, and the state of the request. */
function useFork(runId: string, onClose: () => void) {
  const { runs } = useSession().connection.client;
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const fork = async ({ text, model }: Fork): Promise<void> => {
    setBusy(true);
    try {
      const { run_id: newId } = await runs.fork(runId, {
        ...(text.trim() === "" ? {} : { messages: [{ role: "user", content: text.trim() }] }),
        ...(model.trim() === "" ? {} : { model: model.trim() }),
      });
      onClose();
      location.hash = hrefOfRun(newId);
    } catch (error) {
      setProblem(problemText(error));
      setBusy(false);
    }
  };
  return { fork, problem, isBusy };
}

/** Dialog that continues the conversation of a run in a new run, and opens the new run's page. */
export function ForkDialog({ runId, onClose }: { runId: string; onClose: () => void }): JSX.Element {
  const [text, setText] = useState("");
  const [model, setModel] = useState("");
  const { fork, problem, isBusy } = useFork(runId, onClose);
  return (
    <Dialog name="Fork" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) void fork({ text, model });
        }}
      >
        <h2>Fork this run</h2>
        <p>A new run continues the conversation in a copy of the workspace. This run stays as it is.</p>
        <label for="fork-message">
          Next message <span class="faint">(optional)</span>
        </label>
        <textarea
          id="fork-message"
          rows={4}
          autofocus
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <label for="fork-model">
          Model <span class="faint">(optional)</span>
        </label>
        <input
          id="fork-model"
          type="text"
          autocomplete="off"
          spellcheck={false}
          placeholder="provider/name; the same model if empty"
          value={model}
          onInput={(event) => setModel(event.currentTarget.value)}
        />
        <Problem text={problem} />
        <div class="row">
          <button type="submit" class="primary" disabled={isBusy}>
            Start the fork
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
