const secretWords = new Set([
  'password',
  'passwd',
  'passphrase',
  'pwd',
  'pass',
  'secret',
  'secrets',
  'token',
  'tokens',
  'key',
  'keys',
  'apikey',
  'credential',
  'credentials',
]);

/** Words that a field's name is made of: `rootPassword2`, `api_key` and `API-KEY` alike. */
function wordsOf(field: string): string[] {
  return field
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u);
}

/** Tells whether the name of a field suggests that it, or what stands in it, is a secret. */
export function looksSecret(field: string): boolean {
  return wordsOf(field).some(
    (word) =>
      secretWords.has(word) || word.endsWith('password') || word.endsWith('secret') || word.endsWith('token'),
  );
}
