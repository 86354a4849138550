import {
  codeNamePattern,
  harmlessFirstWordPattern,
  harmlessLastWordPattern,
  keyWordPattern,
  plainKeyPattern,
  publicKeyPattern,
  secretNamePattern,
  secretWordPattern,
} from './secret-words.ts';
import { hasTicketLink } from './ticket-links.ts';

/** Splits a field name into words. Handles spellings such as `rootPassword2`, `api_key` and `API-KEY`. */
function splitWords(field: string): string[] {
  return field
    .normalize('NFKC')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{M}]+/u)
    .filter((word) => word !== '');
}

/** Returns whether a field name suggests that the field, or something inside it, is a secret. */
export function isSecretFieldName(field: string): boolean {
  const words = splitWords(field);
  const name = words.join('');
  const isAboutSecret =
    words.some((word) => secretWordPattern.test(word) || (keyWordPattern.test(word) && !isPlainKey(name))) ||
    secretNamePattern.test(name) ||
    codeNamePattern.test(name);
  return isAboutSecret && !isHarmless(words);
}

/** Returns whether a name describes a key that isn't secret, such as a public key. */
function isPlainKey(name: string): boolean {
  return publicKeyPattern.test(name) || plainKeyPattern.test(name);
}

/** Returns whether a name is about a secret but doesn't contain one: `token_expires_at`, `has_password`. */
function isHarmless(words: readonly string[]): boolean {
  const [first = ''] = words;
  const [beforeLast, last = ''] = words.slice(-2);
  if (words.length < 2 || (beforeLast === 'secret' && last === 'id')) return false;
  return harmlessFirstWordPattern.test(first) || harmlessLastWordPattern.test(last);
}

const valueFieldPattern =
  /^(value|values|val|content|text|data|v|wert|valor|valeur|valore|waarde|wartość|wartosc|hodnota|значение|值|値)$/i;

const bareKeyPattern =
  /^(key|schlüssel|schluessel|clave|chave|clé|cle|chiave|sleutel|klucz|klíč|klic|ключ|キー)$/i;

/** Returns whether a field holds the name in a name-value pair, like `key` in `{ key: 'region', value: 'fra' }`. */
export function isNameInPair(field: string, record: object): boolean {
  if (!bareKeyPattern.test(field)) return false;
  const values = new Map<string, unknown>(Object.entries(record));
  return (
    typeof values.get(field) === 'string' && [...values.keys()].some((other) => valueFieldPattern.test(other))
  );
}

/** Maximum number of words in a name. Longer text describes a value. */
const maxNameWords = 4;

/** Returns whether text is only a secret's name. */
function isSecretName(text: string): boolean {
  return splitWords(text).length <= maxNameWords && isSecretFieldName(text) && !containsSecret(text);
}

/** Returns whether a field holds the value in a pair that names a secret: `{ name: 'root_password', value: '…' }`. */
export function isNamedSecretValue(field: string, record: object): boolean {
  return (
    valueFieldPattern.test(field) &&
    Object.entries(record).some(
      ([other, name]) => other !== field && typeof name === 'string' && isSecretName(name),
    )
  );
}

/** Returns whether a list is a secret's name and value: `['root_password', '…']`. */
export function isSecretPair(list: readonly unknown[]): boolean {
  const [name, value] = list;
  if (list.length !== 2 || typeof name !== 'string' || !isSecretName(name)) return false;
  // A table's header also has this form, but contains only names.
  return !(typeof value === 'string' && valueFieldPattern.test(value));
}

/** Removes passwords from a text's URLs, such as `ftp://user:password@host`. */
export function redactUrlPasswords(text: string): string {
  return text.includes('://') ? text.replace(/(:\/\/[^/\s:@]*):[^/\s]*@/g, '$1:…@') : text;
}

/**
 * Returns whether a field is a secret because of the group it's in: `vnc: { ticket: '…' }` is the same as
 * `vnc_ticket`.
 */
export function isSecretInGroup(field: string, group: string | undefined): boolean {
  if (group === undefined) return false;
  const name = splitWords(`${group}_${field}`).join('');
  return secretNamePattern.test(name) || codeNamePattern.test(name);
}

/** Returns whether text is a public SSH key. A public key isn't a secret, whatever the field is called. */
export function isPublicKeyText(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    /^(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp\d+|sk-\S+@openssh\.com) [\w+/=]+(?: [^\r\n]*)?$/.test(
      value.trim(),
    )
  );
}

const privateKeyPattern = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;

/**
 * Matches the word before the second part of a JSON Web Token. Matches only from the start of a word, so long
 * text is scanned once.
 */
const beforeTokenPattern = /(?<![\w-])([\w-]+)(?=\.eyJ[\w-]{8,}\.)/g;

/** Returns whether a text contains a JSON Web Token. */
function containsToken(text: string): boolean {
  return [...text.matchAll(beforeTokenPattern)].some(([word]) => /\beyJ[\w-]{8,}$/.test(word));
}

const sentAway =
  'sent|being|on|not|now|set|reset|changed|delivered|e-?mailed|available|per|gesetzt|geändert|zurückgesetzt|unterwegs|nicht|' +
  'too|invalid|required|missing|wrong|incorrect|weak|expired|empty|disabled|inactive|revoked|rejected|valid|active';

/**
 * Matches a name with its value: `rootPassword: …`, `…?reset_token=…`, "the new password is …".
 * Doesn't match "is sent by e-mail".
 */
const secretAssignmentPattern = new RegExp(
  String.raw`(?<![\p{L}\p{M}\p{N}_.-])([\p{L}\p{M}\p{N}_.-]{1,60})['"]?` +
    String.raw`(?:\s{0,3}(?:\s(?:is|are|ist|lautet|est)\s{0,3})?[:=]\s*|\s(?:is|are|ist|lautet|est)\s(?!(?:${sentAway})(?!\p{L})))\S`,
  'giu',
);

/**
 * Matches commands with a password, such as `curl -u user:password` or `sshpass -p password`, and logins such
 * as `user:password@host`. Two numbers after `-u` are a user ID and a group ID.
 */
const secretCommandPatterns = [
  /(?:^|\s)(?:-u|-U|--user|--login)(?:\s{1,3}|=)["']?(?!\d+:\d+(?:\s|$))[^\s"':,%]{1,100}[:,%][^\s"']/,
  /\bsshpass\s{1,3}-p\s{0,3}\S/,
  /\b(?:ncftp\w{0,10}|plink|pscp|psftp)\s[^\n]{0,200}?-pw?\s{1,3}\S/,
  /\bmysql\w{0,10}\s[^\n]{0,200}?\s-p\S/,
  /^(?!mailto:|sips?:|xmpp:|acct:)[\w.-]{1,100}:[^\s/@:]{1,200}@[\w.-]+(?::\d+)?$/i,
];

/** Matches times and addresses. No word for a secret consists of these letters. */
const timeOrAddressPattern = /^[\da-ftz:.+/ -]*$/i;

/** Matches any text that could contain a secret. Most texts don't match and skip the slower checks. */
const suspiciousPattern = /[:=：＝%@]|\s(?:is|are|ist|lautet|est|-p|-u|-U|--)|^-|[?#;&]|eyJ|-----BEGIN/i;

export function containsSecret(text: string): boolean {
  if (!suspiciousPattern.test(text) || timeOrAddressPattern.test(text)) return false;
  if (privateKeyPattern.test(text) || containsToken(text)) return true;
  if (secretCommandPatterns.some((pattern) => pattern.test(text))) return true;
  if (hasTicketLink(text)) return true;
  const plain = text.normalize('NFKC');
  return [plain, decodeLink(plain)].some((form) => listAssigned(form).next().done !== true);
}

/** Maximum length of the text taken after a name, so a long text isn't copied for each name in it. */
const maxAssignedChars = 1_000;

/** Lists the text after each secret's name: the value, and possibly more. */
function* listAssigned(text: string): Generator<string> {
  /** Whether each name is a secret's name. Cached, because a long text repeats its names. */
  const verdicts = new Map<string, boolean>();
  for (const { 0: assignment, 1: name = '', index } of text.matchAll(secretAssignmentPattern)) {
    const isSecretAssigned = verdicts.get(name) ?? isSecretFieldName(name);
    verdicts.set(name, isSecretAssigned);
    const start = index + assignment.length - 1;
    if (isSecretAssigned) yield text.slice(start, start + maxAssignedChars);
  }
}

/** Returns a secret and the secrets inside it: the password in a URL, in `user:password`, or in a sentence. */
export function listSecretParts(secret: string): readonly string[] {
  const text = secret.trim();
  const inUrls = [...text.matchAll(/:\/\/[^/\s:@]*:([^/\s]*)@/g)].map(([, password = '']) => password);
  const inLogin = /^[^\s:/]{1,100}:(?!\/)(\S+?)(?:@[\w.-]+(?::\d+)?)?$/.exec(text)?.[1] ?? '';
  const named = [...listAssigned(text)].map((rest) => /^["'`“]?([^\s"'`”,;&]+)/.exec(rest)?.[1] ?? '');
  return [
    text,
    ...inUrls,
    ...(inUrls.length === 0 ? [inLogin] : []),
    ...named.map((word) => word.replace(/[.!]$/, '')),
  ];
}

/** Decodes a link, because a token can be inside another parameter: `?path=%3Ftoken%3D…`. */
function decodeLink(text: string): string {
  const isEncoded = (word: string) => word.includes('://') && /%3D/i.test(word.slice(word.indexOf('://')));
  if (!/%3D/i.test(text) || !text.split(/\s/).some(isEncoded)) return '';
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
