import { EngineError } from "@switchyard/contracts";
import { checkSetting } from "../client/check-setting.ts";

/** Target of a connection. */
export interface SshTarget {
  /** Name or address of the machine, or a host alias of the user's ssh configuration. */
  readonly host: string;
  /** Name of the remote user. Default: taken from the configuration. */
  readonly user?: string | undefined;
  /** Port. Default: taken from the configuration. */
  readonly port?: number | undefined;
  /** Path of the private key. Default: the keys of the ssh configuration and of ssh-agent. */
  readonly identityFile?: string | undefined;
  /**
   * Accepted host keys. `known`: keys the user has accepted before. `accept-new`: also keys of new machines, which are
   * then stored. A changed key is never accepted. Default: `known`.
   */
  readonly hostKeys?: "known" | "accept-new" | undefined;
  /** Path of the ssh configuration. Default: the user's configuration. */
  readonly configFile?: string | undefined;
}

const MAX_PORT = 65_535;
// Special characters are rejected, because ssh inserts host and user into configured commands (`ProxyCommand`).
const HOST = /^[A-Za-z0-9_:][A-Za-z0-9._:%-]{0,254}$/;
const USER = /^[A-Za-z0-9_][A-Za-z0-9._@+-]{0,254}$/;

/** Validates settings that become arguments of the ssh client. Throws `config.invalid`. */
export function checkTarget(target: SshTarget): SshTarget {
  checkSetting(target.host, { field: "host", pattern: HOST, expected: "the name or the address of a machine" });
  if (target.user !== undefined)
    checkSetting(target.user, { field: "user", pattern: USER, expected: "the name of a user" });
  for (const field of ["identityFile", "configFile"] as const) {
    const path = target[field];
    if (path !== undefined) checkSetting(path, { field, pattern: /./, expected: "a path" });
  }
  const policy: string = target.hostKeys ?? "known";
  checkSetting(policy, { field: "hostKeys", pattern: /^(?:known|accept-new)$/, expected: "known or accept-new" });
  const { port } = target;
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port <= MAX_PORT))
    throw new EngineError("config.invalid", { field: "port", problem: `it is not a number from 1 to ${MAX_PORT}` });
  return target;
}

/** Returns the short name of the environment, for reports. */
export function nameOf({ host, user, port }: SshTarget): string {
  return `ssh:${user === undefined ? "" : `${user}@`}${host}${port === undefined ? "" : `:${port}`}`;
}
