import { spawnSync } from "node:child_process";
import { open, readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ADAPTER_KINDS } from "@switchyard/engine-catalog";
import { execa } from "execa";
import { describe, expect, test } from "vitest";
import { BIN, startSwitchyard, switchyard, switchyardProcess } from "./start-switchyard.ts";

/** Sentences of the help about a key on the command line. */
const SEEN_BY_OTHERS = "other users of this machine may see it";
const STACK = /\n\s+at /;

test("--version prints only the version", async () => {
  const manifest: unknown = JSON.parse(await readFile(resolve(import.meta.dirname, "../package.json"), "utf8"));
  const { exitCode, stdout, stderr } = await switchyardProcess(["--version"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(manifest).toMatchObject({ version: stdout });
});

/** Returns all commands, from the completions. */
async function commandsBelow(words: readonly string[]): Promise<string[][]> {
  const { stdout } = await switchyard(["complete", "--", ...words, ""]);
  const names = stdout.split("\n").flatMap((line) => /^([a-z]+)\t/.exec(line)?.[1] ?? []);
  return names.map((name) => [...words, name]);
}

test("the help of every command has an example", async () => {
  const top = await commandsBelow([]);
  const inner = await Promise.all(
    [["runs"], ["tools"], ["engines"], ["runtimes"], ["fanout"], ["init"]].map((words) => commandsBelow(words)),
  );
  const all = [...top, ...inner.flat(), ["complete"]];
  expect(all.map((words) => words.join(" "))).toEqual(
    expect.arrayContaining(["run", "runs list", "tools call", "config"]),
  );
  for (const words of all) {
    const help = await switchyard([...words, "--help"]);
    expect(help).toMatchObject({ exitCode: 0, stderr: "" });
    expect(help.stdout, words.join(" ")).toMatch(/Examples?:\n {2}\S*.*switchyard /);
    const option = /--api-key <key>([\s\S]*?)(?=\n\s+-)/.exec(help.stdout)?.[1]?.replaceAll(/\s+/g, " ");
    if (option !== undefined) expect(option, words.join(" ")).toContain(SEEN_BY_OTHERS);
  }
});

test("the documents and the help say that a key can be passed on the command line and who can see it", async () => {
  const root = resolve(import.meta.dirname, "../../..");
  const names = [
    "README.md",
    "SECURITY.md",
    "apps/cli/README.md",
    "docs/tutorials/quick-start.md",
    "docs/guides/models.md",
  ];
  const texts = await Promise.all(names.map((name) => readFile(resolve(root, name), "utf8")));
  for (const text of texts) {
    // A sentence that claims that keys are never on the command line contradicts the option.
    expect(text).not.toMatch(/\b(keys?|secrets?)\b[^.|]*\b(never|not|only)\b[^.|]*\b(command line|arguments?|argv)\b/i);
  }
  for (const name of ["SECURITY.md", "apps/cli/README.md"]) {
    const text = texts[names.indexOf(name)]?.replaceAll(/\s+/g, " ");
    expect(text, name).toMatch(/--api-key( KEY)?`[^.]*other users of the machine can see (it|the key)/);
  }
});

test.each([
  [["run", "--modle", "x"], "Unknown option '--modle'. Did you mean one of --mode, --model?", "switchyard run --help"],
  [["run", "-x marks the spot"], "Write -- before a task that starts with a dash", "switchyard run --help"],
  [["rnu"], "Unknown command 'rnu'. Did you mean run?", "switchyard --help"],
  [["tools", "list", "--profile", "grok"], "openai, anthropic, gemini", "switchyard tools list --help"],
  [["run", "--max-turns", "many", "x"], "Write a whole number", "switchyard run --help"],
  [["run", "--timeout", "soon", "x"], "Write seconds or a time such as 90s", "switchyard run --help"],
  [["engines"], "No command was given. Available commands: list", "switchyard engines --help"],
])("%j is a usage error with a hint", async (words, sentence, hint) => {
  const { exitCode, stdout, stderr } = await switchyard(words);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toContain(sentence);
  expect(stderr).toMatch(/^error: .*\nhint: .*$/);
  expect(stderr).toContain(hint);
  expect(stderr).not.toMatch(STACK);
});

test("without arguments, a short help is printed to standard output with exit code 0", async () => {
  const { exitCode, stdout, stderr } = await switchyard([]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const lines = stdout.split("\n");
  expect(lines.length).toBeLessThanOrEqual(15);
  for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80);
  const commands = lines.flatMap((line) => /^ {2}switchyard (\w+)/.exec(line)?.[1] ?? []);
  expect(commands).toEqual(["demo", "run", "run", "resume", "undo", "runs", "init", "doctor"]);
  expect(stdout).toContain("switchyard --help");
});

describe("help in groups", () => {
  const headingsOf = (help: string): string[] => help.split("\n").filter((line) => /^[A-Z][a-z ]+:$/.test(line));

  test("every command of the program is in a group with a name", async () => {
    const { stdout } = await switchyard(["--help"]);
    const [grouped = "", others = ""] = stdout.split("Other commands:\n");
    expect(headingsOf(grouped)).toEqual([
      ...["Options:", "Run agents:", "Set up:", "Serve:", "Queues and runtime packages:", "Build engines and tools:"],
    ]);
    expect(others.split("\n\n")[0]).toMatch(/^ {2}help \[command\] .*$/);
    for (const [command = ""] of await commandsBelow([]))
      if (command !== "help") expect(grouped, command).toMatch(new RegExp(`^  ${command} `, "m"));
  });

  test("the options of run are in groups, the usual ones first", async () => {
    const { stdout } = await switchyard(["run", "--help"]);
    expect(headingsOf(stdout).slice(0, 9)).toEqual([
      ...["Arguments:", "Options:", "Model:", "Permissions:", "Limits and retries:", "Tools:"],
      ...["Environment and workspace:", "Input and output:", "Stored runs:"],
    ]);
    const usual = stdout.slice(stdout.indexOf("\nOptions:\n"), stdout.indexOf("\nModel:\n"));
    expect([...usual.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag]) => flag)).toEqual([
      ...["--model", "--engine", "--workspace", "--mode", "--continue", "--debug", "--help"],
    ]);
  });

  test("the help of --engine names every built-in engine", async () => {
    const { stdout } = await switchyard(["run", "--help"]);
    const [, about = ""] = /--engine <name\|file> ([\s\S]+?)\n {2}-/.exec(stdout) ?? [];
    const names = ADAPTER_KINDS.map((kind) => kind.replace(/^acp:.*/, "acp:"));
    expect(names).toContain("acp:");
    for (const kind of ["agent", ...names]) expect(about.replace(/\s+/g, " ")).toContain(kind);
  });

  test.each(["serve", "resume", "acp", "eval"])("no option of %s is in two groups or missing", async (command) => {
    const { stdout } = await switchyard([command, "--help"]);
    const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag]) => flag);
    expect(new Set(flags).size).toBe(flags.length);
    const completed = (await switchyard(["complete", "--", command, "--"])).stdout;
    const known = [...completed.matchAll(/^(--[a-z-]+)\t/gm)].map(([, flag]) => flag);
    expect(flags.toSorted()).toEqual(expect.arrayContaining(known.toSorted()));
    expect(known.length).toBeGreaterThan(10);
  });
});

test("--debug adds the stack", async () => {
  const { exitCode, stderr } = await switchyard(["validate", "/nowhere.json", "--debug"]);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(STACK);
});

test("nothing is coloured without a terminal", async () => {
  const { stdout, stderr } = await switchyard(["validate", "/nowhere.json"]);
  expect(stdout + stderr).not.toContain("\u001b");
});

test("a reader that closes its end is no error", async () => {
  const { command } = await startSwitchyard(["run", "--help"]);
  command.stdout?.destroy();
  expect(await command).toMatchObject({ exitCode: 0, stderr: "" });
});

test("a failed write of the output is a failure", async ({ skip }) => {
  skip(process.platform !== "linux", "only Linux has a device that is always full");
  const words = ["-c", '"$0" "$1" run --help > /dev/full', process.execPath, BIN];
  const { exitCode, stderr } = await execa("sh", words, { reject: false });
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^error: The output standard output cannot be written: the disk is full\.?\nhint: .*$/);
});

describe("help and version, which need no parser", () => {
  test.each(["--help", "-h"])("the text of %s is the parser's", async (flag) => {
    const [quick, parsed] = [await switchyardProcess([flag]), await switchyard(["help"])];
    expect(quick).toEqual({ exitCode: 0, stdout: parsed.stdout, stderr: "" });
    expect(quick.stdout).toContain("switchyard run --model");
  });

  test.each(["--help", "--version", "help"])("%s on a full disk is a failure", async (flag) => {
    const full = await open("/dev/full", "w").catch(() => undefined);
    if (full === undefined) return;
    const { status, stderr } = spawnSync(process.execPath, [BIN, flag], {
      stdio: ["ignore", full.fd, "pipe"],
      encoding: "utf8",
    });
    await full.close();
    expect([status, stderr]).toEqual([2, expect.stringContaining("the disk is full")]);
  });
});
