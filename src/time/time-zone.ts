import { z } from 'zod';
import { findNearestName } from '../nearest-name.ts';

/** Parses an IANA time zone name, ignoring case. Returns undefined if it's unknown or an offset such as `+02:00`. */
export function parseTimeZone(written: string): string | undefined {
  if (!/^[A-Za-z]/.test(written)) return undefined;
  try {
    new Intl.DateTimeFormat('en', { timeZone: written });
  } catch {
    return undefined;
  }
  const isSame = (zone: string) => zone.toLowerCase() === written.toLowerCase();
  return ['UTC', ...Intl.supportedValuesOf('timeZone')].find(isSame) ?? written;
}

/** Returns the time zone that was probably meant: `Europe/Berlin` for `Berlin` and `Europe/Berln`. */
export function suggestTimeZone(written: string): string | undefined {
  const zones = Intl.supportedValuesOf('timeZone');
  const word = written.trim().replaceAll(' ', '_').toLowerCase();
  const isPlace = (zone: string) => zone.toLowerCase().endsWith(`/${word}`);
  return zones.find(isPlace) ?? findNearestName(written.trim(), zones);
}

/** Maximum length. No time zone name is longer. */
const maxChars = 400;

/** Accepts an IANA time zone name, ignoring case. The error suggests the zone that was probably meant. */
export const timeZoneSchema = z
  .string()
  .trim()
  .max(maxChars, { error: `Use at most ${maxChars} characters` })
  .transform((written, context) => {
    const zone = parseTimeZone(written);
    if (zone !== undefined) return zone;
    context.addIssue({ code: 'custom', message: formatUnknownZone(written) });
    return z.NEVER;
  });

/** Formats the error for an unknown zone, with the zone that was probably meant. */
export function formatUnknownZone(written: string): string {
  const meant = suggestTimeZone(written);
  return `Unknown time zone "${written}"${meant ? `: did you mean ${meant}?` : ', such as Europe/Berlin'}`;
}
