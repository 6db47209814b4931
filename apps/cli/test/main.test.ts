import { expect, onTestFinished, test, vi } from "vitest";
import type { ProgramFacts } from "../src/context/open-process-context.ts";
import { main } from "../src/main.ts";

const FACTS: ProgramFacts = {
  ...{ version: "1.2.3", assetDirectory: "/assets" },
  importModule: (path) => Promise.reject(new Error(`${path} was imported`)),
};

/** Output stream of this process whose writes complete only when the test calls `finish`. */
interface HeldStream {
  readonly texts: string[];
  /** Completes all writes, now and from now on. */
  finish(): void;
}

function hold(stream: NodeJS.WriteStream): HeldStream {
  const texts: string[] = [];
  const waiting: (() => void)[] = [];
  let isFinished = false;
  const write = vi.spyOn(stream, "write").mockImplementation((...values: readonly unknown[]) => {
    texts.push(String(values[0]));
    for (const value of values) {
      if (typeof value !== "function") continue;
      if (isFinished) setImmediate(() => value());
      else waiting.push(() => value());
    }
    return true;
  });
  onTestFinished(() => write.mockRestore());
  return {
    texts,
    finish: () => {
      isFinished = true;
      for (const complete of waiting.splice(0)) complete();
    },
  };
}

/** Starts the program with these arguments in this process. The returned function records the exit code. */
function start(...words: string[]) {
  const [stdout, stderr] = [hold(process.stdout), hold(process.stderr)];
  const exit = vi.fn<(code: unknown) => void>();
  const ending = vi.spyOn(process, "exit").mockImplementation((code): never => {
    exit(code);
    // The program must not continue, and this process must not end.
    throw new Error("exit");
  });
  const argv = process.argv;
  process.argv = ["node", "switchyard", ...words];
  const events = ["SIGINT", "SIGTERM", "SIGHUP", "uncaughtException"] as const;
  const known = new Map(events.map((event) => [event, process.rawListeners(event)]));
  const ended = main(FACTS).catch((error: unknown) => error);
  const crash = process.listeners("uncaughtException")[0];
  onTestFinished(() => {
    process.argv = argv;
    ending.mockRestore();
    for (const event of events) {
      const before = known.get(event) ?? [];
      process.removeAllListeners(event);
      for (const listener of before) process.on(event, (...values) => Reflect.apply(listener, process, values));
    }
  });
  return { stdout, stderr, exit, ended, crash };
}

/** Resolves after everything that is ready has run. */
async function idle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}

test("the process ends after its output is written, first standard output, then standard error", async () => {
  const { stdout, stderr, exit, ended } = start("--version");
  await vi.waitFor(() => expect(stdout.texts.join("")).toContain("1.2.3"));
  stderr.finish();
  await idle();
  expect(exit).not.toHaveBeenCalled();
  stdout.finish();
  await ended;
  expect(exit).toHaveBeenCalledExactlyOnceWith(0);
});

test("the process ends after its diagnostics are written", async () => {
  const { stdout, stderr, exit, ended } = start("no-such-command");
  await vi.waitFor(() => expect(stderr.texts.join("")).toContain("no-such-command"));
  stdout.finish();
  await idle();
  expect(exit).not.toHaveBeenCalled();
  stderr.finish();
  await ended;
  expect(exit).toHaveBeenCalledExactlyOnceWith(2);
});

test("output that cannot be written is an error with a message", async () => {
  const { stdout, stderr, exit, ended } = start("--version");
  stderr.finish();
  await vi.waitFor(() => expect(stdout.texts.join("")).toContain("1.2.3"));
  process.stdout.emit("error", Object.assign(new Error("no space left on device"), { code: "ENOSPC" }));
  await ended;
  expect(stderr.texts.join("")).toMatch(/standard output/u);
  expect(exit).toHaveBeenCalledExactlyOnceWith(2);
});

test("an uncaught error is printed and ends the process", async () => {
  const { stdout, stderr, exit, ended, crash } = start("--version");
  expect(() => crash?.(new Error("a bug"), "uncaughtException")).toThrow("exit");
  expect(stderr.texts.join("")).toContain("a bug");
  expect(exit).toHaveBeenCalledOnce();
  expect(exit.mock.lastCall?.[0]).not.toBe(0);
  stdout.finish();
  stderr.finish();
  await ended;
});
