/** A tool call that is over. */
export interface EndedTool {
  /** Name of the tool. */
  readonly name: string;
  /** Milliseconds from its beginning to its end. */
  readonly durationMs: number;
}

/** Measures tool calls. agent-adapter: ToolTracker. */
export interface ToolTracker {
  /** Notes that a call began; a second beginning of the same call counts. */
  begin(id: string, name: string): void;
  /** The call, now that it is over; nothing for an id that never began. */
  end(id: string): EndedTool | undefined;
  /** Ids of the calls that have not ended. */
  open(): readonly string[];
}

/** Makes a tracker. `now` is a clock that never goes back, in milliseconds. */
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
