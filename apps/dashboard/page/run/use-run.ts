import type { RunDetail } from "@switchyard/contracts";
import { useCallback, useEffect, useState } from "preact/hooks";
import { needsToken, problemText } from "../session/problem-text.ts";
import { useSession } from "../session/session.ts";

/** Run as last loaded from the server. */
export interface KnownRun {
  /** Loaded run. `undefined` until the first response. */
  readonly run: RunDetail | undefined;
  readonly problem: string;
  /** Loads the run again. */
  readonly reload: () => void;
}

/** Loads a run with its result, once and again whenever `reload` is called. */
export function useRun(runId: string): KnownRun {
  const { connection, onUnauthorized } = useSession();
  const [run, setRun] = useState<RunDetail | undefined>(undefined);
  const [problem, setProblem] = useState("");
  const [reloads, setReloads] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    connection.client.runs.get(runId, { signal: leaving.signal }).then(
      (shown) => {
        setRun(shown);
        setProblem("");
      },
      (error: unknown) => {
        if (leaving.signal.aborted) return;
        if (needsToken(error)) onUnauthorized();
        else setProblem(problemText(error));
      },
    );
    return () => leaving.abort();
  }, [connection, runId, reloads, onUnauthorized]);
  const reload = useCallback(() => setReloads((count) => count + 1), []);
  return { run, problem, reload };
}
