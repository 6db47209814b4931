import { messageOf } from "@switchyard/contracts";
import { createMemoryEnvironment } from "../memory/create-memory-environment.ts";
import type { ReadinessFindings } from "./readiness-findings.ts";

/** Checks whether the emulated shell, a separate npm package, is installed. */
export async function findMemoryParts(): Promise<ReadinessFindings> {
  await using environment = createMemoryEnvironment();
  try {
    await environment.shell(":");
    return { found: ["just-bash"], missing: [] };
  } catch (error) {
    const install = [{ system: "every system", command: "npm install just-bash" }];
    return { found: [], missing: [{ program: "just-bash", problem: messageOf(error), install }] };
  }
}
