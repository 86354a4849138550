import { z } from 'zod';
import { vpsName } from '../../hosting/fields.ts';
import { type Argument, switchArgument } from '../../operations/argument.ts';
import type { Position } from './record-store.ts';
import { moment } from './span.ts';

/** Whose runs, and of which VPS. */
export interface About {
  readonly vps?: string;
  readonly userId?: string;
}

/** A page of the record: what is older, or newer, than a position. */
export interface Page {
  readonly direction: 'older' | 'newer';
  readonly from: Position;
}

const mention = /^@([UW][A-Z0-9]{2,})$/;

const about = z.string().transform((typed, context): About => {
  const found: { vps?: string; userId?: string } = {};
  for (const word of typed.split(/[\s,]+/).filter(Boolean)) {
    const userId = mention.exec(word)?.[1];
    const vps = userId === undefined ? vpsName.safeParse(word).data : undefined;
    const isSecond = userId === undefined ? found.vps !== undefined : found.userId !== undefined;
    if ((userId === undefined && vps === undefined) || isSecond) {
      const message = isSecond
        ? 'Name one VPS and one person at most'
        : `${word} is neither a VPS, as VPS-10001, nor a person as Slack offers them after @`;
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }
    if (userId !== undefined) found.userId = userId;
    if (vps !== undefined) found.vps = vps;
  }
  return found;
});

const channel = z
  .string()
  .trim()
  .transform((typed, context) => {
    if (typed.toLowerCase() === 'off') return 'off';
    const id = /^#?([CG][A-Z0-9]{2,})$/.exec(typed)?.[1];
    if (id !== undefined) return id;
    const message = `Slack knows no channel ${typed} here: choose one as Slack offers them after #, or write off`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

const page = z
  .string()
  .regex(/^(older|newer):\d{1,15}:[\w-]{1,64}$/, { error: 'Only the buttons Older and Newer write this' })
  .transform((written): Page => {
    const [direction, at = '', id = ''] = written.split(':');
    return { direction: direction === 'newer' ? 'newer' : 'older', from: { requestedMs: Number(at), id } };
  });

/** Writes a page as its argument takes it. */
export function writePage(direction: Page['direction'], { requestedMs, id }: Position): string {
  return `${direction}:${requestedMs}:${id}`;
}

/** Files that the record is exported to. */
export const exportFormats = ['csv', 'jsonl'] as const;

const exportError = `The record is exported as ${exportFormats.join(' or ')}`;

/** What the history can be asked for. */
export const historyArguments = {
  about: optional(about, {
    label: 'VPS or person',
    example: 'VPS-10001 @bob',
    hint: 'Runs on this VPS, runs of this person, or both.',
    takesRest: true,
  }),
  failed: switchArgument({
    label: 'Only what did not go through',
    example: '--failed',
    flag: 'failed',
    hint: 'Refused, failed, not run, or with an unknown outcome.',
  }),
  since: optional(moment, {
    label: 'Since',
    example: '7d',
    flag: 'since',
    hint: 'How long ago, or a day: 12h, 7d, 2w, 2026-11-01.',
  }),
  export: optional(
    z
      .string()
      .trim()
      .toLowerCase()
      .pipe(z.enum(exportFormats, { error: exportError })),
    {
      label: 'Export as',
      example: 'csv',
      flag: 'export',
      hint: 'The file comes in your direct messages.',
      control: { kind: 'choice', options: exportFormats },
    },
  ),
  to: optional(channel, {
    label: 'Channel that follows along',
    example: '#ops-log',
    flag: 'to',
    hint: 'It is told what is done, refused, granted and connected from now on. off ends it.',
  }),
  page: optional(page, {
    label: 'Page',
    example: 'older:1795000000000:1a2b3c4d',
    flag: 'page',
    hint: 'Written by the buttons Older and Newer.',
  }),
} as const;

/** Takes what may be left out, and is left out where a form's field is empty. */
function optional<T>(
  schema: z.ZodType<T, string>,
  texts: Pick<Argument, 'label' | 'example' | 'hint' | 'flag' | 'takesRest'> &
    Partial<Pick<Argument, 'control'>>,
): Argument<T | undefined> {
  return {
    control: { kind: 'text' },
    ...texts,
    required: false,
    schema: z.preprocess((given) => (given === '' ? undefined : given), schema.optional()),
  };
}
