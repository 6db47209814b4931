import type { SshTarget } from "./ssh-target.ts";

/**
 * Options of ssh that override the user's configuration: no prompts, and no forwarding of this machine's agent, display
 * or ports.
 */
const ALWAYS = [
  "-T",
  "-a",
  "-x",
  "-oBatchMode=yes",
  "-oClearAllForwardings=yes",
  "-oPermitLocalCommand=no",
  "-oRemoteCommand=none",
  "-oForkAfterAuthentication=no",
  "-oLogLevel=ERROR",
] as const;

/** Settings of a connection. */
export interface ConnectionSettings {
  /** Path of the control socket (OpenSSH connection sharing), through which sessions use the connection. */
  readonly socket: string;
  /** Time limit for the connection, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** Remote command that runs as long as the connection is open. Contract: the command exits when its input ends. */
  readonly command: string;
}

/** Returns the arguments of the ssh client that opens the connection and keeps it open. */
export function renderConnection(
  target: SshTarget,
  { socket, connectTimeoutMs, command }: ConnectionSettings,
): string[] {
  const { host, user, port, identityFile, configFile, hostKeys } = target;
  return [
    ...(configFile === undefined ? [] : ["-F", configFile]),
    ...ALWAYS,
    // With either value, ssh rejects a changed host key, regardless of the user's configuration.
    `-oStrictHostKeyChecking=${hostKeys === "accept-new" ? "accept-new" : "yes"}`,
    "-oControlMaster=yes",
    "-oControlPersist=no",
    `-oControlPath=${withoutTokens(socket)}`,
    `-oConnectTimeout=${Math.max(1, Math.ceil(connectTimeoutMs / 1000))}`,
    // The connection ends within a minute if the remote machine stops responding.
    "-oServerAliveInterval=15",
    "-oServerAliveCountMax=3",
    ...(port === undefined ? [] : ["-p", String(port)]),
    ...(user === undefined ? [] : ["-l", user]),
    ...(identityFile === undefined ? [] : ["-i", withoutTokens(identityFile), "-oIdentitiesOnly=yes"]),
    "--",
    host,
    command,
  ];
}

/**
 * Returns the arguments of the ssh client that runs one session. The session either uses the existing connection or
 * fails: `ProxyCommand=false` prevents a new connection. No configuration file is read.
 */
export function renderSession({ host }: SshTarget, socket: string, command: string): string[] {
  const options = [
    "-oStrictHostKeyChecking=yes",
    "-oControlMaster=no",
    `-oControlPath=${withoutTokens(socket)}`,
    "-oProxyCommand=false",
  ];
  return ["-F", "none", ...ALWAYS, ...options, "--", host, command];
}

/**
 * Returns the arguments of the ssh client that starts or ends the forwarding of a loopback port of the other machine to a
 * Unix socket of this machine, over an existing connection. The client prints the number of the port.
 */
export function renderForward(
  { host }: SshTarget,
  {
    socket,
    command,
    target,
  }: { readonly socket: string; readonly command: "forward" | "cancel"; readonly target: string },
): string[] {
  const options = ["-oBatchMode=yes", "-oLogLevel=ERROR", `-oControlPath=${withoutTokens(socket)}`];
  return ["-F", "none", ...options, "-O", command, "-R", `127.0.0.1:0:${target}`, "--", host];
}

function withoutTokens(path: string): string {
  return path.replaceAll("%", "%%");
}

/**
 * Returns a command line that runs a script in `sh` from any login shell. In the command line, line ends, quotes,
 * backslashes and exclamation marks of the script are escaped, so that bash, fish and csh parse it alike. Aliases do
 * not apply to a path, and shell options exported by start files (`SHELLOPTS`) are disabled.
 */
export function renderLoginCommand(script: string): string {
  return `exec /bin/sh -c 'set +aefnuvxC; eval "$(printf %b "$1")"' sh '${toOctal(script)}'`;
}

function toOctal(script: string): string {
  const bytes = Buffer.from(script);
  let text = "";
  for (const byte of bytes) {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x5c && byte !== 0x27 && byte !== 0x21;
    text += isPlain ? String.fromCharCode(byte) : `\\0${byte.toString(8).padStart(3, "0")}`;
  }
  return text;
}
