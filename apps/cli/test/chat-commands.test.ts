import { chmod, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type Chat, inTurn, say, startChat } from "./chat-screen.ts";
import { GEMINI } from "./fake-gemini.ts";
import { answerCall } from "./loopback-model.ts";
import { makeFolder } from "./start-switchyard.ts";
import { noTmux } from "./tmux.ts";

const missing = await noTmux();
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
/** End of a turn, followed by the empty input line. */
const DONE = /Done · [^\n]*\n\n› Ask/;

/** Sends a message and waits for its response, which contains the given text. */
async function ask({ screen, send }: Chat, message: string, response: string): Promise<void> {
  await send(message);
  await screen.until(response);
  await screen.until(DONE);
}

describe("an interactive session", () => {
  beforeEach(({ skip }) => {
    skip(missing !== undefined, missing);
  });

  test("/fork continues after an earlier turn, without the later ones", async () => {
    const chat = await startChat(inTurn(say("wer 1."), say("wer 2."), say("wer 3.")));
    const { screen, send, bodies } = chat;
    await ask(chat, "First", "Half an answer 1.");
    await ask(chat, "Second", "Half an answer 2.");
    await send("/fork");
    await screen.until(/0 starts over:\n {2}1 {2}First\n {2}2 {2}Second\n/);
    await send("/fork 1");
    await screen.until("The next message continues after turn 1.");
    await ask(chat, "Third", "Half an answer 3.");
    expect(bodies.at(-1)).toContain("Half an answer 1.");
    expect(bodies.at(-1)).not.toContain("Second");
    await send("/fork 0");
    await screen.until("The next message continues after turn 0.");
    await send("Fresh");
    await screen.until("> Fresh");
    await expect.poll(() => bodies.length).toBe(4);
    expect(bodies.at(-1)).not.toContain("First");
  });

  test("/engine changes to a third-party agent with the permissions that it is configured with, and refuses an unknown name", async () => {
    const bin = await makeFolder({ gemini: GEMINI });
    await chmod(join(bin, "gemini"), 0o755);
    const env = { PATH: `${bin}${delimiter}${process.env["PATH"]}`, GEMINI_API_KEY: "a-key-of-nobody-0123456789" };
    const { screen, send } = await startChat(say("wer."), { env });
    await send("/engine acp-gemini");
    const refused = await screen.until("The engine is still agent.");
    expect(refused).toContain("There is no engine acp-gemini.");
    await screen.type("/engine acp:g");
    await screen.press("Tab");
    await screen.until("› /engine acp:gemini");
    await screen.press("Enter");
    await screen.until("Engine: acp:gemini with its default model");
    await send("Do it 日本");
    await screen.until(/\? The agent wants to run a command\n {2}│ cat made\.txt\n› Allow once/);
    await screen.press("Enter");
    await screen.until("✓ Allowed once");
    const shown = await screen.until(/Done · [^\n]*\n {2}noted\.jsonl {2}\+3 -0\n\n› Ask/);
    expect(shown).toMatch(/^Done\.$/m);
    expect(shown).toContain("acp:gemini · default model · custom permissions");
    expect(shown).not.toContain(env.GEMINI_API_KEY);
    await send("/engine agent");
    await screen.until("agent · default model · ask");
  });

  test("the path of an image that is pasted, dropped or completed attaches the image", async () => {
    const chat = await startChat(inTurn(say("wer 1."), say("wer 2."), say("wer 3.")));
    const { screen, cwd, send, bodies } = chat;
    await writeFile(join(cwd, "my shot.png"), PNG);
    await screen.type(`\u001b[200~${join(cwd, "my\\ shot.png")}\u001b[201~ `);
    await ask(chat, "what is this?", "Half an answer 1.");
    await screen.type("@my");
    await screen.press("Tab");
    await screen.until('› @"my shot.png"');
    await ask(chat, "again", "Half an answer 2.");
    const data = PNG.toString("base64");
    expect(bodies[0]).toContain(data);
    expect(bodies[1]?.split(data)).toHaveLength(3);
    await send("@missing.png");
    await screen.until("error:");
    await screen.until("› @missing.png");
    expect(bodies).toHaveLength(2);
  });

  test("a question of the agent is answered in the input line", async () => {
    const question = answerCall("ask_user", { question: "Welche Farbe 色?" });
    const { screen, send, bodies } = await startChat(inTurn(question, say("wer.")), { columns: 60 });
    await send("Paint it");
    const asked = await screen.until("Answer:");
    expect(asked).toMatch(/\? The agent asks\n {2}│ Welche Farbe 色\?\nAnswer:/);
    expect(asked).not.toContain('{"question"');
    await send("grün 🎨");
    await screen.until("> grün 🎨");
    await screen.until(DONE);
    expect(bodies.at(-1)).toContain("grün 🎨");
  });

  test("an environment that cannot be opened is named, and the message stays in the input line", async () => {
    const bin = await makeFolder({ docker: "#!/bin/sh\necho 'Cannot connect to the Docker daemon' >&2\nexit 1\n" });
    await chmod(join(bin, "docker"), 0o755);
    const env = { PATH: `${bin}${delimiter}${process.env["PATH"]}` };
    const words = ["--env", "docker:node:22", "--mode", "auto"];
    const { screen, send, bodies } = await startChat(say("wer."), { env, words });
    await screen.until("engine  agent · environment docker:node:22 · model anthropic/m · mode auto");
    await send("List the files");
    await screen.until(/error: [^\n]*docker:node:22/);
    await screen.until(/\n› List the files *\n/);
    expect(bodies).toHaveLength(0);
  });

  test("/runs lists the runs of this folder, and /runs all the runs of all folders", async () => {
    const first = await startChat(say("wer."));
    await ask(first, "Elsewhere", "Half an answer.");
    const second = await startChat(say("wer."), { state: first.state });
    await ask(second, "Here", "Half an answer.");
    await second.send("/runs");
    const listed = await second.screen.until("/runs all also lists 1 run of other folders.");
    expect(listed).toMatch(/agent .*Here\n/);
    expect(listed).not.toContain("Elsewhere");
    await second.send("/runs all");
    await second.screen.until(/agent .*Here\n[^\n]*agent .*Elsewhere\n/);
  });

  test("the cursor moves over a combined character as over one, at the input line of a real terminal", async () => {
    const { screen, send, bodies } = await startChat(say("wer."), { columns: 60 });
    const emoji = "👩‍🚀";
    await screen.type(`a${emoji}e\u0301b`);
    await screen.press("Left");
    await screen.press("Left");
    await expect.poll(() => screen.fact("#{cursor_x}")).toBe("5");
    await screen.press("BSpace");
    await expect.poll(() => screen.fact("#{cursor_x}")).toBe("3");
    await screen.until(/› ae\u0301b/);
    await screen.type(emoji);
    await screen.press("Enter");
    await screen.until(DONE);
    expect(JSON.stringify(bodies.at(-1))).toContain(`a${emoji}e\u0301b`);
    await send("/quit");
    expect(await screen.ended()).toBe(0);
  });
});
