import { z } from 'zod';

/** Maximum length of a domain name, from RFC 1035. */
const maxDomainChars = 253;

/** Schema for a domain name, which is normalized to lower case. */
export const domainNameSchema = z
  .string({ error: 'Give the domain' })
  .trim()
  .toLowerCase()
  .pipe(
    z
      .hostname({ error: 'Give a domain, such as app.example.com' })
      .max(maxDomainChars, { error: `Use at most ${maxDomainChars} characters` }),
  );
