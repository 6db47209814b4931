import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { answerCall, beginAnswer, endAnswer, type Misbehaviour, startLoopbackModel } from "./loopback-model.ts";
import { BIN, makeFolder } from "./start-switchyard.ts";
import { noTmux, type Screen, startOnScreen } from "./tmux.ts";

const missing = await noTmux();
const KEY = { ANTHROPIC_API_KEY: "test-key-that-is-not-real", TERM: "xterm-256color" };

interface Started {
  readonly screen: Screen;
  readonly state: string;
  readonly cwd: string;
  /** Returns the types and texts of the stored events. */
  stored(): Promise<string[]>;
}

async function start(answer: Misbehaviour, shell?: string): Promise<Started> {
  const { baseUrl } = await startLoopbackModel(answer);
  const [state, cwd] = [await makeFolder(), await makeFolder({ "a.txt": "one\ntwo\nthree\n" })];
  const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl, "--state", state, "--mode", "auto", "go"];
  const argv = [process.execPath, BIN, ...words];
  const screen = await startOnScreen(shell === undefined ? argv : ["bash", "--norc"], { env: KEY, cwd });
  if (shell !== undefined) {
    await screen.type(`${argv.map((word) => `'${word}'`).join(" ")}${shell}`);
    await screen.press("Enter");
  }
  return {
    ...{ screen, state, cwd },
    stored: async () => {
      const [id = ""] = await readdir(join(state, "runs"));
      const lines = (await readFile(join(state, "runs", id, "events.jsonl"), "utf8")).trim().split("\n");
      return lines.map((line) => {
        const { type, payload } = Object(JSON.parse(line));
        return `${type} ${typeof payload.content === "string" ? payload.content : ""}`.trim();
      });
    },
  };
}

/** Sends the responses in order. The last one is repeated. */
function inTurn(...answers: readonly Misbehaviour[]): Misbehaviour {
  let asked = 0;
  return (response, request) => answers[Math.min(asked++, answers.length - 1)]?.(response, request);
}

const done: Misbehaviour = (response) => {
  beginAnswer(response);
  endAnswer(response, "wer.");
};

describe("a run on a screen", () => {
  beforeEach(({ skip }) => {
    skip(missing !== undefined, missing);
  });

  test("text typed during a turn reaches the agent with its next step", async () => {
    const { screen, stored, cwd } = await start(
      inTurn(answerCall("shell", { command: "until [ -e go ]; do sleep 0.05; done" }), done),
    );
    await screen.until("type a message to the agent");
    await screen.type("use spaxxx");
    for (const key of ["BSpace", "BSpace", "BSpace"]) await screen.press(key);
    await screen.type("ces");
    await screen.until("› use spaces");
    await screen.press("Enter");
    await screen.until("» use spaces");
    await makeFile(join(cwd, "go"));
    expect(await screen.ended()).toBe(0);
    const shown = await screen.shown();
    expect(shown).toContain("> use spaces");
    expect(shown).toContain("Half an answer.");
    expect(shown).not.toContain("›");
    const events = await stored();
    expect(events).toContain("control_received use spaces");
    expect(events).toContain("steering_injected use spaces");
  });

  test("Ctrl-C once stops cleanly, with the terminal as it was", async () => {
    const { screen, stored } = await start(
      (response) => beginAnswer(response),
      "; echo ENDED-$?; stty -a | grep -o ' icanon'",
    );
    await screen.until("Half an");
    await screen.press("C-c");
    await screen.until(/^ENDED-130$/m);
    await screen.until(/^ icanon$/m);
    expect(await screen.shown()).toContain("Stopping. Press Ctrl-C again to stop immediately.");
    expect((await stored()).at(-1)).toContain("run_end");
  });

  test("Ctrl-C twice stops at once", async () => {
    const stubborn = answerCall("shell", { command: "trap '' INT TERM; while [ -e a.txt ]; do sleep 0.05; done" });
    const { screen } = await start(stubborn);
    await screen.until("→ shell");
    await screen.press("C-c");
    await screen.until("Press Ctrl-C again");
    await screen.press("C-c");
    expect(await screen.ended()).toBe(130);
  });

  test("Ctrl-Z returns the terminal to the shell, and fg continues", async () => {
    const { screen } = await start((response) => beginAnswer(response), "");
    await screen.until("Half an");
    await screen.press("C-z");
    await screen.until("Stopped");
    await screen.type("echo in the $((1 + 1))nd shell");
    await screen.press("Enter");
    await screen.until(/^in the 2nd shell$/m);
    await screen.type("fg");
    await screen.press("Enter");
    await screen.type("going on");
    await screen.until("› going on");
    await screen.press("C-c");
    await screen.until("The run was interrupted.");
  });

  test("in the background it does not use the terminal", async () => {
    const { screen, cwd } = await start(
      inTurn(answerCall("shell", { command: "until [ -e go ]; do sleep 0.05; done" }), done),
      " &",
    );
    await screen.until("→ shell");
    await screen.type("jobs");
    await screen.press("Enter");
    await screen.until("Running");
    expect(await screen.shown()).not.toContain("type a message to the agent");
    await makeFile(join(cwd, "go"));
    await screen.until("Completed in");
  });

  test("an edit shows its changes", async () => {
    const edit = answerCall("edit_file", {
      file_path: "a.txt",
      old_string: "one\ntwo",
      new_string: "one\n2\u001b[31m",
    });
    const { screen } = await start(inTurn(answerCall("read_file", { file_path: "a.txt" }), edit, done));
    expect(await screen.ended()).toBe(0);
    const shown = await screen.shown();
    expect(shown).toMatch(/✓ edit_file.*\n {5}one\n {4}-two\n {4}\+2␛\[31m/);
  });

  test("no agent output moves the cursor, sets the title or writes the clipboard", async () => {
    const evil =
      "\u001b]0;stolen\u0007\u001b]52;c;c3RvbGVu\u0007\u001b[2J\u001b[H\u001b[?1049h\u009b31mEVIL\u0090x\u009c\r\u202egnp.exe";
    const { screen } = await start(
      inTurn(answerCall("shell", { command: `printf '%s' '${evil}'`, timeout_ms: 5_000 }), (response) => {
        beginAnswer(response);
        endAnswer(response, `wer. ${evil}`);
      }),
    );
    expect(await screen.ended()).toBe(0);
    const shown = await screen.shown();
    expect(shown).toContain("> go");
    expect(shown).toContain("EVIL");
    expect(shown).toContain("Completed in");
    expect(await screen.fact("#{pane_title}")).not.toContain("stolen");
    expect(await screen.fact("#{alternate_on}")).toBe("0");
    expect(await screen.fact("#{buffer_sample}")).not.toContain("stolen");
  });

  test("a window that becomes narrow while text streams is still drawn correctly", async () => {
    const { screen } = await start((response) => beginAnswer(response));
    await screen.until("Half an");
    await screen.resize(40);
    await screen.type("narrow");
    await screen.until("› narrow");
    await screen.press("C-c");
    expect(await screen.ended()).toBe(130);
    const shown = await screen.shown();
    expect(shown).toContain("Half an ans");
    expect(shown).not.toContain("› narrow");
  });
});

async function makeFile(path: string): Promise<void> {
  const { writeFile } = await import("node:fs/promises");
  await writeFile(path, "");
}
