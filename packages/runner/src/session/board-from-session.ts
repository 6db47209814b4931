import { type Board, SESSION_INPUT, type SessionInput } from "@switchyard/contracts";
import { createBoard } from "@switchyard/engine";

/** The board a session begins with: the input as the host handed it in, under `SESSION_INPUT`. architecture: flow 4. */
export function boardFromSession(input: SessionInput): Board {
  const board = createBoard();
  board.set(SESSION_INPUT, input);
  return board;
}

/** What a session hands on to its engine as attributes of the run. architecture: SessionInput in our own engines. */
export function attributesFromSession(input: SessionInput): Record<string, string> {
  const attributes: Record<string, string> = {};
  if (input.case_id !== undefined) attributes["case_id"] = input.case_id;
  if (input.variant !== undefined) attributes["variant"] = input.variant;
  for (const [name, value] of Object.entries(input.kwargs ?? {})) attributes[`kwargs.${name}`] = value;
  return attributes;
}

/** Most characters of a title. */
const MAX_TITLE = 80;

/** First words of the task, for listings. */
export function titleOf(input: SessionInput): string {
  const task = input.messages.findLast((message) => message.role === "user")?.content ?? "";
  const words = task.trim().split(/\s+/u).join(" ");
  return words.length <= MAX_TITLE ? words : `${words.slice(0, MAX_TITLE - 1).trimEnd()}…`;
}
