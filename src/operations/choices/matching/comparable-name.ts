/** Maps lowercase Cyrillic and Greek letters to the Latin letters that they look like. */
const lookAlikes = new Map(
  Object.entries({
    a: 'аα',
    b: 'вь',
    c: 'сϲ',
    d: 'ԁ',
    e: 'еєε',
    g: 'ԍ',
    h: 'нһη',
    i: 'іıι',
    j: 'јϳ',
    k: 'кκ',
    l: 'ӏ',
    m: 'мμ',
    n: 'пν',
    o: 'оοσ',
    p: 'рρ',
    q: 'ԛ',
    r: 'гя',
    s: 'ѕ',
    t: 'тτ',
    u: 'υ',
    v: 'ѵ',
    w: 'ԝшω',
    x: 'хχ',
    y: 'уүγ',
    z: 'ζ',
  }).flatMap(([latin, others]) => [...others].map((other) => [other, latin] as const)),
);

const printableAscii = /^[ -~]*$/;

/** Matches invisible format characters, such as zero-width spaces. */
const invisible = /\p{Cf}/gu;

/** Normalizes a name for comparison: trimmed, in lower case and NFKC, without invisible characters. */
export function toComparableName(name: string): string {
  // Nearly all names are plain ASCII, and this check is much faster than normalizing.
  if (printableAscii.test(name)) return name.trim().toLowerCase();
  return name.normalize('NFKC').replace(invisible, '').trim().toLowerCase();
}

/**
 * Returns the same key for names that look alike, by replacing Cyrillic and Greek letters with the Latin
 * letters they resemble.
 */
export function toLookAlikeKey(name: string): string {
  const comparable = toComparableName(name);
  if (printableAscii.test(comparable)) return comparable;
  return [...comparable].map((letter) => lookAlikes.get(letter) ?? letter).join('');
}
