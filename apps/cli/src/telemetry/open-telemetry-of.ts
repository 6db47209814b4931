import type { Telemetry, TelemetryOptions } from "@switchyard/telemetry";
import { neutraliseControls } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";

const ASKED = "OTEL_EXPORTER_OTLP_";

/**
 * Opens OpenTelemetry export if the standard environment variables enable it. Otherwise no telemetry code is loaded.
 */
export async function openTelemetryOf(
  context: CommandContext,
  options: Pick<TelemetryOptions, "hasEvaluations"> = {},
): Promise<Telemetry | undefined> {
  if (!Object.keys(context.env).some((name) => name.startsWith(ASKED))) return undefined;
  const { openTelemetry } = await import("@switchyard/telemetry");
  const onProblem = (problem: string): void => {
    context.stderr.write(
      `warning: telemetry cannot reach its collector: ${neutraliseControls(problem).split("\n", 1)[0]?.slice(0, 300)}\n`,
    );
  };
  return openTelemetry({ ...options, env: context.env, onProblem });
}
