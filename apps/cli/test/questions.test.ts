import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runProgram } from "../src/program/run-program.ts";
import { createFakeContext, type FakeContext } from "./fake-context.ts";
import { type MockAnswer, startMockModel } from "./mock-model.ts";
import { makeFolder } from "./start-switchyard.ts";

const KEY = "sk-ant-secret-of-this-test-0123456789";

interface Place {
  state: string;
  cwd: string;
  /**
   * Runs the command in a separate context in which the user types these lines. Without lines, there is no terminal.
   */
  enter(words: readonly string[], typed?: readonly string[]): Promise<FakeContext & { exitCode: number }>;
  /** Returns the arguments of a run with these options. */
  run(...options: readonly string[]): string[];
  /** Returns the id of the run. */
  runId(): Promise<string>;
  lastRequest(): string;
}

async function placeFor(...answers: readonly MockAnswer[]): Promise<Place> {
  const { baseUrl, mock } = await startMockModel("anthropic", answers);
  const [state, cwd] = [await makeFolder(), await makeFolder()];
  const env = { PATH: process.env["PATH"] ?? "", SWITCHYARD_ENV: "local", ANTHROPIC_API_KEY: KEY };
  const more = { env, workingDirectory: cwd, homeDirectory: state };
  return {
    ...{ state, cwd },
    enter: async (words, typed) => {
      const fake = createFakeContext({ ...more, words, isTerminal: typed !== undefined, typed: typed ?? [] });
      return { ...fake, exitCode: await runProgram(fake.context) };
    },
    run: (...options) => [
      "run",
      "--model",
      "anthropic/m",
      "--base-url",
      baseUrl,
      "--state",
      state,
      ...options,
      "Do it.",
    ],
    runId: async () => (await readdir(join(state, "runs")))[0] ?? "",
    lastRequest: () => JSON.stringify(mock.getLastRequest()?.body),
  };
}

const shell = (command: string): MockAnswer => ({ name: "shell", arguments: { command } });
const QUESTION: MockAnswer = {
  name: "ask_user",
  arguments: { question: "Which\u001b[2J colour?", options: ["blue", "2"] },
};

test("the typed answer decides, and the question contains everything relevant [loop-8-4]", async () => {
  const long = `: ${Array.from({ length: 100 }, (_, line) => `line${line}`).join("\n")}`;
  const place = await placeFor(shell(`echo ${KEY}`), shell(long), shell("touch b"), "Done.");
  const asked = await place.enter(place.run("--approve", "on-writes"), [
    "maybe",
    "y sure",
    "Y",
    "v",
    "no, not that",
    "s",
  ]);
  expect(asked.exitCode).toBe(0);
  expect(asked.told()).toContain("? The agent wants to use shell\n  │ echo ***REDACTED***\n");
  expect(asked.told()).not.toContain(KEY);
  expect(asked.told().match(/Answer y, s or n/g)).toHaveLength(2);
  const [folded = "", whole = ""] = asked.told().split("wants to use shell").slice(2);
  expect(folded).toContain("│ … 40 more lines\n");
  expect(folded).toContain("v = view all");
  expect(folded).not.toContain("line50");
  expect(whole).toContain("│ line50\n");
  expect(place.lastRequest()).toContain("the user said no: not that");
  expect(await readdir(place.cwd)).toEqual(["b"]);
});

test("after the end of standard input, no more questions are asked", async () => {
  const place = await placeFor(shell("touch a"), shell("touch b"), "Done.");
  const asked = await place.enter(place.run("--approve", "always"), ["y"]);
  expect(asked.exitCode).toBe(0);
  expect(asked.told()).toContain("! Denied: shell touch b\n");
  expect(await readdir(place.cwd)).toEqual(["a"]);
});

test("a question stops the run if there is no terminal, and a resume on a terminal asks it again [loop-2.3-4]", async () => {
  const place = await placeFor(QUESTION, QUESTION, "Blue it is.");
  const silent = await place.enter(place.run("--ask-user", "--json"));
  expect(silent.exitCode).toBe(130);
  expect(silent.told()).toContain(
    "! The agent asked a question that cannot be answered here:\n  │ Which␛[2J colour?\n  │ 1. blue\n",
  );
  const id = await place.runId();
  expect(silent.told()).toMatch(
    new RegExp(`error: The agent asked a question .*\nhint: Answer it in a terminal: .switchyard resume ${id} --state`),
  );
  expect(JSON.parse(silent.printed())).toMatchObject({
    status: "interrupted",
    error: { code: "run.interrupted", message: expect.stringContaining("input_required") },
  });
  const resumed = await place.enter(["resume", id, "--state", place.state], ["", "1"]);
  expect(resumed).toMatchObject({ exitCode: 0 });
  expect(resumed.printed()).toContain("Blue it is.");
  expect(place.lastRequest()).toContain('"role":"tool","content":"blue"');
});

test("the agent may ask only on a terminal, and not if an option forbids it", async () => {
  for (const [options, typed, isOffered] of [
    [[], [], true],
    [["--no-ask-user"], [], false],
    [[], undefined, false],
    [["--ask-user"], undefined, true],
  ] as const) {
    const place = await placeFor("Done.");
    expect(await place.enter(place.run(...options), typed)).toMatchObject({ exitCode: 0 });
    expect(place.lastRequest().includes('"name":"ask_user"')).toBe(isOffered);
  }
});

test("a resumed run keeps its rules, and may be given more", async () => {
  const place = await placeFor(QUESTION, shell("touch a"), shell("touch b"), shell("touch c"), "Done.");
  const rules = ["--ask-user", "--approve", "always", "--allow", "shell(touch a)", "--deny", "shell(touch c)"];
  expect((await place.enter(place.run(...rules))).exitCode).toBe(130);
  const words = [
    "resume",
    await place.runId(),
    "--state",
    place.state,
    "--allow",
    "shell(touch b)",
    "--allow",
    "shell",
  ];
  expect((await place.enter(words.slice(0, -2))).exitCode).toBe(0);
  expect(await readdir(place.cwd)).toEqual(["a", "b"]);
  expect(place.lastRequest()).toContain("a rule forbids it");
});

test("a trusted project cannot switch off the questions that are asked by default, and a note says so", async () => {
  const place = await placeFor(shell("touch a"), "Done.");
  await writeFile(join(place.cwd, "switchyard.yaml"), "mode: auto\n");
  const asked = await place.enter(place.run("--trust-workspace"), ["n"]);
  expect(asked.exitCode).toBe(0);
  expect(asked.told()).toMatch(/^note: `mode: auto` in \S+switchyard\.yaml is not used: a project can only make/);
  expect(asked.told()).toContain("? The agent wants to use shell");
  expect(await readdir(place.cwd)).toEqual(["switchyard.yaml"]);
});

test("the built-in agent asks by default, also if an engine file configures it", async () => {
  const place = await placeFor(shell("touch a"), "Done.");
  await writeFile(join(place.state, "agent.yaml"), "engine: { name: agent }\n");
  const asked = await place.enter(place.run("--engine", join(place.state, "agent.yaml")), ["n"]);
  expect(asked.exitCode).toBe(0);
  expect(asked.told()).toContain("? The agent wants to use shell");
  expect(await readdir(place.cwd)).toEqual([]);
});

test("with --approve never, no approval questions are asked, even on a terminal", async () => {
  const place = await placeFor(shell("eval $X"), shell("touch a"), "Done.");
  const asked = await place.enter(place.run("--approve", "never", "--deny", "shell(rm)"), ["y", "y"]);
  expect(asked.told()).not.toContain("? The agent");
  expect(asked.told()).toContain("! Denied: shell eval $X\n");
  expect(await readdir(place.cwd)).toEqual(["a"]);
});

test("a stop during an open question ends the run, and the output says once how to continue", async () => {
  const place = await placeFor(shell("touch a"), "Done.");
  const fake = createFakeContext({ isTerminal: true });
  const { context } = fake;
  let isAsked = (): void => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const readLine = (signal: AbortSignal): Promise<string> =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      isAsked();
    });
  const env = { PATH: process.env["PATH"] ?? "", ANTHROPIC_API_KEY: KEY };
  const words = place.run("--approve", "always");
  const facts = { env, words, workingDirectory: place.cwd, homeDirectory: place.state };
  const running = runProgram({ ...context, ...facts, stdin: { ...context.stdin, readLine } });
  await asked;
  fake.stop("user");
  expect(await running).toBe(130);
  expect(fake.told()).toContain("> \nerror: The run was interrupted.\nhint: Nothing was lost. Resume with `switchyard");
  expect((fake.told() + fake.printed()).match(/switchyard resume/g)).toHaveLength(1);
  expect(await readdir(place.cwd)).toEqual([]);
  const events = await readFile(join(place.state, "runs", await place.runId(), "events.jsonl"), "utf8");
  expect(events).toContain('"user_prompted"');
});

test.each([
  [["--allow", "shel(git)"], "Unknown tool shel. Did you mean shell?"],
  [["--deny", "path:"], "The pattern after path: is empty."],
  [["--allow", "url:a b"], "it is not a valid address"],
  [["--approve", "ask"], "Allowed choices are never, on-commands, on-writes, always."],
])("%j is refused before anything runs", async (options, problem) => {
  const place = await placeFor("Done.");
  const refused = await place.enter(place.run(...options));
  expect(refused.exitCode).toBe(2);
  expect(refused.told()).toContain(problem);
  expect(await readdir(place.state)).toEqual([]);
});
