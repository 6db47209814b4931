import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const HOST = fileURLToPath(new URL("killed-host.mjs", import.meta.url));

/** Opens an environment in a process of its own and kills that process, without a chance to clean up. */
export async function runKilledHost(kind: "docker" | "kubernetes", options: object): Promise<void> {
  const host = spawn(process.execPath, [HOST, kind, JSON.stringify(options)], { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  const ended = once(host, "exit");
  await Promise.race([
    ended,
    new Promise<void>((resolve) => {
      host.stdout.on("data", (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes("OPEN")) resolve();
      });
    }),
  ]);
  host.kill("SIGKILL");
  await ended;
  if (!said.includes("OPEN")) throw new Error("the host did not open its environment");
}
