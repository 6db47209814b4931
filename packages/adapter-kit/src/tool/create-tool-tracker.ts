/** A finished tool call. */
export interface EndedTool {
  /** Name of the tool. */
  readonly name: string;
  /** Duration, in milliseconds. */
  readonly durationMs: number;
}

/** Measures the duration of tool calls. See agent-adapter: ToolTracker. */
export interface ToolTracker {
  /** Starts the measurement of a tool call. A second start of the same call replaces the first. */
  begin(id: string, name: string): void;
  /** Ends the measurement of a tool call and returns the call. `undefined` if no call with the id was started. */
  end(id: string): EndedTool | undefined;
  /** Returns the ids of running calls. */
  open(): readonly string[];
}

/** Creates a tracker. `now` is a monotonic clock, in milliseconds. */
export function createToolTracker(now: () => number = () => performance.now()): ToolTracker {
  const open = new Map<string, { name: string; since: number }>();
  return {
    begin(id, name) {
      open.set(id, { name, since: now() });
    },
    end(id) {
      const call = open.get(id);
      open.delete(id);
      if (call === undefined) return undefined;
      return { name: call.name, durationMs: Math.max(0, Math.round(now() - call.since)) };
    },
    open: () => [...open.keys()],
  };
}
