import { resolve } from "node:path";
import { EngineError } from "@switchyard/contracts";
import type { BrokerCredentials, BrokerOptions, BrokerTls, Revealable } from "./broker-options.ts";

/** Matches the URL of a broker: `nats://HOST:PORT,HOST:PORT/NAME`, or `tls:` instead of `nats:`. */
const ADDRESS = /^(nats|tls):\/\/([^/]+)(?:\/([^/]*))?$/;

/** Environment variables and folder from which a process reads its credentials for a message broker. */
export interface BrokerUser {
  /** Environment variables: `NATS_TOKEN`, `NATS_USER`, `NATS_PASSWORD`, `NATS_CREDS`, `NATS_CA`, `NATS_CERT`, `NATS_KEY`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder against which relative paths in the environment variables are resolved. */
  readonly workingDirectory: string;
}

/** Connection settings of a message broker, with the name of a queue or store on it. */
export interface NamedBroker extends BrokerOptions {
  /** Name of the queue or store. Processes that use the same name share one queue or store. */
  readonly name?: string;
}

function invalid(field: string, problem: string): EngineError {
  return new EngineError("config.invalid", { field, problem });
}

function hidden(value: string): Revealable {
  return { reveal: () => value };
}

/**
 * Reads the broker's credentials from environment variables. They are not command-line options, because other users of
 * the machine can see the command line.
 */
function credentialsOf({ env, workingDirectory }: BrokerUser): BrokerCredentials | undefined {
  const { NATS_TOKEN: token, NATS_USER: user, NATS_PASSWORD: password, NATS_CREDS: creds } = env;
  if (creds !== undefined && creds !== "") return { credsFile: resolve(workingDirectory, creds) };
  if (token !== undefined && token !== "") return { token: hidden(token) };
  if (user === undefined || user === "" || password === undefined) return undefined;
  return { user, password: hidden(password) };
}

function tlsOf({ env, workingDirectory }: BrokerUser, isTlsRequested: boolean): BrokerTls | undefined {
  const { NATS_CA: ca, NATS_CERT: cert, NATS_KEY: key } = env;
  const isSet = (path: string | undefined): path is string => path !== undefined && path !== "";
  if (!isTlsRequested && ![ca, cert, key].some(isSet)) return undefined;
  return {
    ...(isSet(ca) ? { caFile: resolve(workingDirectory, ca) } : {}),
    ...(isSet(cert) ? { certFile: resolve(workingDirectory, cert) } : {}),
    ...(isSet(key) ? { keyFile: resolve(workingDirectory, key) } : {}),
  };
}

/**
 * Parses the URL of a message broker, `nats://HOST:PORT/NAME`, and reads the broker's credentials from environment
 * variables. Errors name `field` as the source of the URL. Throws `config.invalid`.
 */
export function parseBrokerAddress(address: string, user: BrokerUser, field: string): NamedBroker {
  if (address.includes("@")) {
    throw invalid(field, "other users could see a password in it; set NATS_TOKEN, or NATS_USER and NATS_PASSWORD");
  }
  const [, protocol = "", hosts = "", name = ""] = ADDRESS.exec(address) ?? [];
  const servers = hosts.split(",").map((host) => `${protocol}://${host}`);
  if (hosts === "" || !servers.every((server) => URL.canParse(server))) {
    throw invalid(field, "it must be an address such as nats://127.0.0.1:4222/nightly");
  }
  const [credentials, tls] = [credentialsOf(user), tlsOf(user, protocol === "tls")];
  return { servers, credentials, tls, ...(name === "" ? {} : { name: decodeURIComponent(name) }) };
}
