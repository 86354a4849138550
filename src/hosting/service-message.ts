import type { Endpoint } from './endpoints/endpoint.ts';
import type { HostingFailure } from './hosting-error.ts';
import { normalizeFieldName } from './payloads/record.ts';
import { isPlainText } from './plain-words.ts';
import { withoutSecrets } from './secret-redaction.ts';

const maxMessageChars = 300;

/**
 * Finds the service's own message in an error body, whose format isn't documented. Hides a message that could
 * contain a secret, and only reports that there is one.
 */
export function readServiceMessage(
  body: unknown,
  { hasCredentials }: Pick<Endpoint, 'hasCredentials'>,
  { apiKey, sent }: { readonly apiKey: string; readonly sent: readonly string[] },
): Pick<HostingFailure, 'serviceMessage' | 'isMessageHidden'> {
  if (toLine(findText(body)) === '') return {};
  const line = toLine(findText(withoutSecrets(body))).replaceAll(apiKey, '…');
  // After a failed reset, the message could contain the new password in any form.
  if (line === '' || (hasCredentials && !isPlainText(line, sent))) return { isMessageHidden: true };
  return { serviceMessage: line.slice(0, maxMessageChars) };
}

function toLine(text = ''): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
}

const maxDepth = 4;

/** Normalized names of fields that can contain the service's own message. */
const messageFields = [
  ...['message', 'errormessage', 'msg', 'errormsg', 'detail', 'description', 'errordescription', 'title'],
  ...['faultstring', 'string', 'fault', 'error', 'errors', 'reason'],
];

/** Searches the usual message fields. Inside such a field, searches every field in order. */
function findText(value: unknown, depth = maxDepth): string | undefined {
  if (typeof value === 'string') return value;
  if (depth === 0 || typeof value !== 'object' || value === null) return undefined;
  const fields = new Map(Object.entries(value).map(([field, inner]) => [normalizeFieldName(field), inner]));
  const likely = messageFields.map((field) => fields.get(field));
  const isBody = depth === maxDepth && !Array.isArray(value);
  for (const entry of isBody ? likely : [...likely, ...fields.values()]) {
    const text = findText(entry, depth - 1);
    if (text) return text;
  }
  return undefined;
}
