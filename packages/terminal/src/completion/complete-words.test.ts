import { describe, expect, test } from "vitest";
import {
  type CompletableArgument,
  type CompletableCommand,
  type CompletableOption,
  completeWords,
  type ValueSources,
} from "./complete-words.ts";

function option(long: string, facts: Partial<CompletableOption> = {}): CompletableOption {
  return {
    ...{ long, flags: long, description: `about ${long}`, hidden: false, required: false },
    optional: false,
    ...facts,
  };
}

function argument(name: string, variadic = false): CompletableArgument {
  return { variadic, name: () => name };
}

function command(name: string, facts: Partial<CompletableCommand> = {}): CompletableCommand {
  return {
    ...{ commands: [], options: [], registeredArguments: [], name: () => name, description: () => `do ${name}` },
    createHelp: () => ({ visibleCommands: ({ commands }) => commands.filter((one) => one.name() !== "complete") }),
    ...facts,
  };
}

const PROGRAM = command("switchyard", {
  commands: [
    command("run", {
      options: [
        option("--model", { short: "-m", required: true }),
        option("--json"),
        option("--trace", { hidden: true }),
      ],
      registeredArguments: [argument("file"), argument("rest", true)],
    }),
    command("runs", { commands: [command("show", { registeredArguments: [argument("run")] })] }),
    command("complete"),
  ],
});

const SOURCES: ValueSources = {
  valuesOfOption: async ({ long }) => ({
    files: "none",
    words: [
      [`${long}-a`, "one\nline\u001b[2J"],
      ["other", ""],
    ],
  }),
  valuesOfArgument: async (one) => ({ files: one.name() === "file" ? "files" : "none", words: [[one.name(), ""]] }),
};

async function complete(...words: string[]): Promise<string[]> {
  return (await completeWords(PROGRAM, words, SOURCES)).replace(/\n$/, "").split("\n");
}

test("commands are offered with their descriptions, without hidden ones", async () => {
  expect(await complete("r")).toEqual([":none", "run\tdo run", "runs\tdo runs"]);
  expect(await complete("")).toHaveLength(3);
  expect(await complete("runs", "")).toEqual([":none", "show\tdo show"]);
});

describe("options", () => {
  test("are offered after a dash, without hidden ones and with --help", async () => {
    const words = (await complete("run", "-")).map((line) => line.split("\t")[0]);
    expect(words).toEqual([":none", "--model", "--json", "--help"]);
  });

  test.each([["--model"], ["-m"]])("the value after %s comes from the sources, on one line", async (flag) => {
    const [kind, line = ""] = await complete("run", flag, "--");
    expect([kind, line.split("\t")[0]]).toEqual([":none", "--model-a"]);
    expect(line).toContain("one line");
    expect(line).not.toContain("\u001b");
  });

  test("a value after an equals sign keeps the option before it", async () => {
    expect(await complete("run", "--model=oth")).toEqual([":none", "--model=other\t"]);
    expect(await complete("run", "--unknown=x")).toEqual([":none"]);
  });

  test("an option without a value does not take the next word", async () => {
    expect(await complete("run", "--json", "")).toEqual([":files", "file\t"]);
  });

  test("are not offered after --", async () => {
    expect(await complete("run", "--", "--mo")).toEqual([":files"]);
  });
});

test("arguments are offered in order, and the last one repeatedly if it is variadic", async () => {
  expect(await complete("run", "f")).toEqual([":files", "file\t"]);
  expect(await complete("run", "a", "")).toEqual([":none", "rest\t"]);
  expect(await complete("run", "a", "b", "c", "")).toEqual([":none", "rest\t"]);
  expect(await complete("runs", "show", "x", "")).toEqual([":none"]);
});
