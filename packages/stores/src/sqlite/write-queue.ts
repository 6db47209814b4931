import { setImmediate as nextTurn } from "node:timers/promises";
import type { Durability } from "@switchyard/contracts";
import { FlushPace, type FlushPaceOptions } from "../flush/flush-pace.ts";
import type { WriteConnection, WriteStatement } from "./libsql.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";
import { isBusy, toWriteFailure } from "./sqlite-failure.ts";

/** Where a queue writes to. */
export interface WriteQueueOptions extends FlushPaceOptions {
  /** Path of the database, for errors. */
  readonly path: string;
  /** How long to wait while other processes write. */
  readonly busyTimeoutMs: number;
}

/** The statements that begin and end a transaction on this thread. */
interface Transaction {
  readonly begin: WriteStatement;
  readonly commit: WriteStatement;
  readonly rollback: WriteStatement;
}

interface Job {
  readonly durability: Durability;
  /** Does the work inside the transaction; gives what is to happen once that is kept. */
  attempt(): () => void;
  reject(error: unknown): void;
}

// Statements run on this thread: what takes longer than this goes into the next transaction.
const SLICE_MS = 8;

/**
 * The one way to write to the database. All that is waiting goes into one transaction, so that many sessions share
 * one flush (group commit). The flush happens on another thread; that of a session which is alone may happen on this
 * one, while the disk is quick.
 */
export class WriteQueue {
  readonly #connection: WriteConnection;
  readonly #transaction: Transaction;
  readonly #options: WriteQueueOptions;
  readonly #pace: FlushPace;
  #waiting: Job[] = [];
  #working: Promise<void> | undefined;
  #isClosed = false;

  private constructor(connection: WriteConnection, transaction: Transaction, options: WriteQueueOptions) {
    this.#connection = connection;
    this.#transaction = transaction;
    this.#options = options;
    this.#pace = new FlushPace(options);
  }

  /** A queue over a connection that nobody else uses. */
  static async over(connection: WriteConnection, options: WriteQueueOptions): Promise<WriteQueue> {
    const begin = await connection.prepare("BEGIN IMMEDIATE");
    const [commit, rollback] = [await connection.prepare("COMMIT"), await connection.prepare("ROLLBACK")];
    return new WriteQueue(connection, { begin, commit, rollback }, options);
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
   * Does one small statement for a session at once, flushed, when nobody else writes and the disk is quick. Gives
   * whether it changed something; when it was not done it gives false as well. Throws `run.store_failed`.
   */
  writeNow(statement: () => number, session: object): boolean {
    this.assertOpen();
    if (this.#working !== undefined || !this.#pace.mayBlock(session)) return false;
    const { begin, commit } = this.#transaction;
    let isBegun = false;
    try {
      // A statement by itself would hold on to what it read before it found out that another process writes.
      begin.run([]);
      isBegun = true;
      const isChanged = statement() > 0;
      if (isChanged) this.#pace.block(session, () => void commit.run([]));
      else this.#rollBack();
      return isChanged;
    } catch (error) {
      if (isBegun) this.#rollBack();
      // Another process writes; the queue waits for it.
      else if (isBusy(error)) return false;
      throw toWriteFailure(error, this.#options.path);
    }
  }

  #rollBack(): void {
    try {
      this.#transaction.rollback.run([]);
    } catch {
      // The database has rolled back by itself.
    }
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
    while (this.#waiting.length > 0) {
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
      if (performance.now() >= end) break;
    }
    return settled;
  }

  /** One transaction. Between transactions the connection flushes with every commit. */
  async #keep(durability: Durability, attempt: () => (() => void)[]): Promise<(() => void)[]> {
    const isFlushed = durability === "power";
    try {
      if (!isFlushed) await this.#connection.exec("PRAGMA synchronous=NORMAL");
      await retryWhileBusy(() => this.#transaction.begin.run([]), this.#options.busyTimeoutMs);
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
