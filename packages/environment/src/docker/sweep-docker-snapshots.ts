import type { Owner } from "@switchyard/process-owner";
import type { ClientProgram } from "../client/client-program.ts";
import { listAt, parseJson, textAt } from "../client/read-json.ts";
import { OWNER_LABELS } from "../owner/owner-labels.ts";
import { RESPONSE_TIMEOUT_MS } from "./container-engine.ts";

/** Removes snapshots and volumes whose owner (the host process that created them) is dead. Never rejects. */
export async function sweepSnapshots(engine: ClientProgram, owner: Owner): Promise<void> {
  const run = async (...args: string[]): Promise<string> => {
    const result = await engine.run(args, { timeoutMs: RESPONSE_TIMEOUT_MS }).catch(() => undefined);
    return result?.stdout ?? "";
  };
  const words = (text: string): string[] => text.split(/\s+/u).filter((word) => word !== "");
  const filter = `label=${OWNER_LABELS.owner}`;
  const isDead = (found: unknown, ...path: string[]): boolean =>
    owner.livenessOf(textAt(found, ...path, OWNER_LABELS.owner)) === "dead";
  const images = words(await run("images", "--quiet", "--no-trunc", "--filter", filter));
  if (images.length > 0) {
    const listed = listAt(parseJson(await run("image", "inspect", ...new Set(images))));
    const dead = listed.filter((found) => isDead(found, "Config", "Labels")).map((found) => textAt(found, "Id"));
    if (dead.length > 0) await run("rmi", "--force", ...dead);
  }
  const volumes = words(await run("volume", "ls", "--quiet", "--filter", filter));
  if (volumes.length === 0) return;
  const listed = listAt(parseJson(await run("volume", "inspect", ...volumes)));
  const dead = listed.filter((found) => isDead(found, "Labels")).map((found) => textAt(found, "Name"));
  if (dead.length > 0) await run("volume", "rm", "--force", ...dead);
}
