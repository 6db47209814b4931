import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const HOST = fileURLToPath(new URL("killed-host.mjs", import.meta.url));

/** Opens an environment in a separate process and kills that process, without cleanup. */
export async function runKilledHost(kind: "docker" | "kubernetes", options: object): Promise<void> {
  const host = spawn(process.execPath, [HOST, kind, JSON.stringify(options)], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  const ended = once(host, "exit");
  await Promise.race([
    ended,
    new Promise<void>((resolve) => {
      host.stdout.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes("OPEN")) resolve();
      });
    }),
  ]);
  host.kill("SIGKILL");
  await ended;
  if (!output.includes("OPEN")) throw new Error("the host did not open its environment");
}
