import { expect, test } from "vitest";
import type { TextOutput } from "../streams/terminal.ts";
import { printRunHeader, type RunHeader } from "./run-header.ts";

const HEADER: RunHeader = {
  model: "anthropic/claude-sonnet-5-5",
  prices: { input: 2, output: 10 },
  modelReason: "default for ANTHROPIC_API_KEY; --model changes it",
  engine: "agent",
  environment: "local",
  network: "commands can use the network",
  permissions: ["never asks", "--mode ask asks before changes"],
  folder: "~/project",
  runId: "01m8fxvzmr4sjh63b777bsvnxs",
};

function printed(header: RunHeader, columns: number): string[] {
  let text = "";
  const output: TextOutput = {
    ...{ isTerminal: true, hasColour: false, columns },
    closed: new AbortController().signal,
    readerGone: new AbortController().signal,
    write: (written) => {
      text += written;
    },
    flushed: () => Promise.resolve(),
  };
  printRunHeader(output, header);
  return text.split("\n");
}

test("the header of a run has one line for each fact, and the reason for the model", () => {
  expect(printed(HEADER, 100)).toEqual([
    "model   anthropic/claude-sonnet-5-5 · $2 in, $10 out per 1M tokens",
    "        default for ANTHROPIC_API_KEY; --model changes it",
    "engine  agent · environment local · commands can use the network",
    "mode    never asks · --mode ask asks before changes",
    "folder  ~/project",
    "run     01m8fxvzmr4sjh63b777bsvnxs",
    ...["", ""],
  ]);
});

test("the header fits 60 columns", () => {
  const lines = printed(HEADER, 60);
  expect(lines[0]).toBe("model   anthropic/claude-sonnet-5-5 · $2 in, $10 out per 1M");
  expect(lines.every((line) => line.length <= 60)).toBe(true);
});

test("an unknown price is said to be unknown, and a model that the engine chooses has none", () => {
  expect(printed({ ...HEADER, prices: undefined, modelReason: undefined }, 100)[0]).toBe(
    "model   anthropic/claude-sonnet-5-5 · price unknown",
  );
  expect(printed({ ...HEADER, model: undefined, engine: "codex" }, 100)[0]).toBe("model   chosen by codex");
});

test("control characters in names are made visible", () => {
  expect(printed({ ...HEADER, folder: "~/a\u001b[2Jb" }, 100)).toContain("folder  ~/a␛[2Jb");
});
