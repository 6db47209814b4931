import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { mustRun, runProgram } from "@switchyard/container-engines";

/** An OpenSSH server on a loopback port, with its own keys. */
export interface TestSshd {
  readonly folder: string;
  readonly port: number;
  readonly pid: number;
  /** Configuration of a client that knows the server as `testhost`. */
  readonly configFile: string;
  /** Private key that it lets in. */
  readonly identityFile: string;
  /** Ends it, and the connections it has. */
  stop(): Promise<void>;
}

const START_MS = 60_000;

/** Starts a server. Returns the reason if that is not possible. */
export async function startTestSshd(settings: readonly string[] = []): Promise<TestSshd | string> {
  const found = await runProgram([
    "sh",
    "-c",
    "PATH=$PATH:/usr/sbin:/sbin; command -v sshd && command -v ssh-keygen && command -v ssh",
  ]);
  const [program] = found.stdout.split("\n");
  if (found.code !== 0 || program === undefined)
    return "the OpenSSH server is not installed; install the package openssh-server";
  // Folder in which sshd drops its privileges.
  if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true, mode: 0o755 });
  const folder = mkdtempSync(join(tmpdir(), "sy-sshd-"));
  mkdirSync(join(folder, "home"));
  const port = await freePort();
  const path = (name: string): string => join(folder, name);
  for (const key of ["host_key", "id_key"])
    await mustRun(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path(key)]);
  writeFileSync(path("authorized_keys"), readFileSync(path("id_key.pub")), { mode: 0o600 });
  const hostKey = readFileSync(path("host_key.pub"), "utf8").split(" ").slice(0, 2).join(" ");
  writeFileSync(path("known_hosts"), `[127.0.0.1]:${port} ${hostKey}\n`);
  writeFileSync(path("sshd_config"), renderServer({ folder, port, settings }));
  const client = { folder, port, knownHosts: path("known_hosts"), identityFile: path("id_key") };
  writeFileSync(path("ssh_config"), renderClientConfig("testhost", client));
  const server = spawn(program, ["-D", "-e", "-f", path("sshd_config")], { stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  server.stderr.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  const ended = new Promise<void>((resolve) => {
    server.once("exit", () => resolve());
  });
  const deadline = performance.now() + START_MS;
  while (
    !(output.includes("Server listening") && existsSync(path("sshd.pid"))) &&
    server.exitCode === null &&
    performance.now() < deadline
  ) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  if (server.exitCode !== null || server.pid === undefined || !existsSync(path("sshd.pid"))) {
    server.kill();
    return `the OpenSSH server does not start here: ${output.slice(0, 300)}`;
  }
  return {
    folder,
    port,
    pid: server.pid,
    configFile: path("ssh_config"),
    identityFile: path("id_key"),
    async stop() {
      server.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Connection data of a server. */
export interface ClientConfig {
  readonly port: number;
  readonly knownHosts: string;
  readonly identityFile: string;
}

/** A client's configuration for one name of a host. */
export function renderClientConfig(host: string, { port, knownHosts, identityFile }: ClientConfig): string {
  return `Host ${host}
  HostName 127.0.0.1
  Port ${port}
  User ${userInfo().username}
  IdentityFile ${identityFile}
  IdentitiesOnly yes
  UserKnownHostsFile ${knownHosts}
  GlobalKnownHostsFile /dev/null
`;
}

function renderServer({
  folder,
  port,
  settings,
}: {
  folder: string;
  port: number;
  settings: readonly string[];
}): string {
  return `Port ${port}
ListenAddress 127.0.0.1
HostKey ${folder}/host_key
PidFile ${folder}/sshd.pid
AuthorizedKeysFile ${folder}/authorized_keys
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
SetEnv HOME=${folder}/home
StrictModes no
UsePAM no
MaxStartups 64:30:128
${settings.join("\n")}
`;
}

/** Returns an unused port of the loopback interface. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port is free");
  return address.port;
}
