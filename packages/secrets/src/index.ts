// Public API for users: wrap, mask and recognise secrets.

export type { FoundCredential } from "./detection/find-credentials.ts";
export { findCredentials, looksLikeCredential } from "./detection/find-credentials.ts";
export { isSecretName } from "./detection/is-secret-name.ts";
export type { MaskStream } from "./masker/create-mask-stream.ts";
export type { Masker, MaskerOptions } from "./masker/create-masker.ts";
export { createMasker } from "./masker/create-masker.ts";
export type { Redactor } from "./redaction/create-redactor.ts";
export { createRedactor } from "./redaction/create-redactor.ts";
export { maskForLog } from "./redaction/mask-for-log.ts";
export type { RedactionRules } from "./redaction/redaction-rules.ts";
export { isSecret, REDACTED, Secret, secret } from "./secret/secret.ts";
