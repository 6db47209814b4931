import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { needsToken, problemText } from "../session/problem-text.ts";
import { useSession } from "../session/session.ts";

/** Interval at which data is reloaded while the page is visible, in milliseconds. */
const REFRESH_MS = 5_000;

/** Data as last loaded from the server. */
export interface Polled<T> {
  /** Loaded data. `undefined` until the first response. */
  readonly data: T | undefined;
  /** Why the last request failed; empty if it succeeded. */
  readonly problem: string;
  /** Loads the data again. */
  readonly reload: () => void;
}

/**
 * Loads data, again at an interval while the page is visible, and again when `key` changes. Data of the previous key
 * stays until the new data arrives. One request is in progress at a time.
 */
export function usePolling<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  intervalMs: number = REFRESH_MS,
): Polled<T> {
  const { connection, onUnauthorized } = useSession();
  const [data, setData] = useState<T | undefined>(undefined);
  const [problem, setProblem] = useState("");
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    const leaving = new AbortController();
    let isLoading = false;
    const refresh = async (): Promise<void> => {
      if (isLoading || document.visibilityState !== "visible") return;
      isLoading = true;
      try {
        const loaded = await latest.current(leaving.signal);
        if (leaving.signal.aborted) return;
        setData(loaded);
        setProblem("");
      } catch (error) {
        if (leaving.signal.aborted) return;
        if (needsToken(error)) onUnauthorized();
        else setProblem(problemText(error));
      } finally {
        isLoading = false;
      }
    };
    const onVisible = (): void => void refresh();
    onVisible();
    const timer = setInterval(onVisible, intervalMs);
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      leaving.abort();
      clearInterval(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [connection, key, round, intervalMs, onUnauthorized]);
  const reload = useCallback(() => setRound((count) => count + 1), []);
  return { data, problem, reload };
}
