import { expect } from "vitest";
import { type ParityRow, TASK } from "./parity-row.ts";
import type { Scene } from "./scene.ts";
import { WIRE_FORMATS } from "./wire-view.ts";

const ROUND = ["assistant", "tool_results"];

function turnTypes({ session }: Scene): readonly string[] {
  return session.history.map(({ type }) => type);
}

const CREATION: ParityRow = {
  row: 1,
  title: "a file is created [loop-9.12-1]",
  inputs: ["Create hello.py that prints Hello."],
  script: ({ wording }) => ({
    "Create hello.py that prints Hello.": [
      { say: "I create it.", calls: [wording.write("hello.py", "print('Hello')\n")] },
      { say: "hello.py is there." },
    ],
  }),
  async check(scene) {
    const { family, wording, session, workspace, provider } = scene;
    expect(await workspace.read("hello.py")).toBe("print('Hello')\n");
    expect(turnTypes(scene)).toEqual(["user", ...ROUND, "assistant"]);
    expect(session.history.at(-1)).toMatchObject({ content: "hello.py is there.", toolCalls: [] });
    expect(scene.eventsOf("tool_call_end")).toMatchObject([{ name: wording.write("", "").name, is_error: false }]);
    const { toolNames, systemText } = WIRE_FORMATS[family];
    const [request] = provider.requests;
    expect(toolNames(request?.body)).toEqual(session.toolRegistry.names());
    expect(systemText(request?.body)).toContain(workspace.environment.workingDirectory);
    expect(scene.results[0]?.content).toContain("hello.py");
  },
};

const READ_AND_EDIT: ParityRow = {
  row: 2,
  title: "a file is read and then edited [loop-9.12-2]",
  files: { "hello.py": "print('Hello')\nprint('Bye')\n" },
  inputs: [TASK],
  script: ({ wording }) => ({
    [TASK]: [
      { calls: [wording.read("hello.py")] },
      { calls: [wording.edit("hello.py", { from: "print('Bye')", to: "print('Goodbye')" })] },
      { say: "Edited." },
    ],
  }),
  async check(scene) {
    expect(await scene.workspace.read("hello.py")).toBe("print('Hello')\nprint('Goodbye')\n");
    expect(scene.results[0]?.content).toBe("1 | print('Hello')\n2 | print('Bye')");
    expect(scene.results[1]?.content).toContain("hello.py");
    expect(turnTypes(scene)).toEqual(["user", ...ROUND, ...ROUND, "assistant"]);
  },
};

const SEVERAL_FILES: ParityRow = {
  row: 3,
  title: "several files are edited in one session [loop-9.12-3]",
  files: { "a.txt": "one\n", "b/c.txt": "two\n", "d.txt": "three\n" },
  inputs: [TASK, "And d.txt, please."],
  script: ({ wording }) => ({
    [TASK]: [
      {
        calls: [wording.edit("a.txt", { from: "one", to: "ONE" }), wording.edit("b/c.txt", { from: "two", to: "TWO" })],
      },
      { say: "Two files are edited." },
      { calls: [wording.edit("d.txt", { from: "three", to: "THREE" })] },
      { say: "The third as well." },
    ],
  }),
  async check(scene) {
    const texts = await Promise.all(["a.txt", "b/c.txt", "d.txt"].map((path) => scene.workspace.read(path)));
    expect(texts).toEqual(["ONE\n", "TWO\n", "THREE\n"]);
    expect(scene.results.map(({ content }) => /[abd](\/c)?\.txt/.exec(content)?.[0])).toEqual([
      "a.txt",
      "b/c.txt",
      "d.txt",
    ]);
    expect(scene.userTexts).toEqual([TASK, "And d.txt, please."]);
    expect(turnTypes(scene)).toEqual(["user", ...ROUND, "assistant", "user", ...ROUND, "assistant"]);
  },
};

const SEARCH: ParityRow = {
  row: 6,
  title: "grep and glob find files [loop-9.12-6]",
  files: { "src/a.ts": "const needle = 1;\n", "src/deep/b.ts": "const other = 2;\n", "notes.md": "no needle here\n" },
  inputs: [TASK],
  script: ({ wording }) => ({
    [TASK]: [{ calls: [wording.grep("needle", "*.ts")] }, { calls: [wording.glob("**/*.ts")] }, { say: "Found." }],
  }),
  async check({ results }) {
    expect(results[0]?.content).toBe("src/a.ts:1:const needle = 1;");
    expect(results[1]?.content.split("\n").sort()).toEqual(["src/a.ts", "src/deep/b.ts"]);
  },
};

const SEVERAL_STEPS: ParityRow = {
  row: 7,
  title: "a task of reading, analysing and editing is done [loop-9.12-7]",
  files: { "config.json": '{\n  "target": "src/port.txt",\n  "port": 8080\n}\n', "src/port.txt": "port=0\n" },
  inputs: [TASK],
  script: ({ wording }) => ({
    [TASK]: [
      { calls: [wording.read("config.json")] },
      // The position and the value are in the file that it read: only a model that received the file can continue.
      ([config = ""]) => ({ calls: [wording.read(/src\/\w+\.txt/.exec(config)?.[0] ?? "nowhere")] }),
      ([config = "", target = ""]) => {
        const [from = "nothing"] = /port=\d+/.exec(target) ?? [];
        const [port = ""] = /\d{4}/.exec(config) ?? [];
        return { calls: [wording.edit("src/port.txt", { from, to: `port=${port}` })] };
      },
      { say: "The port is set." },
    ],
  }),
  async check(scene) {
    expect(await scene.workspace.read("src/port.txt")).toBe("port=8080\n");
    expect(turnTypes(scene)).toEqual(["user", ...ROUND, ...ROUND, ...ROUND, "assistant"]);
  },
};

const LINES = Array.from({ length: 1_500 }, (_, index) => `${index} ${"x".repeat(95)}`);

const TRUNCATION: ParityRow = {
  row: 8,
  title: "the output of reading a large file is truncated [loop-9.12-8]",
  files: { "large.txt": `${LINES.join("\n")}\n` },
  inputs: [TASK],
  script: ({ wording }) => ({ [TASK]: [{ calls: [wording.read("large.txt")] }, { say: "It is large." }] }),
  async check(scene) {
    const [event] = scene.eventsOf("tool_call_end");
    const [result] = scene.results;
    expect(event?.content.match(/x{95}/g)).toHaveLength(1_500);
    expect(result?.content).toContain("[WARNING: Tool output was truncated.");
    const [, removed] = /(\d+) characters were removed from the middle/.exec(result?.content ?? "") ?? [];
    const stored = result?.content.replace(/\n\n\[WARNING: Tool output[^\]]*\]\n\n/, "") ?? "";
    expect(Number(removed)).toBe((event?.content.length ?? 0) - stored.length);
    expect(result?.content.length).toBeLessThanOrEqual(50_000);
    // Both ends are present.
    expect(result?.content).toContain("1 | 0 xxx");
    expect(result?.content).toContain("1500 | 1499 xxx");
  },
};

const RECOVERY: ParityRow = {
  row: 14,
  title: "the model recovers from a failed tool [loop-9.12-14] [loop-9.11-1]",
  files: { "right.txt": "found\n" },
  inputs: [TASK],
  script: ({ wording }) => ({
    [TASK]: [
      { calls: [wording.read("wrong.txt")] },
      ([problem = ""]) => ({ calls: [wording.read(problem.includes("wrong.txt") ? "right.txt" : "wrong.txt")] }),
      { say: "The right one." },
    ],
  }),
  async check(scene) {
    expect(scene.eventsOf("tool_call_end").map(({ is_error }) => is_error)).toEqual([true, false]);
    const [failed, recovered] = scene.results;
    expect(recovered?.content).toBe("1 | found");
    // Only one of the formats has a field for it.
    const flags = [failed?.isError, recovered?.isError];
    expect(flags).toEqual(scene.family === "anthropic" ? [true, false] : [undefined, undefined]);
  },
};

/** The rows about files. */
export const FILE_ROWS: readonly ParityRow[] = [
  CREATION,
  READ_AND_EDIT,
  SEVERAL_FILES,
  SEARCH,
  SEVERAL_STEPS,
  TRUNCATION,
  RECOVERY,
];
