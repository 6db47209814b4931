import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { answerCall, beginAnswer, endAnswer, type Misbehaviour, startLoopbackModel } from "./loopback-model.ts";
import { BIN, makeFolder, switchyard } from "./start-switchyard.ts";
import { noTmux, startOnScreen } from "./tmux.ts";

const missing = await noTmux();
const KEY = { ANTHROPIC_API_KEY: "test-key-that-is-not-real", TERM: "xterm-256color" };

/** Rest of a response that begins with "Half an ans". */
const MARKDOWN = [
  "wer, **bold**.\n\n## Findings\n",
  "1. `src/discount.ts` rounds down, which the tests of the discount module do not expect at all",
  "2. 漢字 in a [link](https://example.org/rules)\n",
  "```ts\nconst rounded = Math.round(cents);\n```\n",
  "| File | Change | Why |\n|---|---|---|",
  "| src/discount.ts | Math.round | half-up rounding is what the rules of the shop demand |",
].join("\n");

/** Runs a command first, which waits for the file `go`, then responds with Markdown. */
function commandThenText(command: string): Misbehaviour {
  let asked = 0;
  return (response, request) => {
    asked += 1;
    if (asked === 1) return answerCall("shell", { command })(response, request);
    beginAnswer(response);
    endAnswer(response, MARKDOWN);
  };
}

const answer: Misbehaviour = (response) => {
  beginAnswer(response);
  endAnswer(response, MARKDOWN);
};

describe("a run on a terminal", () => {
  beforeEach(({ skip }) => {
    skip(missing !== undefined, missing);
  });

  test.each([60, 80, 200])("begins with a header and shows rendered Markdown within %i columns", async (columns) => {
    const { baseUrl } = await startLoopbackModel(answer);
    const argv = [process.execPath, BIN, "run", "--base-url", baseUrl, "go"];
    const screen = await startOnScreen(argv, { env: KEY, cwd: await makeFolder(), columns });
    expect(await screen.ended()).toBe(0);
    const lines = (await screen.shown()).split("\n");
    const price = columns === 60 ? "$2 in, $10 out per 1M" : "$2 in, $10 out per 1M tokens";
    expect(lines.slice(0, 2)).toEqual([
      `model   anthropic/claude-sonnet-5-5 · ${price}`,
      "        default for ANTHROPIC_API_KEY; --model changes it",
    ]);
    const shown = lines.join("\n");
    expect(shown).toMatch(/^engine {2}agent · environment local/m);
    expect(shown).toMatch(/^mode {4}asks before changes/m);
    expect(shown).toMatch(/^folder {2}.*switchyard-test-/m);
    expect(shown).toMatch(/(?:^ {8}| · )run [0-9a-z]{26}$/m);
    expect(lines).toEqual(
      expect.arrayContaining(["Half an answer, bold.", "Findings", "  const rounded = Math.round(cents);"]),
    );
    expect(shown).toMatch(/^File {12}│ Change {5}│ Why$/m);
    expect(shown).toContain("link (https://example.org/rules)");
    expect(shown).not.toMatch(/\*\*|^##|```/m);
    const answered = lines.slice(
      lines.indexOf("Half an answer, bold."),
      lines.findIndex((line) => line.startsWith("Completed in")),
    );
    expect(answered.filter((line) => line.length > columns)).toEqual([]);
  });

  test("shows the last lines of a running command, until the command ends", async () => {
    const cwd = await makeFolder();
    const command =
      "for i in 1 2 3 4 5 6 7 8 9; do echo step $i; done; until [ -e go ]; do sleep 0.05; done; echo finished";
    const { baseUrl } = await startLoopbackModel(commandThenText(command));
    const argv = [process.execPath, BIN, "run", "--base-url", baseUrl, "--mode", "auto", "go"];
    const screen = await startOnScreen(argv, { env: KEY, cwd, columns: 80 });
    // The end of the output is withheld, because it may be the beginning of a secret.
    const running = await screen.until("step 8");
    expect(running).toMatch(/^ {4}step 5$/m);
    expect(running).not.toMatch(/^ {4}step 3$/m);
    await writeFile(join(cwd, "go"), "");
    expect(await screen.ended()).toBe(0);
    const shown = await screen.shown();
    expect(shown).toMatch(/✓ shell .*\n {4}step 1\n/);
    expect(shown).toContain("finished");
    expect(shown.match(/step 9/g)).toHaveLength(1);
  });

  test.each(["--json", "--events=jsonl"])("with %s there is no header", async (option) => {
    const { baseUrl } = await startLoopbackModel(answer);
    const argv = [process.execPath, BIN, "run", "--base-url", baseUrl, option, "go"];
    const screen = await startOnScreen(argv, { env: KEY, columns: 80 });
    expect(await screen.ended()).toBe(0);
    const shown = await screen.shown();
    expect(shown).toContain("claude-sonnet-5-5");
    expect(shown).not.toMatch(/^model {3}|^engine {2}/m);
  });
});

test("in a pipe, there is no header, and Markdown is printed as the model wrote it", async () => {
  const { baseUrl } = await startLoopbackModel(answer);
  const { stdout, stderr, exitCode } = await switchyard(["run", "--base-url", baseUrl, "go"], { env: KEY });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toContain(`Half an ans${MARKDOWN.trimEnd()}`);
});
