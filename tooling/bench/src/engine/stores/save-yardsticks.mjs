// @ts-check
import { closeSync, fdatasync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { changeOf } from "./bench-store.mjs";
import { checkpointSteps } from "./save-steps.mjs";

/**
 * Content of a checkpoint that is stored as a change.
 * @typedef {{ iteration: number, [field: string]: unknown }} PlainStep
 */
/** @typedef {{ prepare: () => PlainStep, operation: (step: PlainStep) => void | Promise<void>, close(): void }} Yardstick */

const PAGE = Buffer.alloc(4096, "x");

/**
 * Creates steps like those of a store, so that the timed part is comparable: the same change of a board, and as many
 * bytes to write.
 * @returns {() => PlainStep}
 */
function plainSteps() {
  const next = checkpointSteps("small");
  return () => {
    const { execId, step, iteration = 0, timestamp } = next();
    const board = { vars: { output: { set: changeOf(iteration - 1) } } };
    return { kind: "delta", parts: 0, exec_id: execId, step, iteration, timestamp, board };
  };
}

/**
 * @param {PlainStep} step
 * @returns {string}
 */
function jsonLine(step) {
  return `${JSON.stringify(step)}\n`;
}

/**
 * @param {number} fd
 * @returns {Promise<void>}
 */
function flush(fd) {
  return new Promise((resolve, reject) => {
    fdatasync(fd, (error) => (error === null ? resolve() : reject(error)));
  });
}

/**
 * @param {string} path
 * @param {(fd: number, step: PlainStep) => void | Promise<void>} write
 * @returns {Yardstick}
 */
function fileYardstick(path, write) {
  const fd = openSync(path, "a");
  return { prepare: plainSteps(), operation: (step) => write(fd, step), close: () => closeSync(fd) };
}

/**
 * @param {string} path
 * @returns {Yardstick}
 */
function bareInsert(path) {
  const database = new Database(path);
  database.exec(
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE lines (n INTEGER PRIMARY KEY, line BLOB)",
  );
  /** @type {import("libsql").Statement<[number, Buffer]>} */
  const insert = database.prepare("INSERT INTO lines VALUES (?, ?)");
  return {
    prepare: plainSteps(),
    operation: (step) => void insert.run(step.iteration, Buffer.from(jsonLine(step))),
    close: () => void database.close(),
  };
}

/**
 * Returns the best possible results of a store, by name.
 * @param {string} folder
 * @returns {Readonly<Record<"JSONL append + fdatasync" | "same, event loop free" | "20 KB append + fdatasync" | "4 KB overwrite + fdatasync" | "bare libsql insert", Yardstick>>}
 */
export function saveYardsticks(folder) {
  const bytes = Buffer.from(changeOf(0));
  return {
    "JSONL append + fdatasync": fileYardstick(join(folder, "lines.jsonl"), (fd, step) => {
      writeSync(fd, jsonLine(step));
      fdatasyncSync(fd);
    }),
    "same, event loop free": fileYardstick(join(folder, "free.jsonl"), (fd, step) => {
      writeSync(fd, jsonLine(step));
      return flush(fd);
    }),
    "20 KB append + fdatasync": fileYardstick(join(folder, "bytes"), (fd) => {
      writeSync(fd, bytes);
      fdatasyncSync(fd);
    }),
    "4 KB overwrite + fdatasync": overwrite(join(folder, "page")),
    "bare libsql insert": bareInsert(join(folder, "bare.db")),
  };
}

/**
 * @param {string} path
 * @returns {Yardstick}
 */
function overwrite(path) {
  const fd = openSync(path, "w");
  const operation = () => {
    writeSync(fd, PAGE, 0, PAGE.length, 0);
    fdatasyncSync(fd);
  };
  return { prepare: plainSteps(), operation, close: () => closeSync(fd) };
}
