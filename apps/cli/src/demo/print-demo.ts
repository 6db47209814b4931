import type { SessionReport } from "@switchyard/contracts";
import { neutraliseControls } from "@switchyard/terminal";
import picocolors from "picocolors";
import type { CommandContext } from "../context/command-context.ts";
import type { ProjectFindings } from "./demo-project.ts";

/** Prints what the demo does, and whether the model's responses are recorded. */
export function printIntroduction(
  context: CommandContext,
  demo: { model: string; project: string; isRecording: boolean },
): void {
  const colours = picocolors.createColors(context.stdout.hasColour);
  const recorded = [
    "The model is a handwritten recording, so no real model is called. Everything else is real:",
    "the HTTP requests, the agent loop, the tools and the tests.",
    "To use a real model, set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY and run:",
    "  npm run demo -- --live      (or: switchyard demo --live)",
  ];
  const lines = [
    colours.bold("An agent fixes a failing test in a small project."),
    ...(demo.isRecording ? recorded : [`The model is ${demo.model}.`]),
    `Project: ${demo.project}`,
    "",
  ];
  context.stdout.write(`${lines.join("\n")}\n`);
}

/** Prints the diff, the SessionResult, and whether the tests of the demo project pass. */
export function printFindings(context: CommandContext, report: SessionReport, findings: ProjectFindings): void {
  const colours = picocolors.createColors(context.stdout.hasColour);
  const { transcript: _, artifacts: __, ...result } = report.result ?? { exit_code: 1, final_message: "" };
  const verdict = findings.testsPass
    ? colours.green("Result: the project's tests pass.")
    : colours.red("Result: the project's tests still fail.");
  const lines = [
    "",
    colours.bold("Diff"),
    ...linesOf(findings.diff).map((line) =>
      line.startsWith("+") ? colours.green(line) : line.startsWith("-") ? colours.red(line) : line,
    ),
    "",
    colours.bold("SessionResult (the full transcript is in report.json in the run folder)"),
    neutraliseControls(JSON.stringify(result, undefined, 2)),
    "",
    verdict,
    ...linesOf(findings.testOutput).map((line) => `  ${line}`),
  ];
  context.stdout.write(`${lines.join("\n")}\n`);
}

function linesOf(text: string): string[] {
  return neutraliseControls(text).trimEnd().split("\n");
}
