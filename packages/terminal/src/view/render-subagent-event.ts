import type { Envelope } from "@switchyard/contracts";
import { cutToWidth } from "../text/display-width.ts";
import { type LineStyle, renderEvent } from "./render-event.ts";

/** Options of `renderSubagentEvent`. */
export interface SubagentStyle extends LineStyle {
  /** Name of the subagent. */
  subagent: string;
}

/** Minimum number of columns for a subagent's activity, however long its name is. */
const LEAST_ROOM = 20;

/**
 * Renders an event of a subagent as one line with the subagent's name. Start and end events show its task and result.
 * Output of its tools is not shown, because several subagents may be active at a time.
 */
export function renderSubagentEvent(envelope: Envelope, style: SubagentStyle): string[] {
  const { subagent, colours, columns } = style;
  if (envelope.type === "user_input") return [];
  const room = Math.max(columns - subagent.length - 2, LEAST_ROOM);
  const [line] = renderEvent(envelope, { ...style, columns: room });
  return line === undefined ? [] : [`${colours.dim(cutToWidth(subagent, columns))} ${line}`];
}
