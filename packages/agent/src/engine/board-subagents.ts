import type { Board, BoardSnapshot } from "@switchyard/contracts";
import { isRecord } from "../checkpoint/is-part.ts";
import type { SubagentBoundary } from "../checkpoint/session-boundary.ts";
import { BoardTurns } from "./board-turns.ts";

/**
 * Key prefixes on the run's board (shared run state). Each subagent has separate keys, so that a checkpoint stores only
 * changes.
 */
const STATE = "__subagent.";
const TURNS = "__subagent_turns.";
const PROMPT = "__subagent_prompt.";

/** Returns the state of a subagent without its turns and prompt, as small plain data. */
function recordOf({ boundary, ...child }: SubagentBoundary, parent: string | undefined): unknown {
  const { kind, progress } = boundary;
  // Serializing and parsing as JSON removes undefined fields.
  return JSON.parse(JSON.stringify({ ...child, parent, kind, progress }));
}

/** Stores a session's subagents and their descendants on the run's board (shared run state). */
export class BoardSubagents {
  readonly #board: Board;
  readonly #turns = new Map<string, BoardTurns>();
  readonly #records = new Map<string, string>();

  /** Creates a store. The given subagents are already on the run's board (shared run state). */
  constructor(board: Board, children: readonly SubagentBoundary[] = []) {
    this.#board = board;
    this.#resume(children);
  }

  #resume(children: readonly SubagentBoundary[]): void {
    for (const { id, boundary } of children) {
      this.#turns.set(id, new BoardTurns(this.#board, { name: TURNS + id, mirrored: boundary.turns.length }));
      this.#resume(boundary.children ?? []);
    }
  }

  /** Writes changed subagents and new turns to the run's board (shared run state). Throws `board.invalid_value`. */
  mirror(children: readonly SubagentBoundary[], parent?: string): void {
    for (const child of children) {
      const { id, boundary } = child;
      this.#turnsOf(id).mirror(boundary.turns);
      if (boundary.systemPrompt !== undefined && !this.#board.hasVar(PROMPT + id)) {
        this.#board.setVar(PROMPT + id, boundary.systemPrompt);
      }
      this.#mirrorRecord(id, recordOf(child, parent));
      this.mirror(boundary.children ?? [], id);
    }
  }

  #mirrorRecord(id: string, record: unknown): void {
    const text = JSON.stringify(record);
    if (this.#records.get(id) === text) return;
    this.#board.setVar(STATE + id, record);
    this.#records.set(id, text);
  }

  #turnsOf(id: string): BoardTurns {
    let turns = this.#turns.get(id);
    if (turns === undefined) {
      turns = new BoardTurns(this.#board, { name: TURNS + id, mirrored: 0 });
      this.#turns.set(id, turns);
    }
    return turns;
  }
}

/** Removes the subagents of an earlier run from a board (shared run state). */
export function clearChildren(board: Board): void {
  for (const name of Object.keys(board.vars())) {
    if ([STATE, TURNS, PROMPT].some((prefix) => name.startsWith(prefix))) board.deleteVar(name);
  }
}

/** Returns a subagent's number among its siblings, which is the last part of its id. */
function numberOf(id: string): number {
  return Number(id.slice(id.lastIndexOf("-") + 1));
}

/**
 * Returns the subagents on a board (shared run state) in the format that `parseBoundary` accepts. `undefined` if there
 * are none.
 */
export function childrenOn({ vars }: BoardSnapshot): readonly unknown[] | undefined {
  const ids = Object.keys(vars).flatMap((name) => (name.startsWith(STATE) ? [name.slice(STATE.length)] : []));
  if (ids.length === 0) return undefined;
  ids.sort((left, right) => numberOf(left) - numberOf(right));
  return childrenOf(undefined, { vars, ids });
}

interface Children {
  readonly vars: BoardSnapshot["vars"];
  /** All subagent ids, in the order in which they were spawned. */
  readonly ids: readonly string[];
}

/** Returns true if the stored parent exists. A subagent's id starts with its parent's id, so cycles are impossible. */
function isChildOfOne(id: string, parent: unknown, ids: readonly string[]): boolean {
  return parent === undefined || ids.some((other) => other === parent && id.startsWith(`${other}-`));
}

/**
 * Returns the children of a session or subagent. A record with an unknown parent is returned unchanged, so that parsing
 * rejects it.
 */
function childrenOf(parent: string | undefined, { vars, ids }: Children): readonly unknown[] {
  return ids.flatMap((id) => {
    const record = vars[STATE + id];
    const isRead = isRecord(record) && isChildOfOne(id, record["parent"], ids);
    if (!isRead) return parent === undefined ? [record] : [];
    return record["parent"] === parent ? [childOn(id, record, { vars, ids })] : [];
  });
}

function childOn(id: string, record: Readonly<Record<string, unknown>>, { vars, ids }: Children): unknown {
  const { kind, progress, ...child } = record;
  const [turns = [], systemPrompt] = [vars[TURNS + id], vars[PROMPT + id]];
  const children = childrenOf(id, { vars, ids });
  const boundary = { kind, turns, systemPrompt, progress, ...(children.length === 0 ? {} : { children }) };
  return { ...child, id, boundary };
}
