/** Maximum length of a link. Longer text isn't a link, and matching it could take long. */
const maxLinkChars = 4_000;

const loginFieldPattern = /console|vnc|kvm|spice|ipmi|login|signon|sso|magic|session|rescue/i;

/** Matches one word that looks generated. */
const generatedPattern = /^(?=.*\d)(?=.*[a-z])[\w+/=-]{12,}$/i;
const generatedSegmentPattern = /^(?=.*\d)(?=.*[a-z])[\w-]{16,}$/i;

/** Returns whether a field, or a group of fields, is about logging in, for example to a console. */
export function isLoginField(name: string): boolean {
  return loginFieldPattern.test(name);
}

/**
 * Returns whether the text in a login field lets anyone who has it log in: `console: { url:
 * 'https://…?ticket=…' }`.
 */
export function isLoginText(text: unknown): boolean {
  if (typeof text !== 'string' || text.length > maxLinkChars) return false;
  if (generatedPattern.test(text.trim())) return true;
  return listLinks(text).some(
    ({ link, query }) =>
      query.includes('=') || link.split('/').some((segment) => generatedSegmentPattern.test(segment)),
  );
}

/** Matches parameters that let anyone with the link log in. `isSecretFieldName` recognizes other such parameters. */
const ticketParameterPattern =
  /(?:^|[?&#;])(?:[\w.-]{0,60}(?:ticket|signature|auth|session|hmac)|sig|sid|jwt|otp|code|key|hash|st|t|sso|access|login|nonce)=[^\s&#;]{4}/i;

/** Matches a parameter whose value looks generated and isn't a UUID. */
const generatedParameterPattern =
  /(?:^|[?&#;])[\w.[\]-]{1,60}=(?![\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\w-]))(?=[\w.~%+/-]*\d)(?=[\w.~%+/-]*[a-z])[\w.~%+/-]{20}/i;

/** Returns whether text contains a link that lets anyone who has it log in, based on the link's query. */
export function hasTicketLink(text: string): boolean {
  return listLinks(text.slice(0, maxLinkChars)).some(
    ({ query }) => ticketParameterPattern.test(query) || generatedParameterPattern.test(query),
  );
}

/** Lists the links in a text, including those without a scheme or a host. */
function listLinks(text: string): readonly { readonly link: string; readonly query: string }[] {
  if (!text.includes('/')) return [];
  return text.split(/\s+/).flatMap((word) => {
    const link = word.slice(Math.max(0, word.indexOf('/')));
    if (!word.includes('/')) return [];
    const queryStart = link.search(/[?#;]/);
    return [{ link, query: queryStart === -1 ? '' : link.slice(queryStart) }];
  });
}
