// A custom engine for tests. It decides by words of the last message, and judges rubrics in the required format.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

const input = JSON.parse(readFileSync(process.argv[2], "utf8"));
const last = input.messages.at(-1).content;
const users = input.messages.filter(({ role }) => role === "user").length;

/** What a judge finds in its workspace, by words of the criterion. Other criteria are met unless they are impossible. */
const FOUND = [
  ["strict skill", () => existsSync(".agents/skills/strict-judge/references/rules.md")],
  ["work is there", () => existsSync("work/note.md") && !existsSync("note.md")],
  ["greeter skill is absent", () => !existsSync(".agents/skills/greeter")],
];

function judge() {
  const criteria = [...last.split("## Required")[0].matchAll(/^\d+\. (.*)$/gm)].map(([, text]) => text);
  const results = criteria.map((text, index) => ({
    ...{ criterion_id: `c${index + 1}`, passed: isMet(text), evidence: "It was checked." },
  }));
  return { final_message: JSON.stringify({ results }) };
}

function isMet(text) {
  const found = FOUND.find(([words]) => text.includes(words));
  return found === undefined ? !text.includes("impossible") : found[1]();
}

function useToken() {
  const used = /Use (\w+)/.exec(last)?.[1];
  const memory = input.session_id ?? `history of ${users}`;
  return { final_message: used === undefined ? "token=abc" : `used ${used} from ${memory}` };
}

function write() {
  mkdirSync("out", { recursive: true });
  writeFileSync("out/report.json", "{}");
  writeFileSync("note.md", "hello");
  // A message of skill-up's own transcripts.
  const call = { id: "1", name: "write_file", arguments: { path: "out/report.json", mode: 1 } };
  const transcript = [
    { role: "user", content: last },
    { role: "tool_call", tool_call: call },
    { role: "tool_result", tool_result: { call_id: "1", status: "ok", content: "done" } },
    { role: "assistant", content: "written" },
  ];
  return { final_message: "written", transcript };
}

function fail() {
  writeFileSync("half.md", "x");
  return { exit_code: 3, final_message: "no" };
}

/** Fails the first time, and succeeds once the file that the message names exists. */
function flake() {
  const file = last.split(" ")[1];
  if (existsSync(file)) return { final_message: "4" };
  writeFileSync(file, "");
  return { exit_code: 1, final_message: "" };
}

function answer() {
  if (last.includes("## Required Response Format")) return judge();
  if (last.startsWith("flaky")) return flake();
  if (last.includes("token")) return useToken();
  if (last.includes("write")) return write();
  if (last.includes("fail")) return fail();
  return { final_message: `Hello ${input.variant} ${existsSync(".agents/skills/greeter/SKILL.md")}` };
}

const session = process.argv[3] === "forgetful" ? {} : { session_id: input.session_id ?? "s-1" };
console.log(JSON.stringify({ exit_code: 0, ...session, ...answer() }));
