import type { SessionInput } from "../session/session-input.ts";
import type { SessionResult } from "../session/session-result.ts";
import type { Board } from "./board.ts";
import { SESSION_INPUT, SESSION_RESULT } from "./board-key.ts";

declare const board: Board;

export const result: SessionResult | undefined = board.get(SESSION_RESULT);
export const input: SessionInput | undefined = board.get(SESSION_INPUT);

// @ts-expect-error an input is not a result
board.set(SESSION_RESULT, { messages: [] });

// @ts-expect-error a result may be missing
export const certain: SessionResult = board.get(SESSION_RESULT);
