import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { EmptyState } from "../controls/empty-state.tsx";
import { EntryList } from "./entry-view.tsx";
import { TimeAxis } from "./time-axis.tsx";
import type { Timeline } from "./timeline.ts";

/** Number of entries that are shown initially; the latest are shown. */
const SHOWN = 60;
/** Distance from the end of the page within which the user counts as reading the end, in pixels. */
const NEAR_END = 120;

function isNearEnd(): boolean {
  const { scrollHeight } = document.documentElement;
  return scrollHeight - (scrollY + innerHeight) < NEAR_END;
}

/** Scrolls to the end of the page on changes while the user reads the end. Returns whether this is the case. */
function useFollowing(version: number, isLive: boolean): { isFollowing: boolean; follow: () => void } {
  const [isFollowing, setFollowing] = useState(false);
  const wanted = useRef(isLive);
  useEffect(() => {
    const onScroll = (): void => {
      wanted.current = isNearEnd();
      setFollowing(wanted.current);
    };
    addEventListener("scroll", onScroll, { passive: true });
    return () => removeEventListener("scroll", onScroll);
  }, []);
  const toEnd = (): void => scrollTo({ top: document.documentElement.scrollHeight });
  useLayoutEffect(() => {
    if (isLive && wanted.current) toEnd();
  }, [version, isLive]);
  return { isFollowing: isFollowing || wanted.current, follow: toEnd };
}

interface TimelineProps {
  readonly timeline: Timeline;
  readonly version: number;
  readonly isOver: boolean;
}

/** Live timeline of a run: messages and tool calls, turn by turn. */
export function TimelineView({ timeline, version, isOver }: TimelineProps): JSX.Element {
  const [shown, setShown] = useState(SHOWN);
  const { entries } = timeline.lane;
  const { isFollowing, follow } = useFollowing(version, !isOver);
  if (entries.length === 0) {
    return <EmptyState title={isOver ? "The engine reported no events." : "The run has not started yet."} />;
  }
  const earlier = Math.max(0, entries.length - shown);
  return (
    <section aria-label="Timeline">
      <h2 class="unseen">Timeline</h2>
      <TimeAxis time={timeline.time} isOver={isOver} />
      {earlier > 0 && (
        <button type="button" onClick={() => setShown(shown + 5 * SHOWN)}>
          Show earlier entries ({earlier})
        </button>
      )}
      <EntryList entries={entries.slice(earlier)} version={version} />
      {!isOver && !isFollowing && (
        <button type="button" class="to-end" onClick={follow}>
          Go to the latest ↓
        </button>
      )}
    </section>
  );
}
