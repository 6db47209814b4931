import { elapsedSince } from "./elapsed-since.ts";

/** Measures the time in which anybody of a family of sessions works. */
class FamilyTimer {
  readonly #now: () => number;
  #activeMs: number;
  #startedMs: number | undefined;
  /** How many work. */
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
 * Measures the time that a family of sessions works on inputs: it goes on while any of them works. One that waits for a
 * person, or for another of them, does not work meanwhile.
 */
export class ActiveTimer {
  readonly #family: FamilyTimer;
  #isWorking = false;
  #pauses = 0;
  /** Whether the family's clock goes on for its sake. */
  #isActive = false;

  private constructor(family: FamilyTimer) {
    this.#family = family;
  }

  /** The clock of the session at the root, which stands still at the time of an earlier process. */
  static ofRoot(now: () => number, activeMs = 0): ActiveTimer {
    return new ActiveTimer(new FamilyTimer(now, activeMs));
  }

  /** The clock of another session of the family. */
  ofMember(): ActiveTimer {
    return new ActiveTimer(this.#family);
  }

  /** Time the family has worked so far, in milliseconds. */
  get activeMs(): number {
    return this.#family.activeMs;
  }

  /** The session begins to work; nothing when it does already. */
  start(): void {
    this.#isWorking = true;
    this.#tell();
  }

  /** It works no more; nothing when it did not. */
  stop(): void {
    this.#isWorking = false;
    this.#tell();
  }

  /** It waits for somebody. */
  pause(): void {
    this.#pauses += 1;
    this.#tell();
  }

  /** That is over, once for each `pause`. */
  resume(): void {
    this.#pauses -= 1;
    this.#tell();
  }

  #tell(): void {
    const isActive = this.#isWorking && this.#pauses === 0;
    if (isActive === this.#isActive) return;
    this.#isActive = isActive;
    if (isActive) this.#family.enter();
    else this.#family.leave();
  }
}
