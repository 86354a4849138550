import { RackhandError } from '../../error.ts';
import { defineOwn, type Operation, type OperationContext } from '../../operations/operation.ts';
import type { Outcome } from '../../operations/outcome.ts';
import type { Asker } from '../../operations/runs/run.ts';
import type { RunStatus } from '../../storage/schema.ts';
import { historyArguments } from './arguments.ts';
import { type ExportFormat, exportRecord } from './export.ts';
import type { FollowerStore } from './follower-store.ts';
import type { RecordVoice } from './following.ts';
import { lookUp } from './look-up.ts';
import type { NameOf } from './names.ts';
import type { Extent, RecordStore } from './record-store.ts';
import { concerns, createSight, type Sight } from './sight.ts';
import { momentMs } from './span.ts';
import { type Spooled, spool } from './spool.ts';
import { type Asked, tellHistory } from './tell-history.ts';

/** Gives a file to a person, in their direct messages with the app. */
export type HandOver = (
  asker: Asker,
  file: Spooled & { readonly name: string; readonly title: string },
) => Promise<void>;

export interface HistoryParts {
  readonly store: RecordStore;
  readonly followers: FollowerStore;
  readonly voice: Pick<RecordVoice, 'greet'>;
  readonly handOver: HandOver;
  readonly nameOf: NameOf;
  readonly now: () => number;
}

const name = 'history';

const notGoneThrough: ReadonlySet<RunStatus> = new Set(['refused', 'failed', 'unknown', 'expired']);

/** Declares the operation that shows the record, exports it, and lets a channel follow along. */
export function createHistory(parts: HistoryParts): Operation {
  return defineOwn({
    name,
    heading: 'Record',
    summary: 'Show who did what, export it, or let a channel follow along',
    arguments: historyArguments,
    button: 'Show',
    // Everybody sees their own runs, and of the others what they may look at.
    right: null,
    rightFor: ({ export: format, to }) => (format !== undefined || to !== undefined ? 'administer' : null),
    async run(context, { about = {}, failed, since, export: format, to, page }) {
      if (to !== undefined) return letFollow(parts, context.asker, to);
      const { nameOf, store, now } = parts;
      const { asker } = context;
      const asked: Asked = { about, isFailedOnly: failed, since };
      const nowMs = now();
      const extent: Extent = {
        teamId: asker.teamId,
        untilMs: nowMs,
        ...(about.userId !== undefined && { userId: about.userId }),
        ...(since !== undefined && { sinceMs: momentMs(since, nowMs) }),
      };
      const isWanted = await wantedBy(context, asked);
      if (format !== undefined) return exportTo(parts, asker, { extent, isWanted, format });
      const looked = await lookUp(store, extent, isWanted, page);
      const reach = await context.reach();
      const mayExport = reach({ right: 'administer', vps: [] }) === undefined;
      return tellHistory(looked, asked, (id) => nameOf(asker.teamId, id), mayExport);
    },
  });
}

/** Tells which runs somebody wants to see, and may. A look at the record that is not over is this very one. */
async function wantedBy(
  { asker, reach, catalogue }: OperationContext,
  { about: { vps }, isFailedOnly }: Asked,
): Promise<Sight> {
  const isSeen = createSight(asker, await reach(), catalogue);
  const isAbout = vps === undefined ? () => true : concerns(vps, catalogue);
  return (run) =>
    (run.settledMs !== null || run.operation !== name) &&
    (!isFailedOnly || notGoneThrough.has(run.status)) &&
    isAbout(run) &&
    isSeen(run);
}

async function exportTo(
  { store, nameOf, handOver, now }: HistoryParts,
  asker: Asker,
  what: { readonly extent: Extent; readonly isWanted: Sight; readonly format: ExportFormat },
): Promise<Outcome> {
  let runs = 0;
  const chunks = exportRecord({ store, nameOf }, what, (more) => {
    runs += more;
  });
  const day = new Date(now()).toISOString().slice(0, 10);
  await spool(chunks, (file) =>
    handOver(asker, {
      ...file,
      name: `record-${day}.${what.format}`,
      title: `Record, ${runs} ${runs === 1 ? 'run' : 'runs'}`,
    }),
  );
  return {
    title: 'The record was exported',
    facts: [{ label: 'Runs', value: String(runs) }],
    notes: ['The file is in your direct messages with me.'],
  };
}

async function letFollow(
  { followers, voice, now }: HistoryParts,
  { teamId, userId }: Asker,
  to: string,
): Promise<Outcome> {
  const before = await followers.find(teamId);
  if (to === 'off') {
    if (before) await followers.remove(before);
    return before
      ? {
          title: 'No channel follows the record any more',
          facts: [{ label: 'It was', value: { channel: before.channel } }],
        }
      : { title: 'No channel follows the record' };
  }
  const setMs = now();
  const told = await voice.greet(teamId, to);
  if (told === 'gone') {
    throw new RackhandError(
      'input_invalid',
      'The app cannot speak in that channel: invite it there by /invite @Rackhand.',
    );
  }
  await followers.set({ teamId, channel: to, setBy: userId, setMs });
  return {
    title: 'A channel follows the record',
    facts: [{ label: 'Channel', value: { channel: to } }],
    notes: [
      'It is told what is changed, refused, granted and connected from now on, without calling anybody.',
      'history --to off ends it.',
    ],
  };
}
