import { readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";

const CERTIFICATE = /-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----[\s\S]+?-----END \1CERTIFICATE-----/g;
/** Files of one folder that are read. */
const MAX_FILES = 2_000;

/**
 * Trusts the certificates that `SSL_CERT_FILE` and `SSL_CERT_DIR` name, beside those of Node and `NODE_EXTRA_CA_CERTS`, for all
 * connections of this process. Node itself ignores these variables, which other programs of a machine honour. What cannot be
 * read is left out.
 */
export function trustCertificates(env: NodeJS.ProcessEnv): void {
  const { SSL_CERT_FILE: file = "", SSL_CERT_DIR: folders = "" } = env;
  if (file === "" && folders === "") return;
  const found = [file, ...folders.split(delimiter).flatMap(filesIn)].flatMap(certificatesIn);
  // The module itself and not a copy of its exports, and only where it is needed: it costs time at every start.
  const tls = process.getBuiltinModule("node:tls");
  const known = new Set(tls.rootCertificates.map(bodyOf));
  const added = [...new Map(found.map((pem) => [bodyOf(pem), pem]))].filter(([body]) => !known.has(body));
  if (added.length === 0) return;
  const create = tls.createSecureContext;
  // Node 20 has no setting for this. Connections that name authorities of their own keep them.
  Reflect.set(tls, "createSecureContext", (options?: Parameters<typeof create>[0]) => {
    const context = create(options);
    if (options?.ca === undefined) for (const [, pem] of added) addAuthority(context, pem);
    return context;
  });
  process.getBuiltinModule("node:module").syncBuiltinESMExports();
}

function filesIn(folder: string): string[] {
  if (folder === "") return [];
  try {
    return readdirSync(folder)
      .slice(0, MAX_FILES)
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function certificatesIn(path: string): string[] {
  if (path === "") return [];
  try {
    return readFileSync(path, "latin1").match(CERTIFICATE) ?? [];
  } catch {
    return [];
  }
}

function bodyOf(pem: string): string {
  return pem.replace(/-----[^-]+-----|\s/g, "");
}

function addAuthority(context: { readonly context: unknown }, pem: string): void {
  const native: unknown = context.context;
  if (typeof native !== "object" || native === null || !("addCACert" in native)) return;
  const { addCACert } = native;
  if (typeof addCACert !== "function") return;
  try {
    Reflect.apply(addCACert, native, [pem]);
  } catch {
    // It is no certificate.
  }
}
