/** Matches characters that need no escaping in a NATS subject. */
const PLAIN = /^[A-Za-z0-9_-]$/;

/** Encodes a word for a subject; different words have different encodings. */
export function encodeSubjectWord(word: string): string {
  let encoded = "";
  for (const byte of Buffer.from(word)) {
    const character = String.fromCharCode(byte);
    encoded += PLAIN.test(character) ? character : `=${byte.toString(16).padStart(2, "0")}`;
  }
  return encoded;
}

/** Encodes the subject of an envelope for the broker; different subjects have different encodings. */
export function toBrokerSubject(subject: string): string {
  return subject.split(".").map(encodeSubjectWord).join(".");
}

/** Encodes a subject pattern for the broker. */
export function toBrokerPattern(pattern: string): string {
  const words = pattern.split(".").map((word) => (word === "*" || word === ">" ? word : encodeSubjectWord(word)));
  return words.join(".");
}
