import { runProgram } from "@switchyard/container-engines";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { quoteArguments } from "../../src/remote/script/quote-argument.ts";
import { renderLoginCommand } from "../../src/ssh/ssh-arguments.ts";

const text = fc
  .string({ unit: "binary", maxLength: 12 })
  .filter((argument) => !argument.includes("\0") && argument.isWellFormed());

describe.each([["dash"], ["bash"], ["busybox", "sh"]])("in %s %s", (...shell) => {
  const argv = shell.filter((argument) => argument !== undefined);
  test("arguments of a one-line request are unchanged", async ({ skip }) => {
    skip((await runProgram(["sh", "-c", `command -v ${argv[0]}`])).code !== 0, `${argv[0]} is not installed`);
    const script = `sy_nl='\n'\nIFS= read -r line; eval "set -- $line"; printf '%s\\000' "$@"`;
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), async (args) => {
        const line = quoteArguments(args);
        expect(line).not.toContain("\n");
        const { stdout } = await runProgram([...argv, "-c", script], { stdin: Buffer.from(`${line}\n`) });
        expect(stdout).toBe(args.map((argument) => `${argument}\0`).join(""));
      }),
      { numRuns: 25, examples: [[["it's", "\n", "", "$HOME `x` \\", "ć\u0081\u0088 😀", "-n", "*"]]] },
    );
  });

  test("a login shell passes a script to sh unchanged", async ({ skip }) => {
    skip((await runProgram(["sh", "-c", `command -v ${argv[0]}`])).code !== 0, `${argv[0]} is not installed`);
    const argument = 'a\'b\\n!c "d" $(e) `f` %s ünï';
    const script = `x='${argument.replaceAll("'", "'\\''")}'\nprintf '%s|%s' "$x" "$#"`;
    const command = renderLoginCommand(script);
    expect(command).not.toMatch(/[\n!]/);
    expect((await runProgram([...argv, "-c", command])).stdout).toBe(`${argument}|1`);
  });
});
