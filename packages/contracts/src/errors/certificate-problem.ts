/** Error codes for certificates without a trusted issuer. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "CERT_UNTRUSTED",
]);

const HINT =
  "set NODE_EXTRA_CA_CERTS (or SSL_CERT_FILE) to a PEM file with the certificate of the authority that signed it, for example that of a company proxy";

/**
 * Returns what failed and what to do if a connection failed because of an untrusted certificate. Returns `undefined`
 * for other failures. Also checks the error's chain of causes (`cause`).
 */
export function certificateProblem(error: unknown): string | undefined {
  const seen = new Set<unknown>();
  for (let value = error; value instanceof Error && !seen.has(value); value = value.cause) {
    seen.add(value);
    if ("code" in value && typeof value.code === "string" && UNTRUSTED.has(value.code)) {
      return `the server's certificate is not trusted (${value.code}); ${HINT}`;
    }
  }
  return undefined;
}
