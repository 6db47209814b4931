import { describe, expect, test } from "vitest";
import { composeCommand } from "../src/suites/shell-policy/compose-command.mjs";
import { openPolicyJudge } from "../src/suites/shell-policy/judge-command.mjs";
import { readTrace, unexpectedEffects } from "../src/suites/shell-policy/read-trace.mjs";
import { runShellPolicy, shellPolicySuite } from "../src/suites/shell-policy/shell-policy-suite.mjs";

const OPTIONS = { seed: 1, first: 0, log: () => undefined };

describe("the shell-policy suite", () => {
  test("finds no effect that a rule does not cover", async ({ skip }) => {
    const result = await shellPolicySuite.run({ ...OPTIONS, count: shellPolicySuite.counts.quick });
    skip(result.skipped !== undefined, result.skipped);
    expect(result.failures).toEqual([]);
    expect(result.cases).toBe(shellPolicySuite.counts.quick);
    expect(Number(result.figures["commands that were allowed and observed"])).toBeGreaterThan(25);
    expect(Number(result.figures["forbidden effects that the observer had to detect"])).toBeGreaterThan(25);
  });

  // As many cases as contain about three commands that the wrong policy allows.
  test.for<[string, RegExp, string, number]>([
    ["covers an option that writes", /^(?:sort|shuf) .*(?:-o |--output)/, "write /tmp/outside/f", 1200],
    ["covers an option that runs a program", /^(?:find|rg) .*(?:-exec|--pre)/, "run /tmp/canary/run", 1200],
    ["covers an option that works elsewhere", /^git (?:-C|--git-dir)/, "run /tmp/canary/run", 1200],
    ["covers a program that runs others", /^(?:env|nice|timeout) .*canary/, "run /tmp/canary/run", 48],
    ["covers a redirection", /> \/tmp\/outside\/f$/, "write /tmp/outside/f", 160],
    ["covers a substitution", /\$\(\/tmp\/canary\/run\)$/, "run /tmp/canary/run", 700],
  ])("fails against a policy that %s", async ([, allowed, effect, count]) => {
    // Only the command lines: the previous test observes the commands that the policy allows.
    const judge = (_policy: unknown, line: string): Promise<boolean> => Promise.resolve(allowed.test(line));
    const result = await runShellPolicy({ ...OPTIONS, count }, judge);
    if (result.skipped !== undefined) return;
    expect(result.failures.map(({ problem }) => problem).join("\n")).toContain(effect);
  });

  test("fails against a policy that covers nothing, and one whose deny rules ignore wrapper programs", async () => {
    const nothing = await runShellPolicy({ ...OPTIONS, count: 40 }, () => Promise.resolve(false));
    if (nothing.skipped !== undefined) return;
    expect(nothing.failures.length).toBeGreaterThan(3);
    const blind = (policy: { otherwise?: unknown }, line: string): Promise<boolean> =>
      Promise.resolve(policy.otherwise === "allow" && line.startsWith("env"));
    const { failures } = await runShellPolicy({ ...OPTIONS, count: 200 }, blind);
    expect(failures.map(({ problem }) => problem).join("\n")).toMatch(/deny run allowed "env .*run \/tmp\/canary\/run/);
  });
});

test("a case is a function of the seed and its number", () => {
  const lines = (seed: number): string[] => Array.from({ length: 50 }, (_, index) => composeCommand(seed, index).line);
  expect(lines(7)).toEqual(lines(7));
  expect(lines(7)).not.toEqual(lines(8));
});

test("a trace contains started programs, written files and opened connections", () => {
  const trace = [
    '7 execve("/bin/bash", ["bash", "-c", "x"], 0x1 /* 9 vars */) = 0',
    '7 execve("/usr/local/bin/sort", ["sort"], 0x1 /* 9 vars */) = -1 ENOENT (No such file or directory)',
    '7 execve("/usr/bin/sort", ["sort"], 0x1 /* 9 vars */) = 0',
    '7 openat(AT_FDCWD</tmp/w>, "/etc/passwd", O_RDONLY) = 3</etc/passwd>',
    '7 openat(AT_FDCWD</tmp/w>, "new", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3</tmp/w/new>',
    '7 openat(AT_FDCWD</tmp/w>, "/dev/null", O_WRONLY) = 3</dev/null>',
    '7 unlinkat(5</tmp/w/sub>, "c.txt", 0) = 0',
    '7 mkdir("out/d", 0777) = 0',
    '8 execve("/tmp/canary/run", ["run"], 0x1 /* 9 vars */ <unfinished ...>',
    '8 connect(3<TCP:[1]>, {sa_family=AF_INET, sin_port=htons(9), sin_addr=inet_addr("127.0.0.1")}, 16) = -1 ENETUNREACH (Network is unreachable)',
  ].join("\n");
  const effects = readTrace(trace);
  expect(effects.runs).toEqual(["/usr/bin/sort", "/tmp/canary/run"]);
  expect(effects.writes).toEqual(["/tmp/w/new", "/tmp/w/sub/c.txt", "/tmp/outside/d"]);
  expect(effects.connects).toHaveLength(1);
  const scenario = { rule: "sort *", words: ["sort"], good: [], bad: [], writes: [/^\/tmp\/w\//] };
  expect(unexpectedEffects(effects, scenario).map(({ effect }) => effect)).toEqual(["run", "write", "connect"]);
});

test("the policy is called as in a session without a terminal", async () => {
  const { judge, close } = await openPolicyJudge(import.meta.dirname);
  const rules = [{ tool: "shell", command: "git *", outcome: "allow" as const }];
  expect(await judge({ rules, otherwise: "ask" }, "git status")).toBe(true);
  expect(await judge({ rules, otherwise: "ask" }, "git push origin")).toBe(false);
  await close();
});
