import { findCredentials, isSecretName, REDACTED } from "@switchyard/secrets";

const ADDRESS = /\b(?!file:)[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'<>`\\]+/gi;
/** Of these schemes a user alone may be a token. */
const USER = /^([a-z0-9+.-]*(?:https?|wss?):\/\/)[^/?#@]*@/i;
const PARAMETER = /([?&;#])([^=&;#?]{1,128})=([^&;#]+)/g;
/** The same in an address that is a parameter of another one. */
const NESTED_PARAMETER = /(%(?:25)*(?:3f|26|3b|23)([^=&;#?%]{1,128})%(?:25)*3d)(?:(?!%(?:25)*(?:26|3b|23))[^&;#])+/gi;
/** Names of signed addresses' parameters that are no secret by their words alone. */
const SIGNATURE = /^(?:sig|sign|signature|code|x-(?:amz|goog)-(?:signature|credential|security-token))$/i;

function isSecretParameter(name: string): boolean {
  return isSecretName(name) || SIGNATURE.test(name);
}

function scrubAddress(address: string): string {
  return address
    .replace(USER, `$1${REDACTED}@`)
    .replace(PARAMETER, (whole: string, mark: string, name: string) =>
      isSecretParameter(name) ? `${mark}${name}=${REDACTED}` : whole,
    )
    .replace(NESTED_PARAMETER, (whole: string, start: string, name: string) =>
      isSecretParameter(name) ? `${start}${REDACTED}` : whole,
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
