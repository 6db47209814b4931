import { EngineError } from "@switchyard/contracts";

/** Base URL and headers of a server. */
export interface ServerAddress {
  /** Base URL, without a trailing slash. */
  readonly url: string;
  /** Headers of every request. The token is stored only here. */
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof globalThis.fetch;
}

/** Validates URL and token. Throws `config.invalid`, which never contains the token. */
export function readAddress(url: string, token: string | undefined, fetch: typeof globalThis.fetch): ServerAddress {
  if (!URL.canParse(url)) throw invalid("url", "it is not a valid address");
  const { protocol, username, password, search, hash, origin, pathname } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:") throw invalid("url", "it is neither http nor https");
  if (`${username}${password}${search}${hash}` !== "") {
    throw invalid("url", "it has a user, a query or a fragment; a token is given as `token`");
  }
  if (token !== undefined && !/^[\x21-\x7e]+$/u.test(token))
    throw invalid("token", "it is not one line of visible text");
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return { url: `${origin}${pathname.replace(/\/+$/u, "")}`, headers, fetch };
}

function invalid(field: string, problem: string): EngineError {
  return new EngineError("config.invalid", { field, problem });
}
