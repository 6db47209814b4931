import { join } from "node:path";
import { createLiveScreen, formatDuration, neutraliseControls, plural, type Terminal } from "@switchyard/terminal";
import picocolors from "picocolors";
import type { OutcomeCounts } from "../results/eval-results.ts";
import type { TrialKey } from "../results/trial-result.ts";
import { RESULT_FILES } from "../results/write-results.ts";
import type { EvalProgress } from "../run/eval-progress.ts";
import type { EvalSuite } from "../suite/eval-suite.ts";
import { describePlan } from "./describe-plan.ts";
import { describeResult, describeTrial, oneLine } from "./describe-trial.ts";

/** Output and environment variables of a terminal. With `TERM=dumb` in `env`, nothing is redrawn. */
export type EvalTerminal = Pick<Terminal, "stdout" | "env" | "now">;

/** Display of the progress of an evaluation. */
export interface EvalView {
  /** Shows a progress event. */
  readonly show: (progress: EvalProgress) => void;
  /** Stops the display and restores the terminal. */
  close(): void;
}

/** Options for `createEvalView`. */
export interface EvalViewOptions {
  /** Whether to show nothing. */
  readonly isSilent: boolean;
  /** Evaluation suite whose progress is shown. */
  readonly suite: Pick<
    EvalSuite,
    "name" | "cases" | "variants" | "engines" | "iterations" | "concurrency" | "reportFormats"
  >;
  /** Facts about all runs, such as their environment and permissions, one line each. Default: none. */
  readonly facts?: readonly string[] | undefined;
  /** Output folder. With it, the display names the page that shows the progress in a browser. */
  readonly output?: string | undefined;
}

const FRAME_MS = 200;
/** Maximum number of running sessions that are listed in the footer, one line each. */
const MAX_RUNNING = 8;
/** Width of the progress bar, in columns. */
const BAR = 24;

/**
 * Creates a display that prints one line per finished run. On a terminal, a footer shows running sessions and a
 * progress bar.
 */
export function createEvalView(terminal: EvalTerminal, options: EvalViewOptions): EvalView {
  if (options.isSilent) return { show: () => {}, close: () => {} };
  const { stdout, env } = terminal;
  const isLive = stdout.isTerminal && env["TERM"] !== "dumb";
  return isLive ? createLiveEvalView(terminal, options) : createPlainEvalView(terminal, options);
}

function createPlainEvalView({ stdout }: EvalTerminal, options: EvalViewOptions): EvalView {
  const colours = picocolors.createColors(stdout.hasColour);
  return {
    show: (progress) => {
      for (const line of linesOf(progress, options, colours)) stdout.write(`${line}\n`);
    },
    close: () => {},
  };
}

function createLiveEvalView({ stdout, now }: EvalTerminal, options: EvalViewOptions): EvalView {
  const screen = createLiveScreen(stdout);
  const colours = picocolors.createColors(stdout.hasColour);
  const running = new Map<string, { trial: TrialKey; startedAt: number }>();
  const startedAt = now();
  let counts: OutcomeCounts = { total: 0, passed: 0, failed: 0, errors: 0, skipped: 0 };
  const footer = (): string[] => {
    const shown = [...running.values()].slice(0, MAX_RUNNING);
    const lines = shown.map((one) => `  ${describeTrial(one.trial)} · ${formatDuration(now() - one.startedAt)}`);
    const hidden = running.size - shown.length;
    return [...lines, ...(hidden > 0 ? [`  … and ${hidden} more`] : []), barOf(counts, now() - startedAt)];
  };
  const ticker = setInterval(() => screen.setFooter(footer()), FRAME_MS);
  return {
    show: (progress) => {
      if (progress.type === "eval_started") counts = { ...counts, total: progress.total };
      if (progress.type === "trial_started") {
        running.set(describeTrial(progress.trial), { trial: progress.trial, startedAt: now() });
      }
      if (progress.type === "trial_finished") {
        running.delete(describeTrial(progress.result));
        counts = progress.counts;
      }
      const lines = linesOf(progress, options, colours);
      if (lines.length > 0) screen.print(lines);
      screen.setFooter(footer());
    },
    close: () => {
      clearInterval(ticker);
      screen.close();
    },
  };
}

function barOf({ total, passed, failed, errors, skipped }: OutcomeCounts, elapsedMs: number): string {
  const done = passed + failed + errors + skipped;
  const filled = total === 0 ? 0 : Math.floor((done / total) * BAR);
  const facts = [`${done} of ${total}`, `${passed} passed`, `${failed} failed`, `${errors} errors`];
  if (skipped > 0) facts.push(`${skipped} skipped`);
  return `${"█".repeat(filled)}${"░".repeat(BAR - filled)} ${[...facts, formatDuration(elapsedMs)].join(" · ")}`;
}

function linesOf(
  progress: EvalProgress,
  { suite, output, facts = [] }: EvalViewOptions,
  colours: ReturnType<typeof picocolors.createColors>,
): string[] {
  switch (progress.type) {
    case "eval_started":
      return [
        colours.bold(headlineOf(progress.total, suite)),
        ...facts.map(neutraliseControls),
        ...describePlan(suite),
        ...pageLine(output, suite),
        ...storedLine(progress.reused),
      ];
    case "trial_retried":
      return [`${colours.yellow("↻ retry  ")} ${describeTrial(progress.trial)} ${oneLine(progress.reason)}`];
    case "trial_finished":
      return [describeResult(progress.result, colours)];
    default:
      return [];
  }
}

function headlineOf(
  total: number,
  { name, cases, variants, engines, iterations, concurrency }: EvalViewOptions["suite"],
): string {
  const parts = [plural(cases.length, "case"), plural(engines.length, "engine")];
  if (variants.length > 1) parts.splice(1, 0, plural(variants.length, "variant"));
  if (iterations > 1) parts.push(plural(iterations, "iteration"));
  return `${neutraliseControls(name)}: ${parts.join(" × ")} = ${plural(total, "run")}, ${concurrency} at a time`;
}

function pageLine(output: string | undefined, { reportFormats }: EvalViewOptions["suite"]): string[] {
  if (output === undefined || reportFormats?.includes("html") === false) return [];
  return [`Watch it in a browser: ${neutraliseControls(join(output, RESULT_FILES.page))}`];
}

function storedLine(storedCount: number): string[] {
  return storedCount === 0
    ? []
    : [`${storedCount} of these runs ${storedCount === 1 ? "is" : "are"} already complete.`];
}
