/** Format of a kind of credential, for example the tokens of one vendor. */
export interface CredentialShape {
  /** Name of the kind. */
  readonly kind: string;
  /** The pattern is tried only on text that contains at least one of these strings. */
  readonly keywords: readonly string[];
  /** Regular expression with the flag `g`. Its group `value`, if present, matches the credential itself. */
  readonly pattern: RegExp;
}

// A credential starts at a word boundary or after an escape: \n and \u001b in JSON, %3D in a URL.
const START = "(?:(?<![A-Za-z0-9])|(?<=\\\\[bfnrt]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2}))";

function shape(kind: string, keywords: readonly string[], source: string): CredentialShape {
  return { kind, keywords, pattern: new RegExp(START + source, "dg") };
}

/**
 * Known credential formats; most have a fixed prefix and a long random rest. All patterns are linear: no nested
 * repetition.
 */
export const CREDENTIAL_SHAPES: readonly CredentialShape[] = [
  shape("api_key", ["sk-"], "sk-[A-Za-z0-9_-]{16,}"),
  shape("stripe", ["sk_", "rk_", "whsec_"], "(?:(?:sk|rk)_(?:live|test)_|whsec_)[A-Za-z0-9]{16,}"),
  shape("github", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], "gh[pousr]_[A-Za-z0-9]{20,}"),
  shape("github", ["github_pat_"], "github_pat_[A-Za-z0-9_]{22,}"),
  shape("gitlab", ["glpat-", "gldt-", "glrt-", "glcbt-", "glptt-"], "gl(?:pat|dt|rt|cbt|ptt)-[A-Za-z0-9_-]{20,}"),
  shape("google", ["AIza"], "AIza[A-Za-z0-9_-]{20,}"),
  shape("google_oauth", ["GOCSPX-", "ya29."], "(?:GOCSPX-[A-Za-z0-9_-]{20,}|ya29\\.[A-Za-z0-9_-]{20,})"),
  shape("aws", ["AKIA", "ASIA"], "A[KS]IA[A-Z2-7]{16}(?![A-Za-z0-9])"),
  shape(
    "slack",
    ["xoxa-", "xoxb-", "xoxo-", "xoxp-", "xoxs-", "xoxr-", "xoxe", "xapp-"],
    "(?:xox[abeoprs]|xapp)[-.][A-Za-z0-9.-]{10,}",
  ),
  shape("slack_webhook", ["hooks.slack.com"], "hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9/+]{20,}"),
  shape("discord_webhook", ["/api/webhooks/"], "discord(?:app)?\\.com/api/webhooks/[0-9]{15,}/[A-Za-z0-9_-]{40,}"),
  shape("jwt", ["eyJ"], "eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}"),
  shape("npm", ["npm_"], "npm_[A-Za-z0-9]{36}"),
  shape("pypi", ["pypi-"], "pypi-[A-Za-z0-9_-]{50,}"),
  shape("hugging_face", ["hf_"], "hf_[A-Za-z0-9]{30,}"),
  shape("groq", ["gsk_"], "gsk_[A-Za-z0-9]{32,}"),
  shape("xai", ["xai-"], "xai-[A-Za-z0-9]{40,}"),
  shape("perplexity", ["pplx-"], "pplx-[A-Za-z0-9]{32,}"),
  shape("replicate", ["r8_"], "r8_[A-Za-z0-9]{32,}"),
  shape("sendgrid", ["SG."], "SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}"),
  shape("digitalocean", ["dop_v1_", "doo_v1_", "dor_v1_"], "do[opr]_v1_[a-f0-9]{64}"),
  shape("shopify", ["shpat_", "shpca_", "shppa_", "shpss_"], "shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
  shape("vault", ["hvs.", "hvb."], "hv[bs]\\.[A-Za-z0-9_-]{24,}"),
  shape("databricks", ["dapi"], "dapi[a-f0-9]{32}"),
  shape("linear", ["lin_api_", "lin_oauth_"], "lin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
  shape("notion", ["ntn_", "secret_"], "(?:ntn_|secret_)[A-Za-z0-9]{40,}"),
  shape("postman", ["PMAK-"], "PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
  shape("sentry", ["sntrys_", "sntryu_"], "sntry[su]_[A-Za-z0-9+/=_-]{40,}"),
  shape("telegram", [":AA"], "[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}"),
  shape("age", ["AGE-SECRET-KEY-1"], "AGE-SECRET-KEY-1[A-Z0-9]{50,}"),
  shape("azure", ["AccountKey="], "AccountKey=(?<value>[A-Za-z0-9+/]{40,}={0,2})"),
  shape("connection_string", ["assword=", "wd="], "(?:[Pp]assword|[Pp]wd)=(?<value>(?![/~$.<{*])[^\\s;\"'&]{8,256})"),
  shape(
    "basic_auth_url",
    ["://"],
    "[a-zA-Z][a-zA-Z0-9+.-]{0,30}://[^\\s/?#:@\"'<>]{0,256}:(?<value>[^\\s/?#@\"'<>]{1,512})@[^\\s/?#@\"'<>]",
  ),
  shape("authorization", ["earer ", "asic "], "(?:[Bb]earer|[Bb]asic) (?<value>[A-Za-z0-9+/._~-]{20,}={0,2})"),
  {
    kind: "private_key",
    keywords: ["PRIVATE KEY"],
    // A private key's body contains no two consecutive dashes, so that a match never extends into the next key.
    pattern:
      /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!-)){0,16384}(?:-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----)?/dg,
  },
];
