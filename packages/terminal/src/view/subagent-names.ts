import { type Envelope, HEADER } from "@switchyard/contracts";
import { neutraliseControls } from "../text/neutralise-controls.ts";

/** The name of the subagent that an event is about; nothing for the agent itself and for events about nobody. */
export type SubagentNames = (envelope: Envelope) => string | undefined;

/** Tells the members of a family apart by the order in which they speak: the agent that has the others is the first. */
export function createSubagentNames(): SubagentNames {
  let first: string | undefined;
  return ({ headers }) => {
    const agent = headers[HEADER.agentId];
    if (agent === undefined) return undefined;
    first ??= agent;
    return agent === first ? undefined : neutraliseControls(agent);
  };
}
