import type { SshTarget } from "./ssh-target.ts";

/**
 * What holds whatever the configuration says: nothing is asked, and nothing of this machine (its agent, its display,
 * its ports) is handed to the other.
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

/** How the connection is kept. */
export interface ConnectionSettings {
  /** Path of the socket that sessions go through. */
  readonly socket: string;
  /** Time for the connection to come about. */
  readonly connectTimeoutMs: number;
  /** Runs there as long as the connection lasts. Contract: it ends with its input. */
  readonly command: string;
}

/** Arguments of the client that holds the connection. */
export function renderConnection(
  target: SshTarget,
  { socket, connectTimeoutMs, command }: ConnectionSettings,
): string[] {
  const { host, user, port, identityFile, configFile, hostKeys } = target;
  return [
    ...(configFile === undefined ? [] : ["-F", configFile]),
    ...ALWAYS,
    // A changed key is refused either way, whatever the configuration says.
    `-oStrictHostKeyChecking=${hostKeys === "accept-new" ? "accept-new" : "yes"}`,
    "-oControlMaster=yes",
    "-oControlPersist=no",
    `-oControlPath=${withoutTokens(socket)}`,
    `-oConnectTimeout=${Math.max(1, Math.ceil(connectTimeoutMs / 1000))}`,
    // A machine that has gone without a word is noticed within a minute.
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
 * Arguments of the client of one session. It goes through the connection or not at all: a program that does nothing
 * stands in for a connection of its own, and no configuration is read.
 */
export function renderSession({ host }: SshTarget, socket: string, command: string): string[] {
  const own = [
    "-oStrictHostKeyChecking=yes",
    "-oControlMaster=no",
    `-oControlPath=${withoutTokens(socket)}`,
    "-oProxyCommand=false",
  ];
  return ["-F", "none", ...ALWAYS, ...own, "--", host, command];
}

function withoutTokens(path: string): string {
  return path.replaceAll("%", "%%");
}

/**
 * A command line that runs a script in `sh`, whatever the login shell is: bash, fish and csh read it alike, as it holds
 * no line end, quote, backslash or exclamation mark of the script. Aliases do not apply to a path, and options that start
 * files export (`SHELLOPTS`) are switched off.
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
