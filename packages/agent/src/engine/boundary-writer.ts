import { type Checkpoint, isoTime } from "@switchyard/contracts";
import { createCheckpoint } from "@switchyard/engine";
import type { SessionBoundary, SubagentBoundary } from "../checkpoint/session-boundary.ts";
import type { Turn } from "../conversation/turn.ts";
import { elapsedSince } from "../session/elapsed-since.ts";
import type { Session } from "../session/session.ts";
import { payloadOf, specVersionOf, storePrompt } from "./agent-checkpoint.ts";
import { BoardSubagents } from "./board-subagents.ts";
import { ConversationMirror } from "./conversation-mirror.ts";
import type { EventPublisher } from "./event-publisher.ts";
import type { SessionRun } from "./session-run.ts";
import { nameOfStep } from "./step-tracker.ts";

/** State of a run when an attempt to execute it starts. A `BoundaryWriter` continues from this state. */
export interface BoundaryWriterStart {
  /** Start time of this attempt to execute the run, in milliseconds since 1970. */
  readonly startedMs: number;
  /** Active time of earlier attempts to execute the run, in milliseconds. */
  readonly activeMs: number;
  /** Number of the session's turns that are already on the run's board (shared run state). */
  readonly mirrored: number;
  /** Subagents whose state is already on the run's board (shared run state). */
  readonly children: readonly SubagentBoundary[] | undefined;
}

/**
 * Stores a running session on the run's board (shared run state). Sends a checkpoint to the host whenever the agent
 * loop stores the session state. See architecture: decision 22.
 */
export class BoundaryWriter {
  readonly #job: SessionRun;
  readonly #start: BoundaryWriterStart;
  readonly #mirror: ConversationMirror;
  readonly #children: BoardSubagents;
  // Fields that all checkpoints of this attempt have in common.
  readonly #marks: { readonly specVersion: string; readonly startedAt: string };
  #session: Session | undefined;
  #publisher: Pick<EventPublisher, "settled"> | undefined;

  /** Creates a writer. The session is set later with `follow`. */
  constructor(job: SessionRun, start: BoundaryWriterStart) {
    this.#job = job;
    this.#start = start;
    this.#mirror = new ConversationMirror(job.board, start.mirrored);
    this.#children = new BoardSubagents(job.board, start.children);
    this.#marks = { specVersion: specVersionOf(job), startedAt: isoTime(start.startedMs) };
  }

  /** Sets the session whose state is stored, and the publisher of its events. */
  follow(session: Session, publisher: Pick<EventPublisher, "settled">): void {
    this.#session = session;
    this.#publisher = publisher;
  }

  /** Active time of all attempts to execute the run, in milliseconds. */
  get activeMs(): number {
    return this.#start.activeMs + elapsedSince(this.#start.startedMs, this.#job.now);
  }

  /** Adds new turns to the board (shared run state). Throws `board.invalid_value`. */
  mirror(turns: readonly Turn[]): void {
    this.#mirror.mirror(turns);
  }

  /** Stores the last stored state of each subagent on the board (shared run state). Throws `board.invalid_value`. */
  mirrorChildren(children: readonly SubagentBoundary[]): void {
    this.#children.mirror(children);
  }

  /** Waits until the host has received all events, because the host may stop the run in response. */
  async settle(): Promise<void> {
    await this.#publisher?.settled();
  }

  /**
   * Sends a checkpoint to the host and waits for it. All earlier events are published first, so that they are not
   * repeated after a resume. See durability promises D8, D14.
   */
  async store(boundary: SessionBoundary): Promise<void> {
    await this.#publisher?.settled();
    this.#mirror.mirror(boundary.turns);
    this.#children.mirror(boundary.children ?? []);
    storePrompt(this.#job.board, boundary.systemPrompt);
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
