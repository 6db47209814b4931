import { setImmediate as nextTurn } from "node:timers/promises";
import type { Durability } from "@switchyard/contracts";
import { FlushScheduler, type FlushSchedulerOptions } from "../flush/flush-scheduler.ts";
import type { SqlValue, WriteConnection, WriteStatement } from "./libsql.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";
import { isBusy, toWriteFailure } from "./sqlite-failure.ts";

/** Options for the queue of writes to a database. */
export interface WriteQueueOptions extends FlushSchedulerOptions {
  /** Path of the database, for error messages. */
  readonly path: string;
  /** Maximum time to wait while other processes write to the database, in milliseconds. */
  readonly busyTimeoutMs: number;
}

/** An SQL statement to run immediately, and the session that requests it. */
export interface ImmediateWrite {
  /** Values of the statement's parameters. Contract: if all values are `null`, the statement changes nothing. */
  readonly values: readonly SqlValue[];
  readonly session: object;
}

interface Job {
  readonly durability: Durability;
  /** Runs the work inside the transaction. Returns a function to call after the commit. */
  attempt(): () => void;
  reject(error: unknown): void;
}

// Maximum time of a transaction, in milliseconds. Statements block this thread, so the remaining work is done in the
// next transaction.
const SLICE_MS = 8;
// Number of database pages after which the write-ahead log is moved into the database file on another thread.
// With more than a thousand pages, SQLite would move the log during a commit, which could block this thread.
const [LOG_PAGES, PAGE_BYTES] = [900, 4096];
// Number of database pages that a write changes besides the pages that contain its values.
const OTHER_PAGES = 3;

/**
 * Queue through which all writes to the database are made. All pending work goes into one transaction, so that many
 * sessions share a flush (group commit). The flush runs on another thread, or on this one for a single session while
 * the disk is fast.
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
  /** Function that resets an SQL statement which was rejected because another process was writing. */
  #endRefused: (() => void) | undefined;
  #isClosed = false;

  private constructor(connection: WriteConnection, begin: WriteStatement, options: WriteQueueOptions) {
    this.#connection = connection;
    this.#begin = begin;
    this.#options = options;
    this.#pace = new FlushScheduler(options);
  }

  /** Creates a queue for a connection. Contract: only the queue uses the connection. */
  static async over(connection: WriteConnection, options: WriteQueueOptions): Promise<WriteQueue> {
    return new WriteQueue(connection, await connection.prepare("BEGIN IMMEDIATE"), options);
  }

  /**
   * Runs `work` inside a transaction and resolves when the transaction is committed. If `work` throws, none of its
   * changes are stored. `work` may be called a second time after other work failed. Rejects with the error of `work`,
   * or with `run.store_failed`.
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
   * Runs one small statement immediately in a separate, flushed transaction, if there is no other writer and the disk
   * is fast. Returns the number of changed rows; the result is also 0 if the statement was not run. Throws
   * `run.store_failed`.
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
      // The queue waits for the other writer. Running a rejected SQL statement again, without effect, resets it.
      // The library would otherwise leave a rejected SQL statement active, which blocks all commits.
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
    // Moving the write-ahead log into the database file fails if another process has the database open.
    await this.#connection.exec("PRAGMA wal_checkpoint(TRUNCATE)").catch(() => undefined);
    this.#connection.close();
  }

  async #workOff(): Promise<void> {
    // Work that is requested in the same turn of the event loop is committed together.
    await nextTurn();
    for (;;) {
      if (this.#logPages >= LOG_PAGES) await this.#emptyLog();
      if (this.#waiting.length === 0) break;
      const settled = await this.#writePending();
      // If only one session is active, it may request more work in this turn.
      const isAlone = settled.length === 1 && this.#waiting.length === 0;
      if (isAlone) this.#working = undefined;
      for (const settle of settled) settle();
      if (isAlone) return;
      // Callers that waited for this commit may request more work in the next turn.
      await nextTurn();
    }
    this.#working = undefined;
  }

  async #emptyLog(): Promise<void> {
    // If the write-ahead log cannot be moved into the database file, this is repeated after a later commit.
    await this.#connection.exec("PRAGMA wal_checkpoint(PASSIVE)").catch(() => undefined);
    this.#logPages = 0;
  }

  /**
   * Commits pending work and returns the functions to call after the commit. Rejects the promises of work that failed.
   */
  async #writePending(): Promise<readonly (() => void)[]> {
    const batch: Job[] = [];
    const durability = this.#waiting.some((job) => job.durability === "power") ? "power" : "process";
    try {
      return await this.#commit(durability, () => this.#attemptBatch(batch));
    } catch (error) {
      const failed = batch.length === 0 ? this.#waiting.splice(0) : batch;
      if (batch.length > 1) await this.#writeOneByOne(batch);
      else for (const job of failed) job.reject(toWriteFailure(error, this.#options.path));
      return [];
    }
  }

  /** Commits each job in a separate transaction, so that the failure of one does not affect the others. */
  async #writeOneByOne(jobs: readonly Job[]): Promise<void> {
    for (const job of jobs) {
      try {
        for (const settle of await this.#commit(job.durability, () => [job.attempt()])) settle();
      } catch (error) {
        job.reject(toWriteFailure(error, this.#options.path));
      }
    }
  }

  #attemptBatch(batch: Job[]): (() => void)[] {
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

  /**
   * Runs one transaction with the requested durability. Between transactions, the connection is configured to flush
   * with every commit.
   */
  async #commit(durability: Durability, attempt: () => (() => void)[]): Promise<(() => void)[]> {
    const isFlushed = durability === "power";
    try {
      if (!isFlushed) await this.#connection.exec("PRAGMA synchronous=NORMAL");
      await retryWhileBusy(() => this.#beginTransaction(), this.#options.busyTimeoutMs);
      const settled = attempt();
      if (isFlushed) await this.#pace.wait(() => this.#connection.exec("COMMIT"));
      else await this.#connection.exec("COMMIT; PRAGMA synchronous=FULL");
      return settled;
    } catch (error) {
      // A failure is ignored, because the database may have rolled back already.
      await this.#connection.exec("ROLLBACK").catch(() => undefined);
      if (!isFlushed) await this.#connection.exec("PRAGMA synchronous=FULL").catch(() => undefined);
      throw error;
    }
  }
}

/** Returns the number of database pages that values occupy. */
function pagesOf(values: readonly SqlValue[]): number {
  let bytes = 0;
  for (const value of values) if (value instanceof Uint8Array) bytes += value.length;
  return Math.ceil(bytes / PAGE_BYTES);
}
