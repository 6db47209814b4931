import type { Board, BoardSnapshot } from "@switchyard/contracts";
import type { Eventually } from "../contract/contract-case.ts";

/** Makes a board: empty, or in the state of a snapshot. */
export type BoardFactory = (snapshot?: BoardSnapshot) => Eventually<Board>;

/** Boards as the cases get them. */
export interface BoardSubject {
  /** Makes one more board. */
  create(snapshot?: BoardSnapshot): Promise<Board>;
  /** Gives everything back. */
  dispose?(): void;
}

/** The subject of a factory. */
export async function openBoardSubject(factory: BoardFactory): Promise<BoardSubject> {
  return { create: async (snapshot) => factory(snapshot) };
}
