import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { IDLE, inTurn, KEY, say, startChat } from "./chat-screen.ts";
import { answerCall, beginAnswer, endAnswer, type Misbehaviour } from "./loopback-model.ts";
import { BIN, switchyard } from "./start-switchyard.ts";
import { noTmux, startOnScreen } from "./tmux.ts";

const missing = await noTmux();
describe("an interactive session", () => {
  beforeEach(({ skip }) => {
    skip(missing !== undefined, missing);
  });

  test("two messages are two stored runs of one conversation, at 60, 80 and 200 columns", async () => {
    for (const columns of [60, 80, 200]) {
      const { screen, state, bodies, send } = await startChat(inTurn(say("wer 一."), say("wer 二 🎉.")), { columns });
      await send("Erste Frage é 日本");
      await screen.until("Half an answer 一.");
      await screen.until(/Done · [^\n]*\n\n› Ask the agent\./);
      await send("Second question");
      await screen.until("Half an answer 二 🎉.");
      await screen.until(/Done · [^\n]*\n\n› Ask the agent\.[^\n]*\n[^\n]*\n*$/);
      expect(bodies.at(-1)).toContain("Erste Frage é 日本");
      expect(bodies.at(-1)).toContain("Half an answer 一.");
      await send("/quit");
      expect(await screen.ended()).toBe(0);
      expect(await readdir(join(state, "runs"))).toHaveLength(2);
      const shown = await screen.shown();
      expect(shown.match(/^> Erste Frage é 日本$/gm)).toHaveLength(1);
      expect(shown).toContain("Continue this conversation with: switchyard chat --continue");
    }
  });

  test("a message typed while the agent works is read by the agent with its next step", async () => {
    const wait = answerCall("shell", { command: "until [ -e go ]; do sleep 0.05; done" });
    const { screen, cwd, bodies, send } = await startChat(inTurn(wait, say("wer.")), { words: ["--mode", "auto"] });
    await send("Wait for it");
    // Before the command runs, a new file would not count as a change of this turn.
    await screen.until("→ shell until");
    await screen.until("Type to steer the agent.");
    await send("use tabs 日本");
    await screen.until("» use tabs 日本");
    await writeFile(join(cwd, "go"), "");
    await screen.until("> use tabs 日本");
    await screen.until(/Done · [^\n]*\n {2}go {2}\+0 -0\n\n› Ask/);
    expect(bodies.at(-1)).toContain("use tabs 日本");
  });

  test("a message that the agent could not read any more is sent as the next one", async () => {
    const held: (() => void)[] = [];
    const hold: Misbehaviour = (response) => {
      beginAnswer(response);
      held.push(() => endAnswer(response, "wer."));
    };
    const { screen, bodies, send } = await startChat(inTurn(hold, say("wer 2.")));
    await send("First");
    await screen.until("Half an");
    await send("Second");
    await screen.until("» Second");
    for (const end of held) end();
    await screen.until("Half an answer 2.");
    await screen.until(/Done · [^\n]*\n\n› Ask/);
    expect(bodies.at(-1)).toContain("Second");
  });

  test("an edit is approved with its diff, shown, costed and undone", async () => {
    const edit = answerCall("edit_file", { file_path: "a.txt", old_string: "one", new_string: "zwei 二" });
    const { screen, cwd, send } = await startChat(inTurn(edit, say("wer.")), { columns: 60 });
    await send("Edit it");
    const asked = await screen.until("Deny and say why (r)");
    expect(asked).toMatch(/\? The agent wants to change a\.txt\n {2}│ -one\n {2}│ \+zwei 二\n› Allow once \(y\)/);
    expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("one\n");
    await screen.press("Enter");
    await screen.until("✓ Allowed once");
    await screen.until(/Done · [^\n]*\n {2}a\.txt {2}\+1 -1\n\n› Ask/);
    expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("zwei 二\n");
    await send("/diff");
    await screen.until(/> \/diff\ndiff --git a\/a\.txt b\/a\.txt\n(?:.*\n)*-one\n\+zwei 二\n/);
    await send("/cost");
    await screen.until(/TURN +MODEL +TOKENS +COST\n1 +anthropic\/m/);
    await send("/undo");
    await screen.until("Removed the last turn and reverted its changes:");
    await screen.until(/\n› Edit it\n/);
    expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("one\n");
  });

  test("a denied call does not run, and its reason is sent to the model", async () => {
    const { screen, cwd, bodies, send } = await startChat(
      inTurn(answerCall("shell", { command: "touch made" }), say("wer.")),
    );
    await send("Run it");
    const asked = await screen.until("Deny and say why (r)");
    expect(asked).toMatch(/\? The agent wants to run a command\n {2}│ touch made\n/);
    await screen.press("r");
    await screen.until("Why?");
    await send("nicht jetzt é");
    await screen.until("✗ Denied: nicht jetzt é");
    await screen.until(/Done · [^\n]*\n\n› Ask/);
    expect(bodies.at(-1)).toContain("nicht jetzt é");
    expect(await readdir(cwd)).not.toContain("made");
  });

  test("Ctrl-C interrupts the turn, and the conversation continues; twice at the prompt ends the program", async () => {
    const { screen, send } = await startChat(inTurn((response) => beginAnswer(response), say("wer.")));
    await send("Never ends");
    await screen.until("Half an");
    await screen.press("C-c");
    await screen.until(/Interrupted · [^\n]*\n\n› Ask/);
    await send("Next");
    await screen.until("Half an answer.");
    await screen.until(/Done · [^\n]*\n\n› Ask/);
    await screen.press("C-c");
    await screen.until("Press Ctrl-C again to leave.");
    await screen.press("C-c");
    expect(await screen.ended()).toBe(0);
  });

  test("a later session continues the conversation with --continue or /continue", async () => {
    const first = await startChat(say("wer."));
    await first.send("Remember 42");
    await first.screen.until(/Done · [^\n]*\n\n› Ask/);
    await first.screen.press("C-d");
    expect(await first.screen.ended()).toBe(0);
    const { state, cwd } = first;
    const second = await startChat(say("wer 2."), { state, cwd, words: ["--continue"] });
    await second.screen.until(/Continuing the conversation[^\n]*\n> Remember 42\nHalf an answer\./);
    await second.send("Which number?");
    // The conversation is stored when the turn has ended, and a new session reads its title once.
    await second.screen.until(/Half an answer 2\.[\s\S]*Done · [^\n]*\n\n› Ask/);
    expect(second.bodies.at(-1)).toContain("Remember 42");
    await second.screen.press("C-d");
    expect(await second.screen.ended()).toBe(0);
    const third = await startChat(say("wer 3."), { state, cwd });
    await third.screen.until("/continue resumes the last conversation here: Which number?");
    await third.send("/continue");
    await third.screen.until(/> Which number\?\nHalf an answer 2\./);
  });

  test("a long paste is shown shortened and sent whole; earlier inputs and files are completed; a resize keeps the line", async () => {
    const { screen, state, bodies, send } = await startChat(say("wer."), { columns: 80 });
    const lines = Array.from({ length: 12 }, (_, index) => `zeile ${index} 日本`);
    await screen.type(`\u001b[200~${lines.join("\r")}\u001b[201~`);
    await screen.until("› [12 lines pasted]");
    await screen.type(" in @日");
    await screen.press("Tab");
    await screen.until("› [12 lines pasted] in @日本語.txt");
    await screen.resize(60);
    await screen.until(/› \[12 lines pasted\] in @日本語\.txt *\n/);
    await screen.press("Enter");
    await screen.until(/Done · [^\n]*\n\n› Ask/);
    expect(bodies.at(-1)).toContain(lines.join("\\n"));
    await send(`my key is ${KEY.ANTHROPIC_API_KEY}`);
    await screen.until(/Done · (?:.*\n)*.*Done · [^\n]*\n\n› Ask/);
    await screen.press("Up");
    await screen.until(/› my key is/);
    const [name = ""] = await readdir(join(state, "chat"));
    const history = join(state, "chat", name);
    expect((await stat(history)).mode & 0o777).toBe(0o600);
    expect(await readFile(history, "utf8")).not.toContain(KEY.ANTHROPIC_API_KEY);
    await screen.type(" @b.l");
    await screen.press("Tab");
    await screen.type("#");
    expect(await screen.until("@b.l#")).not.toContain("b.log");
  });

  test("without arguments on a terminal, the command opens a session", async () => {
    const screen = await startOnScreen([process.execPath, BIN], { env: KEY });
    await screen.until(IDLE);
    await screen.type("/help");
    await screen.press("Enter");
    await screen.until(/Commands\n +\/help/);
    await screen.type("/modle x");
    await screen.press("Enter");
    await screen.until("There is no command /modle; did you mean /model?");
    await screen.press("C-d");
    expect(await screen.ended()).toBe(0);
  });
});

test("without a terminal, a session is refused with a hint", async () => {
  const { exitCode, stdout, stderr } = await switchyard(["chat"]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toContain("`chat` requires a terminal. Use `switchyard run` in scripts.");
});
