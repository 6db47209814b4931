/** What stands for itself in the subject of a broker. */
const PLAIN = /^[A-Za-z0-9_-]$/;

/** A word as a broker takes it, different from any other word's. */
export function encodeWord(word: string): string {
  let encoded = "";
  for (const byte of Buffer.from(word)) {
    const character = String.fromCharCode(byte);
    encoded += PLAIN.test(character) ? character : `=${byte.toString(16).padStart(2, "0")}`;
  }
  return encoded;
}

/** A subject of envelopes as words that a broker takes, each of them different from any other word's. */
export function toBrokerSubject(subject: string): string {
  return subject.split(".").map(encodeWord).join(".");
}

/** A pattern of subjects as a broker takes it. */
export function toBrokerPattern(pattern: string): string {
  const words = pattern.split(".").map((word) => (word === "*" || word === ">" ? word : encodeWord(word)));
  return words.join(".");
}
