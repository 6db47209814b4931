import type { Envelope } from "@switchyard/contracts";
import { neutraliseControls } from "../text/neutralise-controls.ts";
import { describeCall } from "./describe-call.ts";
import type { SubagentNames } from "./subagent-names.ts";

/** Maximum length of the stored end of a call's output, in characters. */
const MAX_TAIL = 4_000;

/** Tool calls that are running, with the last lines of their output. */
export interface RunningCalls {
  /** Updates the calls from an event. */
  note(envelope: Envelope): void;
  /** Returns a description of each running call. */
  descriptions(): string[];
  /** Returns the last lines of output of the call that wrote last. Empty if no running call has written anything. */
  outputLines(count: number): string[];
}

interface RunningCall {
  readonly description: string;
  tail: string;
}

/** Creates the list of the running calls of one run. */
export function createRunningCalls(nameOf: SubagentNames): RunningCalls {
  const running = new Map<string, RunningCall>();
  let lastWriter: RunningCall | undefined;
  return {
    note(envelope) {
      const subagent = nameOf(envelope);
      // The agent is part of the key, because call ids are unique only within an agent.
      const key = (id: string): string => `${subagent ?? ""} ${id}`;
      // Calls that an earlier attempt left open are no longer running.
      if (envelope.type === "run_start" || envelope.type === "retry_scheduled") {
        running.clear();
        lastWriter = undefined;
      }
      if (envelope.type === "tool_call_start") {
        const call = describeCall(envelope.payload.name, envelope.payload.arguments);
        const description = subagent === undefined ? call : `${subagent} ${call}`;
        running.set(key(envelope.payload.id), { description, tail: "" });
      }
      if (envelope.type === "tool_call_output_delta") {
        const call = running.get(key(envelope.payload.tool_call_id));
        if (call === undefined) return;
        call.tail = (call.tail + envelope.payload.content).slice(-MAX_TAIL);
        lastWriter = call;
      }
      if (envelope.type === "tool_call_end") {
        const id = key(envelope.payload.tool_call_id);
        if (running.get(id) === lastWriter) lastWriter = undefined;
        running.delete(id);
      }
    },
    descriptions: () => [...running.values()].map(({ description }) => description),
    outputLines: (count) => (lastWriter === undefined || count <= 0 ? [] : lastLines(lastWriter.tail, count)),
  };
}

function lastLines(tail: string, count: number): string[] {
  const lines = tail.replace(/\r+\n/g, "\n").replace(/\s+$/, "").split("\n");
  return lines.slice(-count).map((line) => neutraliseControls(line.slice(line.lastIndexOf("\r") + 1)));
}
