import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import { EngineError } from "@switchyard/contracts";
import { guardedLookup, isPublicAddress } from "@switchyard/web";

const TIMEOUT_MS = 10_000;

/** One webhook call. */
export interface Posting {
  /** URL to call. */
  readonly url: URL;
  /** Its headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** Its body. */
  readonly body: string;
  /** True to allow calls to private and local addresses. */
  readonly allowPrivate: boolean;
  /** Signal that aborts the call. */
  readonly signal: AbortSignal;
}

/**
 * Sends a webhook message. Redirects are not followed, and the response body is not read. Resolves with the HTTP
 * status. Rejects with `web.address_refused` if the host's address is not public. The connection uses the address that
 * was checked, so DNS rebinding cannot bypass the check.
 */
export async function postMessage({ url, headers, body, allowPrivate, signal }: Posting): Promise<number> {
  const host = url.hostname.replace(/^\[|\]$/gu, "");
  if (!allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) {
    throw new EngineError("web.address_refused", { host, address: host });
  }
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise<number>((resolve, reject) => {
    const request = send(
      url,
      {
        ...{
          method: "POST",
          headers,
          agent: false,
          signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
        },
        ...(allowPrivate ? {} : { lookup: guardedLookup() }),
      },
      (response) => {
        resolve(response.statusCode ?? 0);
        response.destroy();
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}
