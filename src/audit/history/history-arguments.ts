import { z } from 'zod';
import { formatList } from '../../format-list.ts';
import { isVpsName } from '../../hosting/payloads/vps-name.ts';
import { switchArgument } from '../../operations/define/arguments/argument.ts';
import { optionalArgument } from '../../operations/define/arguments/optional-argument.ts';
import { createWallClock } from '../../time/wall-clock.ts';
import type { AuditCursor } from '../audit-store.ts';
import { kindFilters } from '../entry-kind.ts';
import { exportFormats } from '../export/export-audit-log.ts';

export interface HistorySubject {
  /** The VPS name, or another name that still has to be resolved. */
  readonly vps?: string;
  readonly userId?: string;
}

/** A request for the entries that are older or newer than a cursor. */
export interface PageRequest {
  readonly direction: 'older' | 'newer';
  readonly from: AuditCursor;
}

const mentionPattern = /^@([UW][A-Z0-9]{2,})$/;

const subjectSchema = z.string().transform((typed, context): HistorySubject => {
  const words = typed.split(/[\s,]+/).filter(Boolean);
  const people = words.flatMap((word) => mentionPattern.exec(word)?.[1] ?? []);
  const vpsWords = words.filter((word) => !mentionPattern.test(word));
  const [userId] = people;
  const hasSeveralVps = vpsWords.length > 1 && vpsWords.some(isVpsName);
  const unknownPerson = vpsWords.find((word) => word.startsWith('@'));
  const message =
    people.length > 1 || hasSeveralVps
      ? 'Name at most one VPS and one person'
      : unknownPerson && `${unknownPerson} isn't a person from the suggestions after @`;
  if (message !== undefined) {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }
  // Several words, because names can contain spaces.
  const vps = vpsWords.join(' ');
  return { ...(vps !== '' && { vps }), ...(userId !== undefined && { userId }) };
});

const msPerUnit: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 60 * 60_000,
  d: 24 * 60 * 60_000,
  w: 7 * 24 * 60 * 60_000,
};

const sinceError = 'A time looks like 7d, 12h, 30m, 2w or 2026-11-01';

/** A start time as typed: either an age (`7d`, `12h`, `30m`, `2w`), or a date, which means the start of that day. */
const sinceSchema = z.union(
  [
    z
      .string()
      .trim()
      .regex(/^\d{1,4}[mhdw]$/i),
    z.string().trim().pipe(z.iso.date()),
  ],
  { error: sinceError },
);

const channelSchema = z
  .string()
  .trim()
  .transform((typed, context) => {
    if (typed.toLowerCase() === 'off') return 'off';
    const id = /^#?([CG][A-Z0-9]{2,})$/.exec(typed)?.[1];
    if (id !== undefined) return id;
    const message = `Slack doesn't know the channel ${typed}: choose one from the suggestions after #, or type off`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

const pageSchema = z
  .string()
  .regex(/^(older|newer):\d{1,15}:[\w-]{1,64}$/, { error: 'Only the Older and Newer buttons set this' })
  .transform((text): PageRequest => {
    const [direction, at = '', id = ''] = text.split(':');
    return { direction: direction === 'newer' ? 'newer' : 'older', from: { requestedMs: Number(at), id } };
  });

/** Formats a page request as the value of the `page` argument. */
export function formatPage(direction: PageRequest['direction'], { requestedMs, id }: AuditCursor): string {
  return `${direction}:${requestedMs}:${id}`;
}

const kindError = `Choose ${formatList(kindFilters, 'or')}`;

const exportError = `Choose ${formatList(exportFormats, 'or')}`;

export const historyArguments = {
  about: optionalArgument(
    {
      label: 'VPS or person',
      example: 'web-01 @bob',
      hint: 'Only runs on this VPS, by this person, or both.',
      takesRemainingWords: true,
    },
    subjectSchema,
  ),
  failed: switchArgument({
    label: 'Only unsuccessful runs',
    example: '--failed',
    flag: 'failed',
    hint: 'Refused, failed, not run, or with an unknown outcome. Leaves out typos and cancelled runs.',
  }),
  kind: optionalArgument(
    {
      label: 'Kind',
      example: 'reads',
      flag: 'kind',
      hint: 'Default: the list leaves out reads, and an export contains everything.',
      control: {
        kind: 'choice',
        options: kindFilters,
        labels: {
          changes: 'Changes to the fleet',
          reads: 'Reads',
          settings: 'Changes to Rackhand: rights, keys, reports, watches',
          all: 'Everything',
        },
      },
    },
    z
      .string()
      .trim()
      .toLowerCase()
      .pipe(z.enum(kindFilters, { error: kindError })),
  ),
  target: optionalArgument(
    {
      label: 'Target',
      example: 'acme.example',
      flag: 'target',
      hint: 'Part of what a run acted on, such as the name of a domain, VLAN or report.',
    },
    z.string().trim().max(200, { error: 'Use at most 200 characters' }),
  ),
  since: optionalArgument(
    {
      label: 'Since',
      example: '7d',
      flag: 'since',
      hint: 'How long ago, or a day: 12h, 7d, 2w, 2026-11-01.',
    },
    sinceSchema,
  ),
  export: optionalArgument(
    {
      label: 'Export as',
      example: 'csv',
      flag: 'export',
      hint: "I'll send the file to your DMs.",
      control: { kind: 'choice', options: exportFormats },
    },
    z
      .string()
      .trim()
      .toLowerCase()
      .pipe(z.enum(exportFormats, { error: exportError })),
  ),
  to: optionalArgument(
    {
      label: 'Channel for the activity log',
      example: '#ops-log',
      flag: 'to',
      hint: 'Changes, denials, grants and API keys are posted there. Type off to stop.',
    },
    channelSchema,
  ),
  page: optionalArgument(
    {
      label: 'Page',
      example: 'older:1795000000000:1a2b3c4d',
      flag: 'page',
      hint: 'Set by the Older and Newer buttons.',
    },
    pageSchema,
  ),
} as const;

/** Returns a typed start time in epoch ms. A date begins at midnight in the person's time zone. */
export function parseSince(typed: string, nowMs: number, zone: string): number {
  const [, count, unit = ''] = /^(\d+)([mhdw])$/i.exec(typed) ?? [];
  return count === undefined
    ? createWallClock(zone).firstMsAt(Date.parse(typed))
    : nowMs - Number(count) * (msPerUnit[unit.toLowerCase()] ?? 0);
}
