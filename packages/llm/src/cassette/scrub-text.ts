import { findCredentials, isSecretName, REDACTED } from "@switchyard/secrets";

const ADDRESS = /\bhttps?:\/\/[^\s"'<>`\\]+/g;
const PARAMETER = /([?&;#])([^=&;#?]{1,128})=([^&;#]+)/g;
/** Names of signed addresses' parameters that are no secret by their words alone. */
const SIGNATURE = /^(?:sig|sign|signature|code|x-(?:amz|goog)-(?:signature|credential|security-token))$/i;

function scrubAddress(address: string): string {
  return address
    .replace(/^(https?:\/\/)[^/?#@]*@/, `$1${REDACTED}@`)
    .replace(PARAMETER, (whole: string, mark: string, name: string) =>
      isSecretName(name) || SIGNATURE.test(name) ? `${mark}${name}=${REDACTED}` : whole,
    );
}

/** No credential is shorter, its name included. */
const SHORTEST = 12;

/** A text without what has the form of a credential, and with addresses without passwords, keys and signatures. */
export function scrubText(text: string): string {
  if (text.length < SHORTEST) return text;
  const addressed = text.includes("://") ? text.replace(ADDRESS, scrubAddress) : text;
  const found = findCredentials(addressed);
  if (found.length === 0) return addressed;
  let scrubbed = "";
  let from = 0;
  for (const { start, end } of found) {
    scrubbed += addressed.slice(from, start) + REDACTED;
    from = end;
  }
  return scrubbed + addressed.slice(from);
}
