import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { DiffView } from "../changes/diff-view.tsx";
import { Dialog } from "../controls/dialog.tsx";
import { Problem } from "../controls/problem.tsx";
import { problemText } from "../session/problem-text.ts";
import { useSession } from "../session/session.ts";

interface UndoProps {
  readonly runId: string;
  readonly onClose: () => void;
  /** Called when the changes were reverted. */
  readonly onUndone: () => void;
}

/** Shows which changes of a run would be reverted, if that is possible, and reverts them. */
export function UndoDialog({ runId, onClose, onUndone }: UndoProps): JSX.Element {
  const { runs } = useSession().connection.client;
  const [diff, setDiff] = useState<string | undefined>(undefined);
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    runs.undo(runId, { dryRun: true, signal: leaving.signal }).then(
      ({ workspace_diff }) => setDiff(workspace_diff),
      (error: unknown) => leaving.signal.aborted || setProblem(problemText(error)),
    );
    return () => leaving.abort();
  }, [runs, runId]);
  const revert = (): void => {
    setBusy(true);
    runs.undo(runId).then(
      () => {
        onUndone();
        onClose();
      },
      (error: unknown) => {
        setBusy(false);
        setProblem(problemText(error));
      },
    );
  };
  return (
    <Dialog name="Undo" onClose={onClose}>
      <h2>Undo the changes of this run</h2>
      <p>Restores the files in the run's workspace to their content before the run: all files, or none.</p>
      <Problem text={problem} />
      {diff === undefined && problem === "" && <p class="faint">Checking whether this is possible…</p>}
      {diff !== undefined && (
        <div class="asked">
          <DiffView diff={diff} isOver={true} name="Undo" />
        </div>
      )}
      <div class="row">
        <button type="button" class="danger" disabled={isBusy || diff === undefined} onClick={revert}>
          Revert these changes
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}
