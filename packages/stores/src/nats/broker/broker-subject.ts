/** Matches characters that need no escaping in a NATS subject. */
const PLAIN = /^[A-Za-z0-9_-]$/;

/** Encodes a text as one word of a NATS subject. Different texts have different encodings. */
export function encodeSubjectWord(word: string): string {
  let encoded = "";
  for (const byte of Buffer.from(word)) {
    const character = String.fromCharCode(byte);
    encoded += PLAIN.test(character) ? character : `=${byte.toString(16).padStart(2, "0")}`;
  }
  return encoded;
}

/** Encodes the subject of an event bus envelope as a NATS subject. Different subjects have different encodings. */
export function toBrokerSubject(subject: string): string {
  return subject.split(".").map(encodeSubjectWord).join(".");
}

/** Encodes a pattern of event bus subjects as a NATS subject pattern. */
export function toBrokerPattern(pattern: string): string {
  const words = pattern.split(".").map((word) => (word === "*" || word === ">" ? word : encodeSubjectWord(word)));
  return words.join(".");
}
