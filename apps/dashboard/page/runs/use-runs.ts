import type { RunStatus, RunView } from "@switchyard/contracts";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { needsToken, problemText } from "../session/connection.ts";
import { useSession } from "../session/session.ts";

/** Interval at which the list is reloaded while the page is visible, in milliseconds. */
const REFRESH_MS = 5_000;
const PAGE_SIZE = 50;

/** Filter of the list. */
export interface RunFilter {
  readonly statuses: readonly RunStatus[];
  /** Exact name of an engine. Empty: all engines. */
  readonly engine: string;
}

/** Runs as last loaded from the server. */
export interface KnownRuns {
  /** Loaded runs. `undefined` until the first response. */
  readonly runs: readonly RunView[] | undefined;
  readonly hasMore: boolean;
  readonly problem: string;
  /** Loads one more page. */
  readonly more: () => void;
}

/** Loads the runs that match a filter, newest first, and keeps them up to date. */
export function useRuns({ statuses, engine }: RunFilter): KnownRuns {
  const { connection, onUnauthorized } = useSession();
  const [known, setKnown] = useState<Pick<KnownRuns, "runs" | "hasMore">>({ runs: undefined, hasMore: false });
  const [problem, setProblem] = useState("");
  const pages = useRef(1);
  const status = statuses.join(",");
  const load = useCallback(
    async (signal: AbortSignal) => {
      const filter = { ...(statuses.length === 0 ? {} : { status: statuses }), ...(engine === "" ? {} : { engine }) };
      const runs: RunView[] = [];
      let cursor: string | undefined;
      try {
        for (let page = 0; page < pages.current; page += 1) {
          const answer = await connection.client.runs.list({ ...filter, limit: PAGE_SIZE, cursor, signal });
          runs.push(...answer.runs);
          cursor = answer.next_cursor;
          if (cursor === undefined) break;
        }
        setKnown({ runs, hasMore: cursor !== undefined });
        setProblem("");
      } catch (error) {
        if (signal.aborted) return;
        if (needsToken(error)) onUnauthorized(problemText(error));
        else setProblem(problemText(error));
      }
    },
    [connection, status, engine, onUnauthorized],
  );
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    const refresh = (): void => {
      if (document.visibilityState === "visible") void load(leaving.signal);
    };
    refresh();
    const timer = setInterval(refresh, REFRESH_MS);
    document.addEventListener("visibilitychange", refresh);
    return () => {
      leaving.abort();
      clearInterval(timer);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, [load, asked]);
  const more = (): void => {
    pages.current += 1;
    setAsked(asked + 1);
  };
  return { ...known, problem, more };
}
