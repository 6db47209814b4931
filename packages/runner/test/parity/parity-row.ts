import type { Plot, Scene } from "./scene.ts";

/** A row of the matrix: a task that the models of every family complete. See loop: §9.12. */
export interface ParityRow extends Plot {
  /** Number of the row. */
  readonly row: number;
  /** What works. */
  readonly title: string;
  /** Checks the results: files, events, history and requests. */
  check(scene: Scene): Promise<void>;
}

/** The user's prompt in rows for which it is irrelevant. */
export const TASK = "Do the task.";
