/** Codes of certificates that no known authority has signed. */
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
 * Describes a failed connection whose server has a certificate that is not trusted, with what to do; `undefined` for other
 * failures. Looks at the causes of an error too.
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
