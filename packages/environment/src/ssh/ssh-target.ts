import { EngineError } from "@switchyard/contracts";
import { checkSetting } from "../client/check-setting.ts";

/** Where a connection goes, and with what. */
export interface SshTarget {
  /** Name or address of the machine, or a name of the user's ssh configuration. */
  readonly host: string;
  /** Name of the user there; by the configuration by default. */
  readonly user?: string | undefined;
  /** Port; by the configuration by default. */
  readonly port?: number | undefined;
  /** Path of the private key; those of the configuration and the agent by default. */
  readonly identityFile?: string | undefined;
  /**
   * Which keys of the machine count: `known` (default), those that the user has met before; or `accept-new`, the key of
   * a machine nobody has met as well, which is remembered then. A key that has changed never counts.
   */
  readonly hostKeys?: "known" | "accept-new" | undefined;
  /** Path of the configuration; the user's own by default. */
  readonly configFile?: string | undefined;
}

const MAX_PORT = 65_535;
// Names of hosts and users end up in commands of the user's configuration, `ProxyCommand` for instance.
const HOST = /^[A-Za-z0-9_:][A-Za-z0-9._:%-]{0,254}$/;
const USER = /^[A-Za-z0-9_][A-Za-z0-9._@+-]{0,254}$/;

/** Checks what becomes an argument of the client. Throws `config.invalid`. */
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

/** Short name of the place, for reports. */
export function nameOf({ host, user, port }: SshTarget): string {
  return `ssh:${user === undefined ? "" : `${user}@`}${host}${port === undefined ? "" : `:${port}`}`;
}
