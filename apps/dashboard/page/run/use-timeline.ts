import { useEffect, useMemo, useState } from "preact/hooks";
import { needsToken, problemText } from "../session/problem-text.ts";
import { useSession } from "../session/session.ts";
import { Timeline } from "../timeline/timeline.ts";

/** State of the event stream of a run. */
export type Liveness = "connecting" | "live" | "reconnecting" | "over";

/** Timeline of a run's events so far. */
export interface WatchedRun {
  readonly timeline: Timeline;
  /** Version of the timeline; changes whenever the timeline changes. */
  readonly version: number;
  readonly liveness: Liveness;
  readonly problem: string;
}

/** Returns a function that calls `draw` at most once per frame, because many events may arrive between two frames. */
function oncePerFrame(draw: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    // Uses a timer for a hidden page, because browsers draw no frames for it.
    const schedule = document.visibilityState === "visible" ? requestAnimationFrame : setTimeout;
    schedule(() => {
      isDue = false;
      draw();
    });
  };
}

/**
 * Streams the events of a run into a timeline until the run ends, and then calls `onOver`. Streams again when `round`
 * changes.
 */
export function useTimeline(runId: string, round: number, onOver: () => void): WatchedRun {
  const { connection, onUnauthorized } = useSession();
  const timeline = useMemo(() => new Timeline(), [connection, runId]);
  const [version, setVersion] = useState(0);
  const [liveness, setLiveness] = useState<Liveness>("connecting");
  const [problem, setProblem] = useState("");
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const draw = oncePerFrame(() => setVersion(timeline.version));
    // The state is `live` as soon as the connection is open. A queued run, or one that executes a long command, emits
    // no events for some time.
    const client = connection.watcher({
      onConnect: () => signal.aborted || setLiveness("live"),
      onWait: () => setLiveness("reconnecting"),
    });
    const follow = async (): Promise<void> => {
      for await (const envelope of client.runs.events(runId, { afterSeq: timeline.seq, signal })) {
        timeline.take(envelope);
        draw();
      }
    };
    setLiveness("connecting");
    setProblem("");
    follow().then(
      () => {
        setLiveness("over");
        onOver();
      },
      (error: unknown) => {
        if (signal.aborted) return;
        setLiveness("over");
        if (needsToken(error)) onUnauthorized();
        else setProblem(problemText(error));
      },
    );
    return () => leaving.abort();
  }, [connection, runId, timeline, round, onOver, onUnauthorized]);
  return { timeline, version, liveness, problem };
}
