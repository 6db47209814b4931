import type { EnvironmentConfig } from "@switchyard/environment";
import type { EvalSuite } from "@switchyard/evaluation";
import type { PermissionMode } from "@switchyard/settings";

/** Settings that all runs of an evaluation share. */
export interface SharedSettings {
  /** Evaluation whose runs are described. */
  readonly suite: Pick<EvalSuite, "cases">;
  /** Name of the environment. */
  readonly environment: string;
  /** Configuration of the environment. */
  readonly config: EnvironmentConfig;
  /** Permission mode of all engines, if the user chose one. */
  readonly mode?: PermissionMode | undefined;
}

const MODES: Readonly<Record<PermissionMode, string>> = {
  plan: "engines only read files (--mode plan)",
  ask: "changes and commands are denied, because no user can approve them (--mode ask)",
  auto: "everything is allowed (--mode auto)",
};
const DEFAULT = "everything is allowed that an engine's settings do not restrict; --mode plan allows only reading";

/** Returns the lines that show the environment and the permissions of an evaluation's runs before the first run. */
export async function describeRuns({ suite, environment, config, mode }: SharedSettings): Promise<string[]> {
  const permissions = `Permissions: ${mode === undefined ? DEFAULT : MODES[mode]}`;
  if (suite.cases.some(({ task }) => task !== undefined))
    return ["Environment: containers of each task's image, with the network that the task sets", permissions];
  const { describeNetwork } = await import("@switchyard/engine-catalog");
  return [`Environment: ${environment}, ${describeNetwork(config)}`, permissions];
}
