import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Envelope, EventType, SessionInput } from "@switchyard/contracts";
import type { StartSessionOptions } from "../src/index.ts";

/** A workspace and a state folder that are removed after the test. */
export interface TemporaryWorkspace extends Disposable {
  /** The workspace. */
  readonly root: string;
  /** The state folder; it does not exist yet. */
  readonly stateDirectory: string;
  /** Writes a file of the workspace, and creates its folders. */
  write(path: string, content: string): void;
  /** Runs git in the workspace. */
  git(...argv: string[]): string;
  /** Options of a session in that workspace. */
  options(more: Pick<StartSessionOptions, "engine"> & Partial<StartSessionOptions>): StartSessionOptions;
}

const GIT_ENV = { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };

export function temporaryWorkspace(): TemporaryWorkspace {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "runner-")));
  const root = join(folder, "workspace");
  const stateDirectory = join(folder, "state");
  mkdirSync(root);
  return {
    root,
    stateDirectory,
    write: (path, content) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
    git: (...argv) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...argv], {
        cwd: root,
        env: GIT_ENV,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      }),
    options: (more) => ({
      environment: { type: "local", root, env: process.env },
      stateDirectory,
      workspaceDiff: false,
      ...more,
    }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** An input with one task. */
export function task(content = "Do it.", more: Partial<SessionInput> = {}): SessionInput {
  return { messages: [{ role: "user", content }], ...more };
}

/** Everything an iteration gives. */
export async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

/** The types of events, in order. */
export function typesOf(events: readonly Envelope[]): EventType[] {
  return events.map((event) => event.type);
}

/** A promise with its functions `resolve` and `reject`. */
export function deferred<T = void>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
