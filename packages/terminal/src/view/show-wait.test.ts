import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { TextOutput } from "../streams/terminal.ts";
import { showWait } from "./show-wait.ts";

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

function collect(isTerminal: boolean): TextOutput & { written: string } {
  const output = {
    ...{ isTerminal, hasColour: false, columns: 60, written: "" },
    closed: new AbortController().signal,
    readerGone: new AbortController().signal,
    write: (text: string) => {
      output.written += text;
    },
    flushed: () => Promise.resolve(),
  };
  return output;
}

/** Waits for work of some seconds. */
async function waitFor(
  seconds: number,
  stderr: TextOutput,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const work = new Promise<string>((resolve) => setTimeout(() => resolve("done"), seconds * 1_000));
  const waited = showWait({ stderr, env, now: () => Date.now() }, "Opening docker:node:22", work);
  await vi.advanceTimersByTimeAsync(seconds * 1_000);
  return waited;
}

test("a wait of more than a second is shown with its duration, and the line disappears", async () => {
  const stderr = collect(true);
  expect(await waitFor(3, stderr)).toBe("done");
  expect(stderr.written).toContain("Opening docker:node:22 · 1.0 s");
  expect(stderr.written).toContain("Opening docker:node:22 · 2.8 s");
  expect(stderr.written.endsWith("\u001b[2K")).toBe(true);
});

test("a short wait shows nothing, and neither does a pipe or a terminal that cannot be redrawn", async () => {
  for (const [seconds, isTerminal, env] of [
    [0.9, true, {}],
    [60, false, {}],
    [60, true, { TERM: "dumb" }],
  ] as const) {
    const stderr = collect(isTerminal);
    await waitFor(seconds, stderr, env);
    expect(stderr.written).toBe("");
  }
});

test("the line disappears if the work fails", async () => {
  const stderr = collect(true);
  const work = new Promise<string>((_, reject) => setTimeout(() => reject(new Error("no image")), 2_000));
  const waited = showWait({ stderr, env: {}, now: () => Date.now() }, "Opening", work);
  const failed = expect(waited).rejects.toThrow("no image");
  await vi.advanceTimersByTimeAsync(2_000);
  await failed;
  expect(stderr.written.endsWith("\u001b[2K")).toBe(true);
});
