import { clientErrorLine } from "../../client/client-error-line.ts";
import { createClientProgram } from "../../client/client-program.ts";
import { findProgram } from "../../client/find-program.ts";
import type { HostVariables } from "../../variables/select-variables.ts";

const PROBE_MS = 10_000;
const PROBE = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-pid", "--unshare-net"] as const;

/** Something that sandboxes need and that is not there. */
export interface MissingPart {
  /** What: `bubblewrap`, `namespaces`, `Linux`. */
  readonly program: string;
  /** One sentence on what is wrong. */
  readonly problem: string;
  /** Commands that bring it, by system; empty where nothing does. */
  readonly install: readonly { readonly system: string; readonly command: string }[];
}

/** Whether commands can be sandboxed on this machine. */
export interface SandboxReadiness {
  /** Whether a sandbox can be opened. */
  readonly ok: boolean;
  /** What has to be put right first. */
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
  problem: "Commands are sandboxed on Linux alone so far; use a container instead (`docker:IMAGE`)",
  install: [],
};

/** What keeps bubblewrap from making a sandbox, by what it said, and the settings that allow namespaces. */
export function diagnoseFailure(stderr: string): MissingPart {
  const words = clientErrorLine(stderr);
  if (!/namespace|uid map|gid map|not permitted|permission denied/i.test(words))
    return { program: "bubblewrap", problem: `\`bwrap\` could not make the sandbox (${words})`, install: [] };
  return {
    program: "namespaces",
    problem: `This machine lets \`bwrap\` make no namespaces (${words})`,
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

/** Path of bubblewrap, or what is missing instead. */
export async function findBubblewrap(host: HostVariables): Promise<string | MissingPart> {
  if (process.platform !== "linux") return LINUX;
  return (await findProgram("bwrap", host)) ?? BUBBLEWRAP;
}

/** What is missing as one sentence with what to do. */
export function describeMissing({ problem, install }: MissingPart): string {
  const ways = install.map(({ system, command }) => `${system}: \`${command}\``);
  return ways.length === 0 ? `${problem}.` : `${problem}; ${ways.join(", ")}.`;
}

/**
 * Says what is missing for `openSandboxedEnvironment`, and what brings it. `host` are the host's variables, of which
 * PATH is read.
 */
export async function sandboxReadiness(host: HostVariables = {}): Promise<SandboxReadiness> {
  const found = await findBubblewrap(host);
  if (typeof found !== "string") return { ok: false, missing: [found] };
  const args = [...PROBE, "/bin/sh", "-c", ":"];
  const { exitCode, stderr } = await createClientProgram(found, host).run(args, { timeoutMs: PROBE_MS });
  return exitCode === 0 ? { ok: true, missing: [] } : { ok: false, missing: [diagnoseFailure(stderr)] };
}
