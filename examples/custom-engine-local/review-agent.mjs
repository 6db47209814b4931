#!/usr/bin/env node
// The engine: review-agent.mjs run --input <SessionInput> --output <SessionResult>
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

const options = { input: { type: "string" }, output: { type: "string" } };
const { values } = parseArgs({ allowPositionals: true, options });
const { messages } = JSON.parse(readFileSync(values.input, "utf8"));

console.error(`signing in with ${process.env.OPENAI_API_KEY}`);
const todos = readFileSync("change.diff", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("+") && line.includes("TODO"));
const report = [
  "# Review",
  "",
  `Asked: ${messages.at(-1).content}`,
  "",
  ...todos.map((line) => `- ${line.slice(1).trim()}`),
];
writeFileSync("report.md", `${report.join("\n")}\n`);

const final_message = `Found ${todos.length} TODO.`;
const artifacts = { files: [{ name: "report.md", path: "report.md", content_type: "text/markdown" }] };
writeFileSync(values.output, JSON.stringify({ exit_code: 0, final_message, artifacts }));
