import { type Checkpoint, isoTime } from "@switchyard/contracts";
import { createCheckpoint } from "@switchyard/engine";
import type { SessionBoundary, SubagentBoundary } from "../checkpoint/session-boundary.ts";
import type { Turn } from "../conversation/turn.ts";
import { elapsedSince } from "../session/elapsed-since.ts";
import type { Session } from "../session/session.ts";
import { keepPrompt, payloadOf, specVersionOf } from "./agent-checkpoint.ts";
import { BoardSubagents } from "./board-subagents.ts";
import { ConversationMirror } from "./conversation-mirror.ts";
import type { EventPublisher } from "./event-publisher.ts";
import type { SessionRun } from "./session-run.ts";
import { nameOfStep } from "./step-tracker.ts";

/** What a keeper needs to know of the beginning. */
export interface BoundaryWriterStart {
  /** When this attempt began, in milliseconds. */
  readonly startedMs: number;
  /** Time that was worked on the run before, in milliseconds. */
  readonly activeMs: number;
  /** Turns that are on the board already. */
  readonly mirrored: number;
  /** Subagents that are on the board already. */
  readonly children: readonly SubagentBoundary[] | undefined;
}

/** Keeps a running session on the board, and at each boundary with the host. architecture: decision 22. */
export class BoundaryWriter {
  readonly #job: SessionRun;
  readonly #start: BoundaryWriterStart;
  readonly #mirror: ConversationMirror;
  readonly #children: BoardSubagents;
  // The same in each checkpoint.
  readonly #marks: { readonly specVersion: string; readonly startedAt: string };
  #session: Session | undefined;
  #publisher: Pick<EventPublisher, "settled"> | undefined;

  /** Makes a keeper that follows nobody yet. */
  constructor(job: SessionRun, start: BoundaryWriterStart) {
    this.#job = job;
    this.#start = start;
    this.#mirror = new ConversationMirror(job.board, start.mirrored);
    this.#children = new BoardSubagents(job.board, start.children);
    this.#marks = { specVersion: specVersionOf(job), startedAt: isoTime(start.startedMs) };
  }

  /** The session whose boundaries come, and whoever publishes what happens before them. */
  follow(session: Session, publisher: Pick<EventPublisher, "settled">): void {
    this.#session = session;
    this.#publisher = publisher;
  }

  /** Time that was worked on the run, over all its attempts, in milliseconds. */
  get activeMs(): number {
    return this.#start.activeMs + elapsedSince(this.#start.startedMs, this.#job.now);
  }

  /** Puts what is new on the board. Throws `board.invalid_value`. */
  mirror(turns: readonly Turn[]): void {
    this.#mirror.mirror(turns);
  }

  /** Puts the subagents on the board as each was at its last boundary. Throws `board.invalid_value`. */
  mirrorChildren(children: readonly SubagentBoundary[]): void {
    this.#children.mirror(children);
  }

  /** Waits until the host has every event so far: in the meantime it may have stopped the run. */
  async settle(): Promise<void> {
    await this.#publisher?.settled();
  }

  /**
   * Hands a checkpoint to the host and waits for it. Every event so far is published before: none of them comes again
   * when the run goes on from here. promises D8, D14.
   */
  async keep(boundary: SessionBoundary): Promise<void> {
    await this.#publisher?.settled();
    this.#mirror.mirror(boundary.turns);
    this.#children.mirror(boundary.children ?? []);
    keepPrompt(this.#job.board, boundary.systemPrompt);
    await this.#job.host.checkpoint(this.#checkpointAt(boundary));
  }

  #checkpointAt(boundary: SessionBoundary): Checkpoint {
    const { run, board, now, agentId } = this.#job;
    const iteration = this.#session?.turns ?? 0;
    return createCheckpoint(run, board, {
      step: iteration === 0 ? agentId : nameOfStep(agentId, iteration),
      iteration,
      payload: payloadOf(boundary, this.activeMs),
      ...this.#marks,
      now,
    });
  }
}
