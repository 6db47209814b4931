const PLAIN: Readonly<Record<string, string>> = {
  "\u2018": "'",
  "\u2019": "'",
  "\u201a": "'",
  "\u201b": "'",
  "\u201c": '"',
  "\u201d": '"',
  "\u201e": '"',
  "\u201f": '"',
  "\u2010": "-",
  "\u2011": "-",
  "\u2012": "-",
  "\u2013": "-",
  "\u2014": "-",
  "\u2015": "-",
  "\u2212": "-",
  "\u00a0": " ",
  "\u2002": " ",
  "\u2003": " ",
  "\u2004": " ",
  "\u2005": " ",
  "\u2006": " ",
  "\u2007": " ",
  "\u2008": " ",
  "\u2009": " ",
  "\u200a": " ",
  "\u202f": " ",
  "\u205f": " ",
  "\u3000": " ",
};

const TYPOGRAPHIC = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "g");

/**
 * Replaces typographic quotes, dashes and spaces by their ASCII forms. Contract: every character is replaced by exactly
 * one, so offsets stay valid.
 */
export function toPlainPunctuation(text: string): string {
  return text.replace(TYPOGRAPHIC, (character) => PLAIN[character] ?? character);
}
