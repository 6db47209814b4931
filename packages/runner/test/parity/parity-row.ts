import type { Plot, Scene } from "./scene.ts";

/** A row of the matrix: a task that the models of every family get done. loop: §9.12. */
export interface ParityRow extends Plot {
  /** Number of the row. */
  readonly row: number;
  /** What works. */
  readonly title: string;
  /** Looks at what came of it: files, events, history and what went over the wire. */
  check(scene: Scene): Promise<void>;
}

/** What the user asks for in rows where it does not matter. */
export const TASK = "Do the task.";
