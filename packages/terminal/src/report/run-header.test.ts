import { expect, test } from "vitest";
import type { TextOutput } from "../streams/terminal.ts";
import { displayWidth } from "../text/display-width.ts";
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
    "folder  ~/project · run 01m8fxvzmr4sjh63b777bsvnxs",
    ...["", ""],
  ]);
});

test("the header says how the engine reaches models", () => {
  const lines = printed({ ...HEADER, engine: "codex", modelAccess: "direct (own login of codex)" }, 100);
  expect(lines).toContain("engine  codex · model access: direct (own login of codex) · environment local");
});

test("the header fits 60 columns", () => {
  const lines = printed(HEADER, 60);
  expect(lines[0]).toBe("model   anthropic/claude-sonnet-5-5 · $2 in, $10 out per 1M");
  expect(lines.every((line) => line.length <= 60)).toBe(true);
});

test("an unknown price is shown as unknown, and a model that the engine chooses has no price", () => {
  expect(printed({ ...HEADER, prices: undefined, modelReason: undefined }, 100)[0]).toBe(
    "model   anthropic/claude-sonnet-5-5 · price unknown",
  );
  expect(printed({ ...HEADER, model: undefined, engine: "codex" }, 100)[0]).toBe("model   chosen by codex");
});

test("control characters in names are made visible", () => {
  expect(printed({ ...HEADER, folder: "~/a\u001b[2Jb" }, 100)).toContain(
    "folder  ~/a␛[2Jb · run 01m8fxvzmr4sjh63b777bsvnxs",
  );
});

test("the header has at most six lines at 80 columns, and a long folder loses its start", () => {
  const lines = printed(
    {
      ...HEADER,
      environment: "docker:registry.example.com/some-team/some-image-with-a-long-name:2026-11-28",
      permissions: ["never asks", "12 allow rules", "3 deny rules", "--mode ask asks before changes", "and more words"],
      folder: `/srv/${"folder/".repeat(12)}日本`,
    },
    80,
  ).slice(0, -2);
  expect(lines).toHaveLength(6);
  expect(lines.at(-1)).toMatch(/^folder {2}….*folder\/日本 · run 01m8fxvzmr4sjh63b777bsvnxs$/);
  expect(lines.every((line) => displayWidth(line) <= 80)).toBe(true);
});
