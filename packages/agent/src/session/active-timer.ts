import { elapsedSince } from "./elapsed-since.ts";

/** Measures the time during which at least one session of a family (a root session and its subagents) is working. */
class FamilyTimer {
  readonly #now: () => number;
  #activeMs: number;
  #startedMs: number | undefined;
  /** Number of working sessions. */
  #active = 0;

  constructor(now: () => number, activeMs: number) {
    this.#now = now;
    this.#activeMs = activeMs;
  }

  get activeMs(): number {
    return this.#activeMs + (this.#startedMs === undefined ? 0 : elapsedSince(this.#startedMs, this.#now));
  }

  enter(): void {
    this.#active += 1;
    this.#startedMs ??= this.#now();
  }

  leave(): void {
    this.#active -= 1;
    if (this.#active > 0) return;
    this.#activeMs = this.activeMs;
    this.#startedMs = undefined;
  }
}

/**
 * Measures the active time of a session family: a root session and its subagents. The timer runs while any of them
 * processes an input. Sessions that wait for a person or for each other do not count as working.
 */
export class ActiveTimer {
  readonly #family: FamilyTimer;
  #isWorking = false;
  #pauses = 0;
  /** Whether this session counts as working. */
  #isActive = false;

  private constructor(family: FamilyTimer) {
    this.#family = family;
  }

  /**
   * Creates the timer of a root session. `activeMs` is the active time of the session family before this process
   * resumed the session, in milliseconds. Default: 0.
   */
  static ofRoot(now: () => number, activeMs = 0): ActiveTimer {
    return new ActiveTimer(new FamilyTimer(now, activeMs));
  }

  /** Creates the timer of another session that belongs to the same root session. */
  ofMember(): ActiveTimer {
    return new ActiveTimer(this.#family);
  }

  /** Total active time of the root session and its subagents, in milliseconds. */
  get activeMs(): number {
    return this.#family.activeMs;
  }

  /** Marks the session as working. Has no effect if the session is already marked. */
  start(): void {
    this.#isWorking = true;
    this.#update();
  }

  /** Marks the session as not working. Has no effect if the session is not marked as working. */
  stop(): void {
    this.#isWorking = false;
    this.#update();
  }

  /** Pauses the session's active time while the session waits for a person or another session. */
  pause(): void {
    this.#pauses += 1;
    this.#update();
  }

  /** Resumes the session's active time. Must be called once for each call of `pause`. */
  resume(): void {
    this.#pauses -= 1;
    this.#update();
  }

  #update(): void {
    const isActive = this.#isWorking && this.#pauses === 0;
    if (isActive === this.#isActive) return;
    this.#isActive = isActive;
    if (isActive) this.#family.enter();
    else this.#family.leave();
  }
}
