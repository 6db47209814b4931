import { clientErrorLine } from "../../client/client-error-line.ts";
import { createClientProgram } from "../../client/client-program.ts";
import { findProgram } from "../../client/find-program.ts";
import type { HostVariables } from "../../variables/select-variables.ts";

const PROBE_MS = 10_000;
const PROBE = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-pid", "--unshare-net"] as const;

/** A missing prerequisite of sandboxes. */
export interface MissingPart {
  /** Name of the missing prerequisite: `bubblewrap`, `namespaces`, `Linux`. */
  readonly program: string;
  /** Description of the problem, one sentence. */
  readonly problem: string;
  /** Commands that install the prerequisite, by operating system. Empty if none exists. */
  readonly install: readonly { readonly system: string; readonly command: string }[];
}

/** Result of `sandboxReadiness`. */
export interface SandboxReadiness {
  /** True if a sandbox can be opened. */
  readonly ok: boolean;
  /** Prerequisites to fix first. */
  readonly missing: readonly MissingPart[];
}

const BUBBLEWRAP: MissingPart = {
  program: "bubblewrap",
  problem: "The program `bwrap` is not on the PATH",
  install: [
    { system: "Debian and Ubuntu", command: "sudo apt-get install bubblewrap" },
    { system: "Fedora", command: "sudo dnf install bubblewrap" },
    { system: "Arch", command: "sudo pacman -S bubblewrap" },
    { system: "Alpine", command: "sudo apk add bubblewrap" },
  ],
};

const LINUX: MissingPart = {
  program: "Linux",
  problem: "Sandboxes are supported only on Linux; use a container instead (`docker:IMAGE`)",
  install: [],
};

/**
 * Returns why bubblewrap failed to create a sandbox, based on its error output and the kernel settings for namespaces.
 */
export function diagnoseFailure(stderr: string): MissingPart {
  const message = clientErrorLine(stderr);
  if (!/namespace|uid map|gid map|not permitted|permission denied/i.test(message))
    return { program: "bubblewrap", problem: `\`bwrap\` could not create the sandbox (${message})`, install: [] };
  return {
    program: "namespaces",
    problem: `This machine does not allow \`bwrap\` to create namespaces (${message})`,
    install: [
      { system: "Ubuntu 24 and later", command: "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0" },
      { system: "Debian", command: "sudo sysctl kernel.unprivileged_userns_clone=1" },
      { system: "Fedora", command: "sudo sysctl user.max_user_namespaces=15000" },
      {
        system: "in a container",
        command: "docker run --security-opt seccomp=unconfined --security-opt systempaths=unconfined …",
      },
    ],
  };
}

/** Resolves with the path of bubblewrap, or with the missing prerequisite if bubblewrap is not available. */
export async function findBubblewrap(host: HostVariables): Promise<string | MissingPart> {
  if (process.platform !== "linux") return LINUX;
  return (await findProgram("bwrap", host)) ?? BUBBLEWRAP;
}

/** Returns the problem and its remedy as one sentence. */
export function describeMissing({ problem, install }: MissingPart): string {
  const ways = install.map(({ system, command }) => `${system}: \`${command}\``);
  return ways.length === 0 ? `${problem}.` : `${problem}; ${ways.join(", ")}.`;
}

/**
 * Checks whether `openSandboxedEnvironment` works on this machine, and reports how to install missing prerequisites.
 * PATH is read from `host`, the host's environment variables.
 */
export async function sandboxReadiness(host: HostVariables = {}): Promise<SandboxReadiness> {
  const found = await findBubblewrap(host);
  if (typeof found !== "string") return { ok: false, missing: [found] };
  const args = [...PROBE, "/bin/sh", "-c", ":"];
  const { exitCode, stderr } = await createClientProgram(found, host).run(args, { timeoutMs: PROBE_MS });
  return exitCode === 0 ? { ok: true, missing: [] } : { ok: false, missing: [diagnoseFailure(stderr)] };
}
