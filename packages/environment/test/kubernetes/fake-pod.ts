import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** Part of a pod's manifest that describes its first container. */
export interface FakeContainerSpec {
  readonly command: readonly string[];
  readonly workingDir: string;
  /** Variables of its programs, PATH and HOME apart. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Folder of this machine that the pod sees under the same path. */
  readonly share?: string | undefined;
}

/** A pod's processes: real processes with a separate process namespace, mounts and root folder. */
export interface FakeProcesses {
  /** Folder that is the pod's `/`. */
  readonly root: string;
  /** Starts another program in the pod. It outlives its client, as in a real pod. */
  exec(argv: readonly string[], stdin: boolean): ChildProcess;
  /** Ends everything in the pod. */
  stop(): Promise<void>;
}

const MOUNT_AND_ENTER = `set -e
root=$1 shared=$2 share=$3 folder=$4
shift 4
mount --bind "$shared/bin" "$root/bin"
mount --bind "$shared/etc" "$root/etc"
mount --rbind /dev "$root/dev"
[ -z "$share" ] || mount --bind "$share" "$root$share"
mount -t proc proc "$root/proc"
exec chroot "$root" /bin/sh -c 'cd "$0" && exec "$@"' "$folder" "$@"`;

const START_TRIES = 3_000;
const PROGRAM_VARIABLES = { PATH: "/bin", HOME: "/root", HOSTNAME: "pod" };

/** Starts the first process of a pod. `shared` is a folder with busybox. */
export async function startFakeProcesses(
  root: string,
  shared: string,
  spec: FakeContainerSpec,
): Promise<FakeProcesses> {
  const { share = "", workingDir } = spec;
  for (const folder of ["bin", "etc", "dev", "proc", "root", "tmp", share, workingDir]) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  const variables = { ...spec.env, ...PROGRAM_VARIABLES };
  const enter = ["sh", "-c", MOUNT_AND_ENTER, "sh", root, shared, share, workingDir, ...spec.command];
  const outer = spawn("unshare", ["--mount", "--pid", "--fork", "--kill-child", ...enter], {
    stdio: "ignore",
    detached: true,
    env: { ...variables, PATH: process.env["PATH"] },
  });
  const ended = new Promise<void>((resolve) => outer.once("exit", () => resolve()));
  outer.on("error", () => {});
  const inner = await firstProcessOf(outer);
  return {
    root,
    exec(argv, stdin) {
      const into = ["--target", String(inner), "--mount", "--pid", "--root", "--wd"];
      return spawn("nsenter", [...into, "--", ...argv], {
        stdio: [stdin ? "pipe" : "ignore", "pipe", "pipe"],
        detached: true,
        env: variables,
      });
    },
    async stop() {
      if (outer.exitCode === null && outer.signalCode === null) outer.kill("SIGKILL");
      await ended;
    },
  };
}

/** Id, outside of the pod, of its process 1, once that is no longer about to become it. */
async function firstProcessOf({ pid }: ChildProcess): Promise<number> {
  for (let attempt = 0; attempt < START_TRIES; attempt += 1) {
    const child = readText(`/proc/${pid}/task/${pid}/children`).trim();
    const name = readText(`/proc/${child}/cmdline`);
    if (child !== "" && name !== "" && !/unshare|MOUNT|mount --bind|^chroot/.test(name)) return Number(child);
    await delay(20);
  }
  throw new Error("a pod of the tests does not start");
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
