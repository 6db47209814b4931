import { execFile } from "node:child_process";
import { promisify } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { commandLineOf } from "./command-line.ts";

const run = promisify(execFile);
const PATH = '/opt/it\'s "a" $path; rm *';

function lineOf(command: string, path: string = PATH) {
  return commandLineOf({ id: "acme.one", backend: "acme", command }, path);
}

test.each([
  ["node {{runtime_path}}/x.mjs", ["node", `${PATH}/x.mjs`]],
  ["node \"{{ runtime_path }}/a b.mjs\" --flag='v w'", ["node", `${PATH}/a b.mjs`, "--flag=v w"]],
  ["acme  --x ''", ["acme", "--x", ""]],
  ["acme --set a=b", ["acme", "--set", "a=b"]],
])("%s runs without a shell [runtime-runtime-path-3, runtime-runtime-path-1]", (command, argv) => {
  expect(lineOf(command)).toEqual({ kind: "argv", argv });
});

test.each([
  ...["a | b", "a && b", "a; b", "a > b", "A=1 b", "cd x", "a $HOME", "a `b`", 'a "$X"', "a *", "a\nb", "a \\ b"],
  ...["a 'unclosed", "~/a", "a # b"],
])("%j needs a shell [runtime-runtime-path-4]", (command) => {
  expect(lineOf(command)).toEqual({ kind: "shell", command });
});

test("an argv is used unchanged, with the path inserted [runtime-provider-10]", () => {
  const provider = { id: "a", backend: "a", command: "never", invocation: { argv: ["x", "{{runtime_path}}/y", "$Z"] } };
  expect(commandLineOf(provider, PATH)).toEqual({ kind: "argv", argv: ["x", `${PATH}/y`, "$Z"] });
});

test("an unknown placeholder is rejected by name [runtime-runtime-path-7]", () => {
  expect(() => lineOf("acme {{instructions}}")).toThrow(/\{\{instructions\}\}/u);
  expect(() => lineOf("acme | {{task.id}}")).toThrow(/\{\{task\.id\}\}/u);
});

test("in a shell the path is one argument, whatever characters it contains and whatever quotes surround it [runtime-runtime-path-2]", async () => {
  const character = fc.constantFrom(..."ab '\"$`\\*;&|(){}!#~%-_.");
  const path = fc.string({ unit: character, minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(path, async (name) => {
      const print = 'printf "%s\\n" {{runtime_path}}/x "{{runtime_path}}/y" \'{{runtime_path}}\'/z | cat';
      const line = lineOf(print, `/${name}`);
      const { stdout } = await run("sh", ["-c", line.kind === "shell" ? line.command : ""]);
      expect(stdout).toBe(`/${name}/x\n/${name}/y\n/${name}/z\n`);
    }),
    { numRuns: 60 },
  );
});
