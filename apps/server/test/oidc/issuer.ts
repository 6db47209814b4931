import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { onTestFinished } from "vitest";

/** Path of the discovery document. */
const DISCOVERY = "/.well-known/openid-configuration";

/** A key of an issuer. */
export interface IssuerKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

/** Claims and header fields of a token that differ from a valid token. */
export interface TokenOptions {
  readonly claims?: Record<string, unknown>;
  readonly header?: Record<string, unknown>;
  readonly key: IssuerKey;
}

/** OpenID Connect provider on loopback. */
export interface Issuer {
  readonly url: string;
  /** Keys that the provider publishes. */
  keys: JWK[];
  /** Paths of all requests so far. */
  readonly requests: string[];
  /** Replaces the responses, by path. */
  readonly overrides: Map<string, (response: ServerResponse) => void>;
  /** Creates a token that is valid at the time `nowMs`, apart from the options. */
  sign(options: TokenOptions, nowMs?: number): Promise<string>;
}

export async function createKey(kid: string, alg = "ES256"): Promise<IssuerKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } };
}

/** Starts a provider that publishes the given keys. */
export async function openIssuer(...keys: IssuerKey[]): Promise<Issuer> {
  const requests: string[] = [];
  const overrides: Issuer["overrides"] = new Map();
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    requests.push(path);
    const override = overrides.get(path);
    if (override !== undefined) return override(response);
    response.setHeader("content-type", "application/json");
    response.setHeader("connection", "close");
    if (path === DISCOVERY) response.end(JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}/keys` }));
    else if (path === "/keys") response.end(JSON.stringify({ keys: issuer.keys }));
    else response.writeHead(404).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const issuer: Issuer = {
    url: `http://127.0.0.1:${port}`,
    keys: keys.map(({ publicJwk }) => publicJwk),
    ...{ requests, overrides },
    sign: ({ claims = {}, header = {}, key }, nowMs = Date.now()) => {
      const seconds = Math.floor(nowMs / 1000);
      const standard = { iss: issuer.url, aud: "switchyard", sub: "ada", iat: seconds, exp: seconds + 300 };
      return new SignJWT({ ...standard, groups: ["developers"], ...claims })
        .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header })
        .sign(key.privateKey);
    },
  };
  return issuer;
}
