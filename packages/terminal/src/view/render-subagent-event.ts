import type { Envelope } from "@switchyard/contracts";
import { cutToWidth } from "../text/display-width.ts";
import { type LineStyle, renderEvent } from "./render-event.ts";

/** How lines about a subagent are made. */
export interface SubagentStyle extends LineStyle {
  /** Name of the subagent. */
  subagent: string;
}

/** Least columns for what a subagent does, however long its name is. */
const LEAST_ROOM = 20;

/**
 * An event of a subagent as one line with its name. Its task and its result are told with its beginning and its end,
 * what its tools print with nobody: several of them speak at a time.
 */
export function renderSubagentEvent(envelope: Envelope, style: SubagentStyle): string[] {
  const { subagent, colours, columns } = style;
  if (envelope.type === "user_input") return [];
  const room = Math.max(columns - subagent.length - 2, LEAST_ROOM);
  const [line] = renderEvent(envelope, { ...style, columns: room });
  return line === undefined ? [] : [`${colours.dim(cutToWidth(subagent, columns))} ${line}`];
}
