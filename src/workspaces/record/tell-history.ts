import type { Fact, NextStep, Outcome, RawInput, Value } from '../../operations/outcome.ts';
import { statusWords } from '../../operations/runs/status-words.ts';
import { type About, writePage } from './arguments.ts';
import type { LookedUp } from './look-up.ts';
import { namesIn } from './names.ts';
import { type RecordedRun, tookValue, waitsOf } from './recorded-run.ts';

/** What of the record was asked for. */
export interface Asked {
  readonly about: About;
  readonly isFailedOnly: boolean;
  readonly since: string | undefined;
}

/** Gives what a person of the workspace is called. */
type NameOf = (userId: string) => Promise<string>;

/** What is looked for comes first: a phone shows three columns. Why something did not go through is a column where there is such a thing. */
function columnsOf(hasReasons: boolean): readonly string[] {
  return ['Who', 'Outcome', 'What', ...(hasReasons ? ['Why'] : []), 'When', 'Took'];
}

/** Tells a page of the record. */
export async function tellHistory(
  looked: LookedUp,
  asked: Asked,
  nameOf: NameOf,
  mayExport: boolean,
): Promise<Outcome> {
  const { runs, lookedToMs } = looked;
  const hasReasons = runs.some((run) => reasonOf(run) !== null);
  const rows = await Promise.all(runs.map((run) => rowOf(run, hasReasons, nameOf)));
  const looks: readonly Fact[] =
    lookedToMs === undefined ? [] : [{ label: 'Looked back to', value: { timeMs: lookedToMs } }];
  return {
    title: rows.length > 0 ? 'The record' : 'Nothing on record',
    facts: [...(await factsOf(asked, nameOf)), ...looks],
    ...(rows.length > 0 && { table: { columns: columnsOf(hasReasons), rows } }),
    notes: notesOf(looked, asked),
    next: stepsOf(looked, asked, mayExport),
  };
}

async function rowOf(run: RecordedRun, hasReasons: boolean, nameOf: NameOf): Promise<readonly Value[]> {
  const { tookMs } = waitsOf(run);
  return [
    await namesIn(run, (_, userId) => nameOf(userId)),
    statusWords[run.status],
    [run.operation, await targetOf(run, nameOf)].filter(Boolean).join(' '),
    ...(hasReasons ? [reasonOf(run) ?? '–'] : []),
    { timeMs: run.requestedMs },
    tookMs === null ? '–' : tookValue(tookMs),
  ];
}

/** Says why a run did not go through. */
function reasonOf({ errorCode, said }: RecordedRun): string | null {
  return errorCode === null ? null : said;
}

/** The record keeps people whom a right was given to by their ids. */
async function targetOf({ operation, target }: RecordedRun, nameOf: NameOf): Promise<string> {
  if (target === null) return '';
  const ids = operation.startsWith('access ') ? (target.match(/\b[UW][A-Z0-9]{4,}\b/g) ?? []) : [];
  const named = await Promise.all([...new Set(ids)].map(async (id) => [id, await nameOf(id)] as const));
  return named.reduce((text, [id, name]) => text.replaceAll(id, name), target);
}

/** Says what of the record is shown, where it is not all of it. */
async function factsOf({ about, isFailedOnly, since }: Asked, nameOf: NameOf): Promise<readonly Fact[]> {
  const { vps, userId } = about;
  return [
    ...(vps === undefined ? [] : [{ label: 'VPS', value: vps }]),
    ...(userId === undefined ? [] : [{ label: 'Person', value: await nameOf(userId) }]),
    ...(since === undefined ? [] : [{ label: 'Since', value: since }]),
    ...(isFailedOnly ? [{ label: 'Only', value: 'what did not go through' }] : []),
  ];
}

function notesOf({ runs, older, lookedToMs }: LookedUp, asked: Asked): readonly string[] {
  if (lookedToMs !== undefined) return ['There may be more further back: Older goes on looking.'];
  if (runs.length > 0 || older) return [];
  const isAll = Object.keys(inputOf(asked)).length === 0;
  return [isAll ? 'What is run from now on stands here.' : 'Nothing that you may look at fits this.'];
}

function stepsOf({ newer, older }: LookedUp, asked: Asked, mayExport: boolean): readonly NextStep[] {
  const input = inputOf(asked);
  const { failed: _, ...whole } = input;
  const operation = 'history';
  return [
    ...(newer ? [{ label: 'Newer', operation, input: { ...input, page: writePage('newer', newer) } }] : []),
    ...(older ? [{ label: 'Older', operation, input: { ...input, page: writePage('older', older) } }] : []),
    asked.isFailedOnly
      ? { label: 'Show All', operation, input: whole }
      : { label: 'Only Failed', operation, input: { ...input, failed: true } },
    ...(mayExport ? [{ label: 'Export CSV', operation, input: { ...input, export: 'csv' } }] : []),
  ];
}

/** Writes what was asked for as it is given. */
function inputOf({ about: { vps, userId }, isFailedOnly, since }: Asked): RawInput {
  const words = [vps, userId && `@${userId}`].filter((word) => word !== undefined);
  return {
    ...(words.length > 0 && { about: words.join(' ') }),
    ...(isFailedOnly && { failed: true }),
    ...(since !== undefined && { since }),
  };
}
