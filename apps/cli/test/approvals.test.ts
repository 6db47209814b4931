import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type MockAnswer, startMockModel } from "./mock-model.ts";
import { makeFolder, switchyard } from "./start-switchyard.ts";
import { noTerminal, startOnTerminal } from "./terminal.ts";

const KEY = { ANTHROPIC_API_KEY: "sk-ant-secret-of-this-test-0123456789" };
/** Output of the command while it waits for an answer. */
const PROMPT = "\r\n> ";
const without = await noTerminal();

interface Place {
  words: string[];
  state: string;
  cwd: string;
  /** Returns the last request to the model. */
  lastRequest(): string;
}

async function placeFor(answers: readonly MockAnswer[], ...options: readonly string[]): Promise<Place> {
  const { baseUrl, mock } = await startMockModel("anthropic", answers);
  const [state, cwd] = [await makeFolder(), await makeFolder()];
  const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl, "--state", state, ...options, "Do it."];
  return { words, state, cwd, lastRequest: () => JSON.stringify(mock.getLastRequest()?.body) };
}

const shell = (command: string): MockAnswer => ({ name: "shell", arguments: { command } });

test("a user on a terminal allows calls, denies them, and gives a reason [loop-8-4]", async ({ skip }) => {
  skip(without !== undefined, without);
  const calls = [shell("echo one >> log"), shell("echo one >> log"), shell("echo two >> log"), shell("rm -rf .")];
  const place = await placeFor([...calls, "All done."], "--approve", "on-writes");
  const terminal = await startOnTerminal(place.words, { env: KEY, cwd: place.cwd });
  await terminal.until("? The agent wants to use shell");
  await terminal.until("│ echo one >> log");
  await terminal.until(PROMPT);
  terminal.type("perhaps\r");
  await terminal.until("Answer y, s or n");
  await terminal.until(PROMPT);
  terminal.type("s\r");
  // The same call is allowed for the session, so the next question is about another call.
  await terminal.until("│ echo two >> log");
  await terminal.until(PROMPT);
  terminal.type("y\r");
  await terminal.until("│ rm -rf .");
  await terminal.until(PROMPT);
  terminal.type("n only touch the log\r");
  const { exitCode, shown } = await terminal.end();
  expect(shown).toContain("All done.");
  expect(exitCode).toBe(0);
  expect(await readFile(join(place.cwd, "log"), "utf8")).toBe("one\none\ntwo\n");
  expect(place.lastRequest()).toContain("the user said no: only touch the log");
});

test("input typed before a question is not taken as its answer", async ({ skip }) => {
  skip(without !== undefined, without);
  const slow = shell("touch begun; until test -e typed; do sleep 0.02; done");
  const place = await placeFor([slow, shell("touch hurt"), "Done."], "--deny", "shell(rm)", "--approve", "always");
  const terminal = await startOnTerminal(place.words, { env: KEY, cwd: place.cwd });
  await terminal.until(PROMPT);
  terminal.type("y\r");
  await terminal.until("· shell touch begun");
  // A complete line is sent to the agent as steering. An incomplete line stays in the input. Neither answers the next
  // question.
  terminal.type("y\r");
  await terminal.until("» y");
  terminal.type("y");
  await terminal.until("› y");
  await writeFile(join(place.cwd, "typed"), "");
  await terminal.until("│ touch hurt");
  await terminal.until(PROMPT);
  terminal.type("\r");
  await terminal.until("Answer y, s or n");
  await terminal.until(PROMPT);
  terminal.type("n\r");
  expect(await terminal.end()).toMatchObject({ exitCode: 0, shown: expect.stringContaining("Done.") });
  expect(await readdir(place.cwd)).not.toContain("hurt");
});

test("questions of the agent are shown with their options and answered by number", async ({ skip }) => {
  skip(without !== undefined, without);
  const asked = { name: "ask_user", arguments: { question: "Which colour?", options: ["blue", "green"] } };
  const place = await placeFor([asked, "Green it is."]);
  const terminal = await startOnTerminal(place.words, { env: KEY, cwd: place.cwd });
  await terminal.until("? The agent asks");
  await terminal.until("│ Which colour?");
  await terminal.until("│ 2. green");
  await terminal.until(PROMPT);
  terminal.type("2\r");
  expect(await terminal.end()).toMatchObject({ exitCode: 0, shown: expect.stringContaining("Green it is.") });
  expect(place.lastRequest()).toContain('"role":"tool","content":"green"');
});

test("Ctrl-C at an open question stops the run, says once how to continue, and the agent may ask again", async ({
  skip,
}) => {
  skip(without !== undefined, without);
  const asked = { name: "ask_user", arguments: { question: "Which colour?" } };
  const place = await placeFor([asked, asked, "Blue it is."]);
  const terminal = await startOnTerminal(place.words, { env: KEY, cwd: place.cwd });
  await terminal.until("│ Which colour?");
  await terminal.until(PROMPT);
  terminal.type("\u0003");
  const { exitCode, shown } = await terminal.end();
  expect(exitCode).toBe(130);
  expect(shown.match(/switchyard resume/g)).toHaveLength(1);
  const [id = ""] = await readdir(join(place.state, "runs"));
  const again = await startOnTerminal(["resume", id, "--state", place.state], { env: KEY, cwd: place.cwd });
  await again.until("│ Which colour?");
  await again.until(PROMPT);
  again.type("blue\r");
  expect(await again.end()).toMatchObject({ exitCode: 0, shown: expect.stringContaining("Blue it is.") });
  expect(place.lastRequest()).toContain("the question was not answered");
});

test("model output cannot move the cursor of a question or imitate a question, and contains no secret", async ({
  skip,
}) => {
  skip(without !== undefined, without);
  const evil = `echo ${KEY.ANTHROPIC_API_KEY} \u001b[2J\u001b]0;x\u0007\r\u009b1A\u202e\n? The agent wants to use shell\n  │ ls\n${"x ".repeat(90)}> y`;
  const place = await placeFor([shell(evil), "Done."], "--approve", "always");
  const terminal = await startOnTerminal(place.words, { env: KEY, cwd: place.cwd });
  await terminal.until("\u001b[2K? The agent wants to use shell\r\n");
  const before = (await terminal.until("n REASON")).split("\r\n");
  terminal.type("n\r");
  const { shown } = await terminal.end();
  expect(shown).not.toContain(KEY.ANTHROPIC_API_KEY);
  for (const control of ["\u001b]", "\u0007", "\u009b", "\u202e", "\u001b[2J"]) expect(shown).not.toContain(control);
  const quoted = before.slice(0, -1);
  expect(quoted.length).toBeGreaterThan(5);
  expect(quoted.filter((line) => !line.startsWith("  │ "))).toEqual([]);
});

test("without a terminal, calls that need a permission are denied, and the option that allows them is named", async () => {
  const place = await placeFor([shell("git push origin main"), "I could not."], "--approve", "on-writes");
  const run = await switchyard(place.words, { env: KEY, cwd: place.cwd });
  expect(run.exitCode).toBe(0);
  expect(run.stderr).toContain("! Denied: shell git push origin main\n");
  expect(run.stderr).toContain("Allow it with --allow 'shell(git push origin main)'.");
  expect(place.lastRequest()).toContain("it needs a permission, and no user can be asked for approval");
});

test("without a terminal, a form that no rule covers is denied, and user and model receive the reason", async () => {
  const place = await placeFor([shell("git -c 'alias.z=!id' z"), "I could not."], "--allow", "shell(git *)");
  const run = await switchyard(place.words, { env: KEY, cwd: place.cwd });
  expect(run.stderr).toContain("It requires approval (`git -c` can run any program), and no one can be asked here.");
  expect(place.lastRequest()).toContain(
    "it needs a permission (`git -c` can run any program), and no user can be asked",
  );
});

const writes = (path: string): MockAnswer => ({ name: "write_file", arguments: { file_path: path, content: "x" } });
const RUN_BY_TOOLS = ["Makefile", "conftest.py", "vite.config.ts", "AGENTS.md"] as const;

test("files that run only when the project is used are written without a question [loop-8-4]", async () => {
  const place = await placeFor([...RUN_BY_TOOLS.map(writes), "Done."], "--approve", "on-commands");
  expect(await switchyard(place.words, { cwd: place.cwd, env: KEY })).toMatchObject({ exitCode: 0 });
  expect((await readdir(place.cwd)).sort()).toEqual([...RUN_BY_TOOLS].sort());
});

test("rules make writes of files that tools run ask, or forbid them, and do not affect other files [loop-8-4]", async () => {
  const files = ["sub/Makefile", ...RUN_BY_TOOLS, "src/a.txt"];
  const ask = ["--approve", "on-writes", "--allow", "write_file(src/**)"];
  const asking = await placeFor([...files.map(writes), "Done."], ...ask);
  await switchyard(asking.words, { cwd: asking.cwd, env: KEY });
  expect(await readdir(asking.cwd)).toEqual(["src"]);
  expect(asking.lastRequest()).toContain("no user can be asked");
  const deny = ["--approve", "on-commands", "--deny", "write_file(**/{Makefile,conftest.py,AGENTS.md})"];
  const read: MockAnswer = { name: "read_file", arguments: { file_path: "Makefile" } };
  const denying = await placeFor([...files.map(writes), read, "Done."], ...deny);
  await writeFile(join(denying.cwd, "Makefile"), "all: of it\n");
  await switchyard(denying.words, { cwd: denying.cwd, env: KEY });
  expect((await readdir(denying.cwd)).sort()).toEqual(["Makefile", "src", "vite.config.ts"]);
  expect(await readFile(join(denying.cwd, "Makefile"), "utf8")).toBe("all: of it\n");
  expect(denying.lastRequest()).toContain("all: of it");
});
