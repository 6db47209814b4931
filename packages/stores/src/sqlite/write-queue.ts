import { setImmediate as nextTurn } from "node:timers/promises";
import type { Durability } from "@switchyard/contracts";
import { FlushPace, type FlushPaceOptions } from "../flush/flush-pace.ts";
import type { SqlValue, WriteConnection, WriteStatement } from "./libsql.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";
import { isBusy, toWriteFailure } from "./sqlite-failure.ts";

/** Where a queue writes to. */
export interface WriteQueueOptions extends FlushPaceOptions {
  /** Path of the database, for errors. */
  readonly path: string;
  /** How long to wait while other processes write. */
  readonly busyTimeoutMs: number;
}

/** What is done at once, and for whom. */
export interface LoneWrite {
  /** What is bound to the statement. Contract: with `null` for each of them it changes nothing. */
  readonly values: readonly SqlValue[];
  readonly session: object;
}

interface Job {
  readonly durability: Durability;
  /** Does the work inside the transaction; gives what is to happen once that is kept. */
  attempt(): () => void;
  reject(error: unknown): void;
}

// Statements run on this thread: what takes longer than this goes into the next transaction.
const SLICE_MS = 8;
// When it has grown by so many pages, the log is brought into the database file on another thread. With a thousand pages
// SQLite does that by itself, with a commit that may be on this one; it takes as long as many commits.
const [LOG_PAGES, PAGE_BYTES] = [900, 4096];
// Pages that a write changes besides those that its values fill.
const OTHER_PAGES = 3;

/**
 * The one way to write to the database. All that is waiting goes into one transaction, so that many sessions share
 * one flush (group commit). The flush happens on another thread; that of a session which is alone may happen on this
 * one, while the disk is quick.
 */
export class WriteQueue {
  readonly #connection: WriteConnection;
  readonly #begin: WriteStatement;
  readonly #options: WriteQueueOptions;
  readonly #pace: FlushPace;
  #waiting: Job[] = [];
  #working: Promise<void> | undefined;
  /** About so many pages were added to the log since it was brought into the file. */
  #logPages = 0;
  /** Ends a statement that was refused because another process was writing. */
  #endRefused: (() => void) | undefined;
  #isClosed = false;

  private constructor(connection: WriteConnection, begin: WriteStatement, options: WriteQueueOptions) {
    this.#connection = connection;
    this.#begin = begin;
    this.#options = options;
    this.#pace = new FlushPace(options);
  }

  /** A queue over a connection that nobody else uses. */
  static async over(connection: WriteConnection, options: WriteQueueOptions): Promise<WriteQueue> {
    return new WriteQueue(connection, await connection.prepare("BEGIN IMMEDIATE"), options);
  }

  /**
   * Does some work inside a transaction and resolves when that is kept. When the work throws, nothing of it is kept.
   * It may be done a second time after a failure of something else. Throws what it throws, or `run.store_failed`.
   */
  async write<T>(work: () => T, durability: Durability): Promise<T> {
    this.assertOpen();
    return await new Promise<T>((resolve, reject) => {
      const attempt = (): (() => void) => {
        const value = work();
        return () => resolve(value);
      };
      this.#waiting.push({ durability, attempt, reject });
      this.#working ??= this.#workOff();
    });
  }

  /**
   * Does one small statement for a session at once, as a flushed transaction of its own, when nobody else writes and
   * the disk is quick. Gives the number of changed rows; 0 also when it was not done. Throws `run.store_failed`.
   */
  writeNow(statement: WriteStatement, { values, session }: LoneWrite): number {
    this.assertOpen();
    if (this.#working !== undefined || !this.#pace.mayBlock(session)) return 0;
    try {
      const changed = this.#pace.block(session, () => statement.run(values));
      this.#logPages += OTHER_PAGES + pagesOf(values);
      if (this.#logPages >= LOG_PAGES) this.#working = this.#workOff();
      return changed;
    } catch (error) {
      if (!isBusy(error)) throw toWriteFailure(error, this.#options.path);
      // Another process writes; the queue waits for it. The library leaves a refused statement begun, and as long as
      // it is, no transaction can be committed. It ends when it runs and finds nothing to change.
      this.#endRefused = () => void statement.run(values.map(() => null));
      return 0;
    }
  }

  /** Throws when another process is writing. */
  #beginTransaction(): void {
    this.#endRefused?.();
    this.#endRefused = undefined;
    this.#begin.run([]);
  }

  /** Throws `run.store_failed` when the queue was closed. */
  assertOpen(): void {
    if (this.#isClosed) throw toWriteFailure(new Error("the store is closed"), this.#options.path);
  }

  /** Refuses what comes from now on, and resolves when all that waits is kept. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#working;
    // So that the one file is whole without its log, unless somebody else has it open.
    await this.#connection.exec("PRAGMA wal_checkpoint(TRUNCATE)").catch(() => undefined);
    this.#connection.close();
  }

  async #workOff(): Promise<void> {
    // What is asked for in the same turn of the event loop is kept together.
    await nextTurn();
    for (;;) {
      if (this.#logPages >= LOG_PAGES) await this.#emptyLog();
      if (this.#waiting.length === 0) break;
      const settled = await this.#keepWhatWaits();
      // A session that is alone may go on in this turn.
      const isAlone = settled.length === 1 && this.#waiting.length === 0;
      if (isAlone) this.#working = undefined;
      for (const settle of settled) settle();
      if (isAlone) return;
      // Those who were waiting for this may have the next thing to keep by now.
      await nextTurn();
    }
    this.#working = undefined;
  }

  async #emptyLog(): Promise<void> {
    // What cannot be done now is done by a later commit.
    await this.#connection.exec("PRAGMA wal_checkpoint(PASSIVE)").catch(() => undefined);
    this.#logPages = 0;
  }

  /** Gives what is to happen now that it is kept; what could not be kept is refused. */
  async #keepWhatWaits(): Promise<readonly (() => void)[]> {
    const batch: Job[] = [];
    const durability = this.#waiting.some((job) => job.durability === "power") ? "power" : "process";
    try {
      return await this.#keep(durability, () => this.#attemptWhatFits(batch));
    } catch (error) {
      const failed = batch.length === 0 ? this.#waiting.splice(0) : batch;
      if (batch.length > 1) await this.#keepOneByOne(batch);
      else for (const job of failed) job.reject(toWriteFailure(error, this.#options.path));
      return [];
    }
  }

  /** One failure must not be that of the others. */
  async #keepOneByOne(jobs: readonly Job[]): Promise<void> {
    for (const job of jobs) {
      try {
        for (const settle of await this.#keep(job.durability, () => [job.attempt()])) settle();
      } catch (error) {
        job.reject(toWriteFailure(error, this.#options.path));
      }
    }
  }

  #attemptWhatFits(batch: Job[]): (() => void)[] {
    const settled: (() => void)[] = [];
    const end = performance.now() + SLICE_MS;
    for (let job = this.#waiting.shift(); job !== undefined; job = this.#waiting.shift()) {
      batch.push(job);
      settled.push(job.attempt());
      this.#logPages += OTHER_PAGES;
      if (performance.now() >= end) break;
    }
    return settled;
  }

  /** One transaction. Between transactions the connection flushes with every commit. */
  async #keep(durability: Durability, attempt: () => (() => void)[]): Promise<(() => void)[]> {
    const isFlushed = durability === "power";
    try {
      if (!isFlushed) await this.#connection.exec("PRAGMA synchronous=NORMAL");
      await retryWhileBusy(() => this.#beginTransaction(), this.#options.busyTimeoutMs);
      const settled = attempt();
      if (isFlushed) await this.#pace.wait(() => this.#connection.exec("COMMIT"));
      else await this.#connection.exec("COMMIT; PRAGMA synchronous=FULL");
      return settled;
    } catch (error) {
      // It fails when the database has rolled back by itself.
      await this.#connection.exec("ROLLBACK").catch(() => undefined);
      if (!isFlushed) await this.#connection.exec("PRAGMA synchronous=FULL").catch(() => undefined);
      throw error;
    }
  }
}

/** Pages that values fill. */
function pagesOf(values: readonly SqlValue[]): number {
  let bytes = 0;
  for (const value of values) if (value instanceof Uint8Array) bytes += value.length;
  return Math.ceil(bytes / PAGE_BYTES);
}
