import { readdirSync, readFileSync } from "node:fs";

/** Kills the client programs that this process runs for a container. Returns their number. */
export function killTestClients(container: string): number {
  const clients = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && isTestClient(pid, container));
  for (const pid of clients) process.kill(Number(pid), "SIGKILL");
  return clients.length;
}

function isTestClient(pid: string, container: string): boolean {
  const args = read(`/proc/${pid}/cmdline`).split("\0");
  const parent = Number(read(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ")[1]);
  return parent === process.pid && args.includes("exec") && args.some((argument) => argument.startsWith(container));
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
