/** Encodings that can be read, edited and written back. */
export type TextEncoding = "UTF-8" | "UTF-16LE" | "UTF-16BE" | "Latin-1" | "Windows-1252";

/** Encoding of a text file. */
export interface TextFormat {
  readonly encoding: TextEncoding;
  /** Whether the file begins with a byte order mark. */
  readonly hasMark: boolean;
}

/** Result of detecting a file's format. */
export type DetectedFormat =
  | { readonly kind: "text"; readonly format: TextFormat }
  /** Text in an encoding that cannot be edited. `encoding` describes the encoding in error messages. */
  | { readonly kind: "unsupported"; readonly encoding: string }
  | { readonly kind: "binary" };
