import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { quoteWords } from "../../src/remote/script/quote-argument.ts";
import { renderLoginCommand } from "../../src/ssh/ssh-arguments.ts";
import { runProgram } from "../engine/run-program.ts";

const text = fc.string({ unit: "binary", maxLength: 12 }).filter((word) => !word.includes("\0") && word.isWellFormed());

describe.each([["dash"], ["bash"], ["busybox", "sh"]])("in %s %s", (...shell) => {
  const argv = shell.filter((word) => word !== undefined);
  test("words come out of a request of one line as they went in", async ({ skip }) => {
    skip((await runProgram(["sh", "-c", `command -v ${argv[0]}`])).code !== 0, `there is no ${argv[0]} here`);
    const script = `sy_nl='\n'\nIFS= read -r line; eval "set -- $line"; printf '%s\\000' "$@"`;
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), async (words) => {
        const line = quoteWords(words);
        expect(line).not.toContain("\n");
        const { stdout } = await runProgram([...argv, "-c", script], { stdin: Buffer.from(`${line}\n`) });
        expect(stdout).toBe(words.map((word) => `${word}\0`).join(""));
      }),
      { numRuns: 25, examples: [[["it's", "\n", "", "$HOME `x` \\", "ć\u0081\u0088 😀", "-n", "*"]]] },
    );
  });

  test("a login shell hands a script to sh as it is", async ({ skip }) => {
    skip((await runProgram(["sh", "-c", `command -v ${argv[0]}`])).code !== 0, `there is no ${argv[0]} here`);
    const word = 'a\'b\\n!c "d" $(e) `f` %s ünï';
    const script = `x='${word.replaceAll("'", "'\\''")}'\nprintf '%s|%s' "$x" "$#"`;
    const command = renderLoginCommand(script);
    expect(command).not.toMatch(/[\n!]/);
    expect((await runProgram([...argv, "-c", command])).stdout).toBe(`${word}|1`);
  });
});
