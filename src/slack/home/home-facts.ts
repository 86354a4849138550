import { RackhandError } from '../../error.ts';
import { getStatus } from '../../hosting/endpoints/system.ts';
import type { Catalogue } from '../../operations/catalogue.ts';
import { ifPermitted } from '../../operations/if-permitted.ts';
import { inputOf, vpsNamesOf } from '../../operations/input.ts';
import type { Read } from '../../operations/operation.ts';
import { maySee, type Need, type Reach } from '../../operations/runs/access.ts';
import { keyNeed, keyRemedyOf } from '../../operations/runs/key-problem.ts';
import type { Asker } from '../../operations/runs/run.ts';
import type { RunStore } from '../../operations/runs/run-store.ts';
import { standingWords } from '../../operations/runs/status-words.ts';
import { fleet } from '../../operations/sources/fleet.ts';
import type { HostingAccess } from '../../workspaces/hosting-access.ts';
import type { HomeFacts, HomeKey } from './home-view.ts';

/** How old what the Home shows may be, in ms: it is opened often, by many. */
const homeAgeMs = 15_000;

const mostRecent = 8;

/** What somebody has to hold to see anything at all. */
export const homeNeed: Need = { right: 'look', vps: [], isForSome: true };

interface HomeSources {
  readonly hosting: HostingAccess;
  readonly runs: Pick<RunStore, 'recent'>;
  readonly catalogue: Catalogue;
  readonly reach: Reach;
  readonly now: () => number;
}

/** Reads what the App Home shows to somebody, and nothing that they may not look at. A part that cannot be read says why, and the others are there. */
export async function readHomeFacts(
  { teamId }: Asker,
  { hosting, runs, catalogue, reach, now }: HomeSources,
  isFresh: boolean,
): Promise<HomeFacts> {
  const maxAgeMs = isFresh ? 0 : homeAgeMs;
  const client = hosting(teamId);
  const read: Read = (endpoint, input, more) => client.call(endpoint, input, { lane: 'people', ...more });
  const [key, servers, recent] = await Promise.all([
    readKey(read, reach, maxAgeMs),
    orWhyNot(() =>
      ifPermitted(async () => {
        const { choices } = await fleet.load(read, {}, maxAgeMs);
        return choices.filter(({ value }) => maySee(reach, value));
      }),
    ),
    recentChanges(teamId, { runs, catalogue, reach }),
  ]);
  // Afterwards, so that what was just read is not told as waiting.
  const usage = await client.usage().catch(() => undefined);
  return { key, fleet: servers, recent, nowMs: now(), ...(usage && { usage }) };
}

/** Reads what the API key may do; why not otherwise, with what puts it right for those who may. */
async function readKey(read: Read, reach: Reach, maxAgeMs: number): Promise<HomeKey> {
  const refusal = reach({ right: 'look', vps: [] });
  if (refusal) return { whyNot: refusal.what };
  try {
    const { service, permissions } = await read(getStatus, {}, { maxAgeMs });
    return { service, permissions };
  } catch (error) {
    if (!(error instanceof RackhandError)) throw error;
    const step = keyRemedyOf(error.code)?.step;
    const mayChangeIt = reach(keyNeed) === undefined;
    return { whyNot: error.message, ...(step && mayChangeIt && { step }) };
  }
}

async function orWhyNot<T>(read: () => Promise<T>): Promise<T | string> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof RackhandError) return error.message;
    throw error;
  }
}

async function recentChanges(
  teamId: string,
  { runs, catalogue, reach }: Pick<HomeSources, 'runs' | 'catalogue' | 'reach'>,
): Promise<HomeFacts['recent']> {
  const recent = await runs.recent(teamId, mostRecent * 5);
  const changes = recent.filter(({ operation: name, input }) => {
    const operation = catalogue.find(name);
    if (operation?.kind !== 'change') return false;
    return !reach({ right: 'look', vps: vpsNamesOf(operation.arguments, inputOf(operation, input)) });
  });
  return changes
    .slice(0, mostRecent)
    .map((run) => ({ run, standing: standingWords(run, catalogue.find(run.operation)) }));
}
