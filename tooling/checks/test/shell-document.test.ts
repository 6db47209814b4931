import { expect, test } from "vitest";
import { readShellDocument, runShellDocument, writeCommand } from "../src/shell-document.mjs";
import { scratchFolder } from "./scratch-folder.ts";

const block = (info: string, code: string): string => `\`\`\`${info}\n${code}\n\`\`\`\n`;

function prove(...blocks: string[]): string[] {
  const root = scratchFolder({ "guide.md": blocks.join("\n"), "cli.cjs": "console.log('hello', process.argv[2]);" });
  writeCommand(`${root}/bin`, `${root}/cli.cjs`);
  const document = readShellDocument(root, "guide.md");
  if (document === undefined) throw new Error("The document has no block to run.");
  return runShellDocument(document, { commands: [`${root}/bin`], port: 4_321 });
}

test("blocks run in order in one shell, in an empty folder and home, with the command on PATH", () => {
  const first = block("sh run", 'test -z "$(ls -A)" && test -z "$(ls -A "$HOME")"\nexport NAME=Ada');
  const second = block("sh run", 'test "$(switchyard "$NAME")" = "hello Ada" && test "$PORT" = 4321');
  expect(prove(first, second)).toEqual([]);
});

test("a block marked with a file name is a file in the folder", () => {
  expect(prove(block("yaml file=a.yaml", "a: 1"), block("sh run", 'test "$(cat a.yaml)" = "a: 1"'))).toEqual([]);
});

test("a command that fails is a problem that names the document and the block", () => {
  const [problem] = prove(block("sh run", "true"), block("sh run", "echo planted; false; echo not reached"));
  expect(problem).toMatch(/^guide\.md failed \(1\):\n# guide\.md:2\n# guide\.md:6\nplanted\n$/);
});

test("a process that a block leaves in the background is ended", () => {
  const root = scratchFolder({ "guide.md": block("sh run", 'sleep 600 > /dev/null 2>&1 & echo $! > "$PID_FILE"') });
  const document = readShellDocument(root, "guide.md");
  if (document === undefined) throw new Error("The document has no block to run.");
  const script = `PID_FILE=${root}/pid\n${document.script}`;
  expect(runShellDocument({ ...document, script }, { commands: [], port: 1 })).toEqual([]);
  const check = { document: "check", files: [], script: `while kill -0 "$(cat ${root}/pid)" 2>/dev/null; do :; done` };
  expect(runShellDocument(check, { commands: [], port: 1 })).toEqual([]);
});

test("a document without blocks to run is left out", () => {
  const root = scratchFolder({ "guide.md": block("sh", "exit 1") });
  expect(readShellDocument(root, "guide.md")).toBeUndefined();
});
