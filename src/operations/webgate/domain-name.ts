import { z } from 'zod';

/** Longest name that the domain name system takes, from RFC 1035. */
const mostChars = 253;

/** Takes the name of a domain, in small letters. */
export const domainName = z
  .string({ error: 'Give the domain' })
  .trim()
  .toLowerCase()
  .pipe(z.hostname({ error: 'A domain looks like app.example.com' }).max(mostChars));
