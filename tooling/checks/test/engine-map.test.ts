import { expect, test } from "vitest";
import { judgeEngineMap, readEngineMap, readExports } from "../src/engine-map.mjs";
import { runCheck } from "./run-check.ts";
import { scratchFolder } from "./scratch-folder.ts";

const REPORT = [
  "## API Report",
  "```ts",
  "// @public",
  "export interface Board {",
  "    readonly name: string;",
  "    get<T>(key: T): T;",
  "    setVar(name: string): void;",
  "}",
  "",
  "// @public (undocumented)",
  "export function createBoard(): Board;",
  "",
  "// @public",
  "export const DEPENDENCY: {",
  '    readonly llmClient: "llm.client";',
  "};",
  "```",
  "",
].join("\r\n");

const MAP = [
  "| Specification | Here | Remarks |",
  "| --- | --- | --- |",
  "| `NewBoard` | `createBoard` | |",
  "| `Board.SetVar` | `Board.setVar` | By name; `Board.get` with a key |",
  "| `depname.LLMClient` | `DEPENDENCY.llmClient` | |",
  "| `NoopBus` | none | Nobody needs one |",
].join("\n");

const NAMES = ["NewBoard", "Board.SetVar", "depname.LLMClient", "NoopBus"];

function folderWith({ map = MAP, names = NAMES }: { map?: string; names?: readonly string[] }): string {
  return scratchFolder({
    "docs/reference/engine-map.md": map,
    "spec/engine-names.json": JSON.stringify({ All: names }),
    "packages/contracts/etc/index.api.md": REPORT,
    "packages/engine/etc/index.api.md": "```ts\n```\n",
  });
}

function problems(map: string, names = NAMES): string[] {
  return judgeEngineMap({ names, rows: readEngineMap(map), exports: readExports(REPORT) });
}

test("a map with a counterpart or a reason for every name is right", () => {
  expect(problems(MAP)).toEqual([]);
  expect(runCheck("check-engine-map", "/", [folderWith({})])).toMatchObject({ exitCode: 0, result: { passed: 4 } });
});

test("a name of the specification without a row is found", () => {
  expect(problems(MAP, [...NAMES, "NewRun"])).toEqual(["NewRun has no row."]);
  const run = runCheck("check-engine-map", "/", [folderWith({ names: [...NAMES, "NewRun"] })]);
  expect(run.exitCode).toBe(1);
  expect(run.output).toContain("NewRun has no row.");
});

test("a name of ours that is not exported is found, be it an export or a member of one", () => {
  for (const [from, to] of [
    ["`createBoard`", "`makeBoard`"],
    ["`Board.setVar`", "`Board.set`"],
    ["`DEPENDENCY.llmClient`", "`DEPENDENCY.llm`"],
  ] as const) {
    expect(problems(MAP.replace(from, to))).toEqual([
      expect.stringContaining(`${to.replaceAll("`", "")} is not exported.`),
    ]);
  }
});

test("a row without a reason, a second row and an invented name are found", () => {
  expect(problems(MAP.replace("Nobody needs one", ""))).toEqual([
    "NoopBus has neither a name here nor a reason why not.",
  ]);
  expect(problems(`${MAP}\n| \`NoopBus\` | none | Again |`)).toEqual(["NoopBus has two rows."]);
  expect(problems(`${MAP}\n| \`Other\` | \`createBoard\` | |`)).toEqual(["Other is not a name of the specification."]);
});
