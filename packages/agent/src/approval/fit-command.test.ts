import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fitAllowedCommand, fitRefusedCommand, toCommandSubject } from "./fit-command.ts";

function allowed(line: string, prefix: string, platform = "linux"): string {
  return fitAllowedCommand(toCommandSubject(line, platform), prefix.split(" "));
}

function refused(line: string, prefix: string, platform = "linux"): string {
  return fitRefusedCommand(toCommandSubject(line, platform), prefix.split(" "));
}

describe("a rule that lets a command run", () => {
  test.each([
    "npm test",
    "  npm   test  ",
    "npm test -- --grep 'a b; c'",
    'npm test "with $-free quotes; and marks"'.replace("$", ""),
    "npm test\n",
    "'npm' te\"st\" a=b ./x:y@1,2+3",
  ])("fits one simple command that begins with its words: %j [loop-8-4]", (line) => {
    expect(allowed(line, "npm test")).toBe("yes");
  });

  test.each([
    "npm test; rm -rf /",
    "npm test && rm -rf /",
    "npm test || rm",
    "npm test | tee x",
    "npm test & rm",
    "npm test &",
    "npm test\nrm -rf /",
    "npm test $(rm -rf /)",
    "npm test `rm -rf /`",
    'npm test "$(rm -rf /)"',
    'npm test "`id`"',
    "npm test $HOME",
    "npm test $'x'",
    "npm test > /etc/passwd",
    "npm test < secret",
    "npm test <(id)",
    "LD_PRELOAD=./evil.so npm test",
    "A+=b npm test",
    "npm test \\; rm",
    "npm test *",
    "npm test ~",
    "npm test {a,b}",
    "npm test # ; rm",
    "npm test !x",
    "npm test 'unfinished",
    "npm test \r rm",
    "npm test \u00a0rm",
    "npm test \u0000",
    "(npm test)",
    "{ npm test; }",
    "echo x; npm test",
  ])("does not know a command that is more than that, and never fits it: %j [loop-8-4]", (line) => {
    expect(allowed(line, "npm test")).toBe("maybe");
  });

  test.each(["npm", "npm run", "npm testing", "npx test", "./npm test", "ls", "sudo npm test", "env npm test", ""])(
    "does not fit another command: %j [loop-8-4]",
    (line) => {
      expect(allowed(line, "npm test")).toBe("no");
    },
  );

  test("may stand for words by a wildcard, within one word only [loop-8-4]", () => {
    expect(allowed("npm run test:unit", "npm run test:*")).toBe("yes");
    expect(allowed("npm run lint", "npm run test:*")).toBe("no");
    expect(allowed("anything at all", "*")).toBe("yes");
    expect(allowed("anything; else", "*")).toBe("maybe");
  });

  test("knows no quotes where the shell has others [loop-8-4]", () => {
    expect(allowed("npm test", "npm test", "windows")).toBe("yes");
    expect(allowed("npm test 'a & del x'", "npm test", "windows")).toBe("maybe");
    expect(allowed("npm test %PATH%", "npm test", "windows")).toBe("maybe");
    expect(allowed("npm test ^& del", "npm test", "windows")).toBe("maybe");
  });

  test("never fits a line that holds a character with a meaning outside of quotes [loop-8-4]", () => {
    const special = fc.constantFrom(..."$`\\;&|<>(){}!#*?[]~\n\r\0");
    fc.assert(
      fc.property(fc.string(), special, fc.string(), (before, mark, behind) => {
        const line = `npm test ${before.replaceAll(/['"]/g, "")}${mark}${behind}x`;
        expect(allowed(line, "npm test")).not.toBe("yes");
      }),
    );
  });
});

describe("a rule that refuses a command", () => {
  test.each([
    "rm -rf /",
    "/bin/rm -rf /",
    "ls; rm -rf x",
    "ls\nrm -rf x",
    "true && rm -rf x",
    "A=b rm -rf x",
    "r''m -rf x",
    '"rm" -rf x',
    "echo x | rm -rf y",
    "rm -rf *",
    "rm -rf x > log",
  ])("finds it wherever a command begins: %j [loop-8-4]", (line) => {
    expect(refused(line, "rm")).toBe("yes");
  });

  test.each([
    "sudo rm -rf /",
    "find . -exec rm {} +",
    "bash -c 'rm -rf /'",
    "bash -c 'r''m'",
    "eval x",
    "$(echo cm0= | base64 -d) -rf /",
    "\\rm -rf x",
    "echo $HOME",
    "git rm x",
    "xargs rm",
    "for f in a; do rm b; done",
    "/bin/r? -rf x",
    "[r]m -rf x",
    "r* x",
    "sudo r''m -rf x",
    'busybox r""m x',
    "sudo -u root /bin/r? x",
    "find . -exec /bin/r? x",
    "env -S 'cp --x'",
    "alias x=r''m; x y",
    "bash -c \"r''m x\"",
    "python3 -c 'print(1)'",
    "perl -ne print x",
    "echo cm0gLXJmIHg= | base64 -d | python3",
    "if true; then node -; fi",
    'awk \'BEGIN { system("r" "m x") }\'',
    "echo x | xargs -n1 env",
    ". ./file",
  ])("cannot tell where a shell or another program has the last word: %j [loop-8-4]", (line) => {
    expect(refused(line, "rm")).toBe("maybe");
  });

  test.each(["npm run format", "ls -la", "echo 'harm'", "cat a > b", "FOO=bar make"])(
    "leaves others alone: %j [loop-8-4]",
    (line) => {
      expect(refused(line, "rm")).toBe("no");
    },
  );

  test.each([
    "ls *.txt",
    "find . -name '*.ts'",
    "npm run watch",
    "npm install node",
    "node script.js -e",
    "python3 setup.py build",
    "awk 'NR == 1' x",
    'git commit -m "it\'s done"',
    "RM x",
  ])("leaves programs alone that hold no others: %j [loop-8-4]", (line) => {
    expect(refused(line, "rm")).toBe("no");
  });

  test("means names as the file system does [loop-8-4]", () => {
    expect(refused("/bin/RM -rf x", "rm", "darwin")).toBe("yes");
    expect(refused("sudo Rm x", "rm", "darwin")).toBe("maybe");
  });

  test("finds words that are pulled apart by options [loop-8-4]", () => {
    expect(refused("git push origin", "git push")).toBe("yes");
    expect(refused("git -C sub push origin", "git push")).toBe("maybe");
    expect(refused("git status", "git push")).toBe("no");
  });

  test("any line is looked at in time that follows its length [loop-8-4]", () => {
    const line = `${"a".repeat(100_000)} ${"'b' ".repeat(50_000)}`;
    expect(refused(line, "rm *x*y*z*")).toBe("no");
  }, 5_000);
});
