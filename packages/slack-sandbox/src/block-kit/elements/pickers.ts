import { z } from 'zod';
import { once } from '../../once.ts';
import { confirm } from '../composition-objects.ts';
import { limits } from '../limits.ts';
import { id, plainText } from '../text-objects.ts';

const picker = once(() => ({
  action_id: id().optional(),
  confirm: confirm().optional(),
  focus_on_load: z.boolean().optional(),
}));

const placeholder = once(() => plainText(limits.placeholderChars));

export const datepicker = once(() =>
  z.strictObject({
    type: z.literal('datepicker'),
    ...picker(),
    placeholder: placeholder().optional(),
    initial_date: z.iso.date('must be a date in the format YYYY-MM-DD').optional(),
  }),
);

/** A time picker. `timezone` is an IANA name. */
export const timepicker = once(() =>
  z.strictObject({
    type: z.literal('timepicker'),
    ...picker(),
    placeholder: placeholder().optional(),
    initial_time: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time in the format HH:mm')
      .optional(),
    timezone: z.string().refine(isTimeZone, 'must be a valid timezone').optional(),
  }),
);

/** A date and time picker. `initial_date_time` is in seconds with 10 digits. */
export const datetimepicker = once(() =>
  z.strictObject({
    type: z.literal('datetimepicker'),
    ...picker(),
    initial_date_time: z.int().min(1_000_000_000).max(9_999_999_999).optional(),
  }),
);

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
