import { Command, InvalidArgumentError, Option } from "commander";
import { expect, test } from "vitest";
import { addAcpCommand } from "../src/acp/acp-command.ts";
import { addChatCommand } from "../src/chat/chat-command.ts";
import {
  collectModels,
  collectText,
  fieldOption,
  parseAge,
  parseAttempts,
  parseCount,
  parseDollars,
  parseSeconds,
  refuseEmpty,
} from "../src/program/option-value.ts";
import { addResumeCommand } from "../src/resume/resume-command.ts";
import { addRunCommand } from "../src/run/run-command.ts";
import { addServeCommand } from "../src/serve/serve-command.ts";

/** Fields whose options have flags with other names. */
const FIELDS = [
  "fallbackModels",
  "allowedModels",
  "mcpStartWaitMs",
  "totalTokens",
  "costMicros",
  "maxDelayMs",
] as const;

test.each([
  { parse: parseCount, good: [["0", 0] as const, ["30", 30] as const], bad: ["", "-1", "1.5", "1e3", "9".repeat(16)] },
  {
    parse: parseDollars,
    good: [["2", 2_000_000] as const, ["$0.50", 500_000] as const, ["0.000001", 1] as const],
    bad: ["", "-1", ".5", "1.0000001", "1 $"],
  },
  { parse: parseAttempts, good: [["1", 1] as const, ["100", 100] as const], bad: ["0", "101", "1.5", "x"] },
  {
    parse: parseSeconds,
    good: [["90", 90] as const, ["90s", 90] as const, ["1.5m", 90] as const, ["1h", 3_600] as const],
    bad: ["", "h", "1d", "-1s", "1 s"],
  },
  {
    parse: parseAge,
    good: [["90m", 5_400] as const, ["12h", 43_200] as const, ["30d", 2_592_000] as const, ["1w", 604_800] as const],
    bad: ["", "30", "1.5d", "1y"],
  },
])("$parse.name accepts only what its error message describes", ({ parse, good, bad }) => {
  expect(good.map(([text]) => parse(text))).toEqual(good.map(([, value]) => value));
  for (const text of bad) expect(() => parse(text), text).toThrow(InvalidArgumentError);
});

test("the values of a repeated option keep the order of the command line", () => {
  const command = new Command()
    .exitOverride()
    .option("--image <file>", "an image", collectText)
    .option("--fallback-model <models>", "models", collectModels);
  command.parse(["--image", "a.png", "--fallback-model", "p/a, p/b", "--image", "b.png", "--fallback-model", "q/c"], {
    from: "user",
  });
  expect(command.opts()).toEqual({ image: ["a.png", "b.png"], fallbackModel: ["p/a", "p/b", "q/c"] });
  expect(() => collectModels("p/a,b")).toThrow(InvalidArgumentError);
});

test("the value of an option has the name and the unit of the field that it sets", () => {
  const command = new Command().exitOverride();
  for (const field of FIELDS) command.addOption(fieldOption(field, "an option"));
  const models = ["--fallback-model", "p/a", "--fallback-model", "q/b", "--allow-model", "p/*"];
  const limits = ["--max-tokens", "7", "--max-cost", "0.50", "--max-retry-wait", "2m", "--mcp-wait", "0.5"];
  command.parse([...models, ...limits], { from: "user" });
  expect(command.opts()).toEqual({
    ...{ fallbackModels: ["p/a", "q/b"], allowedModels: ["p/*"], mcpStartWaitMs: 500 },
    ...{ totalTokens: 7, costMicros: 500_000, maxDelayMs: 120_000 },
  });
});

test.each([addServeCommand, addRunCommand, addChatCommand, addResumeCommand, addAcpCommand])(
  "$name sets these fields, not fields with the names of their flags",
  (add) => {
    const program = new Command();
    add(program, () => undefined);
    const flags = new Map(FIELDS.map((field) => [fieldOption(field, "an option").long, field]));
    const options = program.commands.flatMap((command) => command.options).filter(({ long }) => flags.has(long));
    expect(options.length).toBeGreaterThan(0);
    for (const option of options) expect(option.attributeName()).toBe(flags.get(option.long));
  },
);

test("an empty value of an option is refused, and another one is parsed as before", () => {
  const option = new Option("--max-turns <number>").argParser(parseCount);
  refuseEmpty(option);
  expect(option.parseArg?.("7", undefined)).toBe(7);
  expect(() => option.parseArg?.(" ", undefined)).toThrow("The value is empty.");
});
