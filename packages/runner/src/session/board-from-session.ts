import { type Board, SESSION_INPUT, type SessionInput } from "@switchyard/contracts";
import { createBoard } from "@switchyard/engine";

/** Creates the initial board (the engine's key-value state) of a session, with the input under `SESSION_INPUT`. */
export function boardFromSession(input: SessionInput): Board {
  const board = createBoard();
  board.set(SESSION_INPUT, input);
  return board;
}

/**
 * Returns the fields of a session input that are passed to engines as attributes of the run. See architecture:
 * SessionInput in our own engines.
 */
export function attributesFromSession(input: SessionInput): Record<string, string> {
  const attributes: Record<string, string> = {};
  if (input.case_id !== undefined) attributes["case_id"] = input.case_id;
  if (input.variant !== undefined) attributes["variant"] = input.variant;
  for (const [name, value] of Object.entries(input.kwargs ?? {})) attributes[`kwargs.${name}`] = value;
  return attributes;
}

/** Maximum length of a title, in characters. A longer title is cut and ends in `…`. */
const MAX_TITLE = 80;

/** Returns the first words of the task, as a title for listings. */
export function titleOf(input: SessionInput): string {
  const task = input.messages.findLast((message) => message.role === "user")?.content ?? "";
  const words = task.trim().split(/\s+/u).join(" ");
  return words.length <= MAX_TITLE ? words : `${words.slice(0, MAX_TITLE - 1).trimEnd()}…`;
}
