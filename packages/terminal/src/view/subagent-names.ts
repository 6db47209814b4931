import { type Envelope, HEADER } from "@switchyard/contracts";
import { neutraliseControls } from "../text/neutralise-controls.ts";

/** Returns the name of the subagent that emitted an event; `undefined` for events of the root agent and the host. */
export type SubagentNames = (envelope: Envelope) => string | undefined;

/** Creates a function that names the subagents of one run. The agent that emits the first event is the root agent. */
export function createSubagentNames(): SubagentNames {
  let first: string | undefined;
  return ({ headers }) => {
    const agent = headers[HEADER.agentId];
    if (agent === undefined) return undefined;
    first ??= agent;
    return agent === first ? undefined : neutraliseControls(agent);
  };
}
