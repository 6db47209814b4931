import { setImmediate as nextTurn } from "node:timers/promises";
import type { Durability } from "@switchyard/contracts";
import { FlushScheduler, type FlushSchedulerOptions } from "../flush/flush-scheduler.ts";
import type { SqlValue, WriteConnection, WriteStatement } from "./libsql.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";
import { isBusy, toWriteFailure } from "./sqlite-failure.ts";

/** Options for a write queue. */
export interface WriteQueueOptions extends FlushSchedulerOptions {
  /** Path of the database, for error messages. */
  readonly path: string;
  /** Maximum wait while other processes write, in milliseconds. */
  readonly busyTimeoutMs: number;
}

/** A statement to run at once, and the session that requests it. */
export interface ImmediateWrite {
  /** Values of the statement. Contract: with `null` for all of them it changes nothing. */
  readonly values: readonly SqlValue[];
  readonly session: object;
}

interface Job {
  readonly durability: Durability;
  /** Runs the work inside the transaction; returns a function to call once it is committed. */
  attempt(): () => void;
  reject(error: unknown): void;
}

// Statements run on this thread, so work beyond this time goes into the next transaction.
const SLICE_MS = 8;
// Number of pages after which the write-ahead log is moved into the database file on another thread. At a thousand
// pages SQLite does that itself during a commit, possibly on this thread, which takes as long as many commits.
const [LOG_PAGES, PAGE_BYTES] = [900, 4096];
// Number of pages that a write changes besides those of its values.
const OTHER_PAGES = 3;

/**
 * The only way to write to the database. All pending work goes into one transaction, so that many sessions share a
 * flush (group commit). The flush runs on another thread, or on this one for a single session while the disk is fast.
 */
export class WriteQueue {
  readonly #connection: WriteConnection;
  readonly #begin: WriteStatement;
  readonly #options: WriteQueueOptions;
  readonly #pace: FlushScheduler;
  #waiting: Job[] = [];
  #working: Promise<void> | undefined;
  /** Estimated number of pages in the write-ahead log. */
  #logPages = 0;
  /** Ends a statement that was rejected because another process was writing. */
  #endRefused: (() => void) | undefined;
  #isClosed = false;

  private constructor(connection: WriteConnection, begin: WriteStatement, options: WriteQueueOptions) {
    this.#connection = connection;
    this.#begin = begin;
    this.#options = options;
    this.#pace = new FlushScheduler(options);
  }

  /** Creates a queue over a connection that has no other user. */
  static async over(connection: WriteConnection, options: WriteQueueOptions): Promise<WriteQueue> {
    return new WriteQueue(connection, await connection.prepare("BEGIN IMMEDIATE"), options);
  }

  /**
   * Runs work inside a transaction and resolves when it is committed. If the work throws, nothing of it is stored. It
   * may be run a second time after other work failed. Rejects with the error of the work, or with `run.store_failed`.
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
   * Runs one small statement at once, in its own flushed transaction, if there is no other writer and the disk is fast.
   * Returns the number of changed rows; 0 also if it was not run. Throws `run.store_failed`.
   */
  writeNow(statement: WriteStatement, { values, session }: ImmediateWrite): number {
    this.assertOpen();
    if (this.#working !== undefined || !this.#pace.mayBlock(session)) return 0;
    try {
      const changed = this.#pace.block(session, () => statement.run(values));
      this.#logPages += OTHER_PAGES + pagesOf(values);
      if (this.#logPages >= LOG_PAGES) this.#working = this.#workOff();
      return changed;
    } catch (error) {
      if (!isBusy(error)) throw toWriteFailure(error, this.#options.path);
      // Another process is writing, and the queue waits for it. The library leaves a rejected statement active, which
      // blocks all commits. It ends when it is run and changes nothing.
      this.#endRefused = () => void statement.run(values.map(() => null));
      return 0;
    }
  }

  /** Throws if another process is writing. */
  #beginTransaction(): void {
    this.#endRefused?.();
    this.#endRefused = undefined;
    this.#begin.run([]);
  }

  /** Throws `run.store_failed` if the queue was closed. */
  assertOpen(): void {
    if (this.#isClosed) throw toWriteFailure(new Error("the store is closed"), this.#options.path);
  }

  /** Rejects further work, and resolves when all pending work is committed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#working;
    // So that the database file is complete without its log, unless another process has it open.
    await this.#connection.exec("PRAGMA wal_checkpoint(TRUNCATE)").catch(() => undefined);
    this.#connection.close();
  }

  async #workOff(): Promise<void> {
    // Work requested in the same turn of the event loop is committed together.
    await nextTurn();
    for (;;) {
      if (this.#logPages >= LOG_PAGES) await this.#emptyLog();
      if (this.#waiting.length === 0) break;
      const settled = await this.#keepWhatWaits();
      // A single session may continue in this turn.
      const isAlone = settled.length === 1 && this.#waiting.length === 0;
      if (isAlone) this.#working = undefined;
      for (const settle of settled) settle();
      if (isAlone) return;
      // Callers that waited for this may have more work by now.
      await nextTurn();
    }
    this.#working = undefined;
  }

  async #emptyLog(): Promise<void> {
    // A failed checkpoint is repeated after a later commit.
    await this.#connection.exec("PRAGMA wal_checkpoint(PASSIVE)").catch(() => undefined);
    this.#logPages = 0;
  }

  /** Commits pending work and returns the functions to call; rejects work that failed. */
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

  /** Commits jobs separately, so that a failure of one does not affect the others. */
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

  /** Runs one transaction. Between transactions the connection flushes with every commit. */
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
      // Fails if the database has already rolled back.
      await this.#connection.exec("ROLLBACK").catch(() => undefined);
      if (!isFlushed) await this.#connection.exec("PRAGMA synchronous=FULL").catch(() => undefined);
      throw error;
    }
  }
}

/** Returns the number of pages that values fill. */
function pagesOf(values: readonly SqlValue[]): number {
  let bytes = 0;
  for (const value of values) if (value instanceof Uint8Array) bytes += value.length;
  return Math.ceil(bytes / PAGE_BYTES);
}
