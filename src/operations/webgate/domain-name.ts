import { domainToASCII } from 'node:url';
import { z } from 'zod';
import { type Argument, remoteArgument } from '../define/arguments/argument.ts';
import type { ChoiceSource } from '../define/arguments/choice-source.ts';

/** Maximum length of a domain name, from RFC 1035. */
const maxDomainChars = 253;

const hostname = /^[\p{L}\p{M}\p{N}_*-]+(?:\.[\p{L}\p{M}\p{N}_*-]+)+$/u;

/**
 * Returns a domain name as in DNS: in lower case and ASCII, without a trailing dot, and with hyphens instead
 * of the smart dashes that phones type. Other text stays unchanged.
 */
export function normalizeDomainName(typed: string): string {
  const name = typed
    .trim()
    .replace(/—/g, '--')
    .replace(/[‐‑‒–−]/g, '-')
    .replace(/\.$/, '');
  return hostname.test(name) ? domainToASCII(name) || typed : typed;
}

export const domainNameSchema = z
  .string({ error: 'Give the domain' })
  .trim()
  .overwrite(normalizeDomainName)
  .pipe(
    z
      .hostname({ error: 'Give a domain, such as app.example.com' })
      .max(maxDomainChars, { error: `Use at most ${maxDomainChars} characters` }),
  );

/** Creates an argument for a domain that the service lists. */
export function domainArgument(source: ChoiceSource): Argument<string> {
  const argument = remoteArgument({ source, label: 'Domain', example: 'app.example.com' });
  return { ...argument, schema: argument.schema.overwrite(normalizeDomainName) };
}
