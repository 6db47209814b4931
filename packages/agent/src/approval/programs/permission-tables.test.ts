import { join } from "node:path";
import { expect, test } from "vitest";
import { EXECUTABLE_FILES } from "../executable-files/executable-file-table.ts";
import type { Program, ProgramForm, Risk } from "./program.ts";
import { PROGRAM_ROWS } from "./program-table.ts";
import { VARIABLE_ROWS } from "./variable-table.ts";

const PAGE = join(import.meta.dirname, "../../../../../docs/reference/permission-tables.md");
const CAN: Readonly<Record<Risk, string>> = {
  run: "run programs",
  write: "write files",
  connect: "use the network",
  elsewhere: "work elsewhere",
  discard: "delete or replace work",
};

function code(names: readonly string[]): string {
  return names.map((name) => `\`${name.replaceAll("|", "\\|")}\``).join(", ");
}

/** Returns the option names of a notation, without the notation of values. */
function optionNames(notation: string): string {
  const names = notation.split(" ").filter((item) => item !== "");
  return code(names.map((item) => item.replace(/[:?]\w*$/, "").replaceAll("|", " ")));
}

function row(name: string, value: string): string {
  return `| ${name} | ${value} |`;
}

function coverageOf({ never, isNamedOnly, needs }: ProgramForm): string {
  if (never !== undefined) return "no";
  const named = isNamedOnly === true ? "if named" : "yes";
  return needs === undefined ? named : `${named}, with ${optionNames(needs)}`;
}

function commandsOf({ commands = {} }: Program): readonly string[] {
  const groups = new Map<string, string[]>();
  for (const [name, form] of Object.entries(commands)) {
    const coverage = coverageOf(form);
    groups.set(coverage, [...(groups.get(coverage) ?? []), name]);
  }
  return [...groups].map(([coverage, names]) => row(`Subcommands, covered: ${coverage}`, code(names)));
}

function riskLines(risks: NonNullable<ProgramForm["risks"]>, where: string): readonly string[] {
  return Object.entries(CAN).flatMap(([risk, text]) => {
    const found = Object.entries(risks).find(([name]) => name === risk)?.[1] ?? "";
    return found === "" ? [] : [row(`Options${where} that can ${text}`, optionNames(found))];
  });
}

function section(program: Program): readonly string[] {
  const { names, source, options = "", commands, aliases, operands } = program;
  const risky = [
    ...riskLines({ ...program.risks, run: [program.wraps?.lines, program.risks?.run].join(" ").trim() }, ""),
    ...Object.entries(commands ?? {}).flatMap(([name, form]) => riskLines(form.risks ?? {}, ` of \`${name}\``)),
  ];
  return [
    `### ${names.slice(0, 4).join(", ")}`,
    "",
    "| | |",
    "| --- | --- |",
    ...(names.length > 4 ? [row("Programs", code(names))] : []),
    ...(commands === undefined ? [row("Covered", coverageOf(program))] : commandsOf(program)),
    ...(options === "" || program.never !== undefined ? [] : [row("Covered options", optionNames(options))]),
    ...(operands === undefined || operands === "" ? [] : [row("Operands", operands)]),
    ...risky,
    ...(aliases === undefined
      ? []
      : [row("Same for deny rules", code(Object.entries(aliases).map((pair) => pair.join(" = "))))]),
    row("Source", source.replaceAll("|", "\\|")),
    "",
  ];
}

/** Returns the page `docs/reference/permission-tables.md`. */
function page(): string {
  const files = EXECUTABLE_FILES.flatMap(({ paths, runner, source, keys }) => [
    `| ${code(paths)} | ${runner}${keys === undefined ? "" : ` (keys ${code(keys)})`} | ${source} |`,
  ]);
  return [
    "# Permission tables",
    "",
    "<!-- Generated from the tables in packages/agent/src/approval by `pnpm --filter @switchyard/agent exec vitest run permission-tables -u`. -->",
    "",
    "This page shows the tables that [permission rules](../guides/permission-rules.md) use. An allow rule covers a command that",
    'matches its pattern only if the tables list the program, the subcommand and all options of the command. In the tables, "if named" means that a rule covers the command only if the rule',
    "contains the program and the subcommand without wildcards.",
    "",
    "## Files that other programs execute",
    "",
    "| Files | Why they are executed | Source |",
    "| --- | --- | --- |",
    ...files,
    "",
    "## Environment variables that run programs",
    "",
    "A deny rule also asks about a command that sets one of these variables, unless the value starts only other programs. An allow rule",
    "never covers a command that sets a variable, unless the rule contains the same assignment.",
    "",
    "| Variables | Value | Source |",
    "| --- | --- | --- |",
    ...VARIABLE_ROWS.map(
      ({ names, holds, source }) =>
        `| ${code(names)} | ${holds === "line" ? "a command line" : "code, or a file with code"} | ${source} |`,
    ),
    "",
    "## Programs",
    "",
    ...PROGRAM_ROWS.flatMap(section),
  ].join("\n");
}

test("the reference page has every row of the tables [loop-8-4]", async () => {
  await expect(page()).toMatchFileSnapshot(PAGE);
});
