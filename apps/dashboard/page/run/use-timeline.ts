import { useEffect, useMemo, useState } from "preact/hooks";
import { needsToken, problemText } from "../session/connection.ts";
import { useSession } from "../session/session.ts";
import { Timeline } from "../timeline/timeline.ts";

/** How the events of a run come. */
export type Liveness = "connecting" | "live" | "reconnecting" | "over";

/** The events of a run as far as they came. */
export interface WatchedRun {
  readonly timeline: Timeline;
  /** Changes whenever the timeline did. */
  readonly version: number;
  readonly liveness: Liveness;
  readonly problem: string;
}

/** Many events come between two frames; each frame is drawn once. */
function oncePerFrame(draw: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    // A page that nobody looks at has no frames.
    const schedule = document.visibilityState === "visible" ? requestAnimationFrame : setTimeout;
    schedule(() => {
      isDue = false;
      draw();
    });
  };
}

/** Follows the events of a run until it is over, once more for each `round`, and tells when it is. */
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
    // A run that waits for its turn, or for a long command, has no events for a while.
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
        if (needsToken(error)) onUnauthorized(problemText(error));
        else setProblem(problemText(error));
      },
    );
    return () => leaving.abort();
  }, [connection, runId, timeline, round, onOver, onUnauthorized]);
  return { timeline, version, liveness, problem };
}
