const secretWord = /password|passwd|passphrase|passcode|pwd|secret|token|credential|(?:key|pass|cred|pw)s?$/;

/** Words that a field's name is made of: `rootPassword2`, `api_key` and `API-KEY` alike. */
function wordsOf(field: string): string[] {
  return field
    .normalize('NFKC')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u);
}

/** Tells whether the name of a field suggests that it, or what stands in it, is a secret. */
export function looksSecret(field: string): boolean {
  return wordsOf(field).some((word) => secretWord.test(word));
}

/** Takes the password out of each URL in a text that carries one, such as `ftp://user:password@host`. */
export function withoutUrlPasswords(text: string): string {
  return text.replace(/(:\/\/[^/\s:@]*):[^/\s]*@/g, '$1:…@');
}

/** Tells whether a field is one half of a pair whose other half names a secret: `{ name: 'root_password', value: '…' }`. */
export function isNamedSecret(field: string, record: object): boolean {
  return (
    /^(value|val|content|text|data|v)$/i.test(field) &&
    Object.entries(record).some(
      ([other, name]) => other !== field && typeof name === 'string' && looksSecret(name),
    )
  );
}

/** A name and what it is: `rootPassword: …`, `…?reset_token=…`, "the new password is …", but not "is sent by e-mail". */
const saying =
  /(?<![\p{L}\p{N}_.-])([\p{L}\p{N}_.-]{1,60})['"]?(?:\s{0,3}(?:\s(?:is|are)\s{0,3})?[:=]\s*|\s(?:is|are)\s(?!(?:sent|being|on|not|now|set|reset|changed|delivered|e-?mailed|available)\b))\S/giu;

/** Tells whether a text gives a secret away. */
export function tellsSecret(text: string): boolean {
  return [...text.matchAll(saying)].some(([, name = '']) => looksSecret(name));
}
