import { z } from 'zod';
import { parseTimeZone, suggestTimeZone } from './time-zone.ts';

/** Longer than any name of a zone. */
const maxChars = 400;

/** Accepts the name of an IANA time zone in any case. The error names the zone that was probably meant. */
export const timeZoneSchema = z
  .string()
  .trim()
  .max(maxChars, { error: `Use at most ${maxChars} characters` })
  .superRefine((written, context) => {
    if (parseTimeZone(written)) return;
    const meant = suggestTimeZone(written);
    const guess = meant ? `: did you mean ${meant}?` : ', such as Europe/Berlin';
    context.addIssue({ code: 'custom', message: `Unknown time zone "${written}"${guess}` });
  });
