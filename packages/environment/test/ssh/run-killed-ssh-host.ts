import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { SshEnvironmentOptions } from "@switchyard/environment/ssh";

const HOST = fileURLToPath(new URL("killed-ssh-host.mjs", import.meta.url));

/** Starts sleeping processes from a separate host process, and kills that host without cleanup. */
export async function runKilledSshHost(options: SshEnvironmentOptions, seconds: string): Promise<void> {
  const script = `setsid sleep ${seconds} & sleep ${seconds} & echo started; wait`;
  const host = spawn(process.execPath, [HOST, JSON.stringify(options), script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(host, "exit");
  await Promise.race([ended, once(host.stdout, "data")]);
  const wasRunning = host.exitCode === null;
  host.kill("SIGKILL");
  await ended;
  if (!wasRunning) throw new Error("the host did not open its environment");
}
