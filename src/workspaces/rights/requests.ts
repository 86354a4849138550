import { RackhandError } from '../../error.ts';
import { defineOwn, type Operation } from '../../operations/operation.ts';
import type { Fact, Outcome } from '../../operations/outcome.ts';
import type { Need } from '../../operations/runs/access.ts';
import { waitingMs } from '../../operations/runs/confirmation.ts';
import { notPermitted, type Problem } from '../../operations/runs/problem.ts';
import type { Origin } from '../../operations/runs/run.ts';
import type { RecordEntry } from '../../operations/runs/run-row.ts';
import type { RunStore } from '../../operations/runs/run-store.ts';
import { patternsArgument, rightArgument } from './arguments.ts';
import { describeOwn } from './describe.ts';
import { everything, scopeWords } from './pattern.ts';
import { wordsOf } from './patterns.ts';
import type { AccessRequest, CardPlace, RequestAnswer, RequestStore } from './request-store.ts';
import type { Rights } from './rights.ts';
import { wantedStep } from './wanted.ts';

/** How long a request can be answered: after that nobody remembers what it was for. */
const holdsMs = 7 * 24 * 60 * 60_000;

/** How long whoever takes a request up may take: then their process is gone, and somebody else can. No run takes longer. */
const takenForMs = waitingMs;

/** What somebody asks a right for was refused so lately, and is among so many. */
const refusedWithinMs = 60 * 60_000;
const mostRefused = 10;

const granting: Need = { right: 'administer', vps: [] };

/** People who are asked at once; in a large workspace not everybody who could grant it need be. */
const mostAsked = 10;

/** Shows requests to those who can grant them. */
export interface RequestDesk {
  /** Asks a person by a direct message; nothing where they cannot be reached. */
  ask(request: AccessRequest, person: string, mayNow: readonly Fact[]): Promise<CardPlace | undefined>;
  /** Shows the answer on the cards, and tells whoever asked. */
  tellAnswer(request: AccessRequest): Promise<void>;
}

/** Takes what people ask for to those who can grant it, and the answer back. */
export interface Requests {
  /** Finds what can still be answered; says why not otherwise. */
  find(teamId: string, id: string): Promise<AccessRequest | 'gone' | 'answered'>;
  /**
   * Carries an answer out, and keeps and tells it then: one at a time, and the first that can be carried out. Says why not otherwise. `grant` runs the grant,
   * under a key of its own.
   */
  answer(
    request: AccessRequest,
    given: { readonly kind: RequestAnswer; readonly by: string; readonly origin: Origin },
    grant: (requestKey: string) => Promise<Problem | undefined>,
  ): Promise<Problem | 'taken' | undefined>;
  readonly operation: Operation;
}

interface RequestParts {
  readonly store: RequestStore;
  readonly rights: Rights;
  readonly desk: RequestDesk;
  readonly runs: Pick<RunStore, 'record' | 'refusedTo'>;
  readonly now?: () => number;
}

/** Creates what takes requests to those who can grant them. */
export function createRequests(parts: RequestParts): Requests {
  const { store, rights, desk, runs, now = Date.now } = parts;

  const isOld = ({ askedMs }: AccessRequest) => now() - askedMs >= holdsMs;

  /** Asks everybody who can grant it but the asker. Gives how many could be reached. */
  async function askAll(request: AccessRequest): Promise<number> {
    const { teamId, userId } = request.asker;
    const who = await rights.peopleWith(teamId, granting);
    const people = who.filter((person) => person !== userId).slice(0, mostAsked);
    const { facts = [] } = describeOwn(await rights.holdingsOf(request.asker), undefined);
    const cards = await Promise.all(people.map((person) => desk.ask(request, person, facts)));
    const posted = cards.flatMap((card) => card ?? []);
    await store.keepCards(request.id, posted);
    return posted.length;
  }

  /** What is granted is a run of its own; other answers are put on record here. */
  async function recordAnswer(
    request: AccessRequest,
    {
      kind,
      ...entry
    }: Pick<RecordEntry, 'asker' | 'origin' | 'status' | 'outcome'> & { kind: RequestAnswer },
  ): Promise<void> {
    await runs.record({
      ...entry,
      operation: kind === 'granted' ? 'access grant' : 'access decline',
      target: `${wordsFor(request)} for ${request.asker.userId}`,
      nowMs: now(),
    });
  }

  const operation = defineOwn({
    name: 'access ask',
    heading: 'Ask for a right',
    summary: 'Ask those who can grant a right for it',
    arguments: {
      right: rightArgument('Each includes those before it.'),
      vps: patternsArgument(everything),
    },
    button: 'Ask',
    right: null,
    target: ({ right, vps }) => wordsFor({ right, patterns: wordsOf(vps) }),
    async run({ asker, reach, catalogue }, { right, vps }): Promise<Outcome> {
      const patterns = wordsOf(vps);
      if (right === 'administer' && !patterns.includes(everything)) {
        throw new RackhandError('input_invalid', 'Administering is for everything: leave the VPS out.');
      }
      const what = wordsFor({ right, patterns });
      const need: Need = { right, vps: patterns.includes(everything) ? [] : patterns };
      if ((await reach())(need) === undefined) return { title: `You have it already: ${what}` };
      const told = ['A direct message tells you the answer.'];
      if (await store.findOpen(asker, { right, patterns }, now() - holdsMs)) {
        return { title: `Asked before: ${what}`, notes: told };
      }
      const refused = await runs.refusedTo(asker, now() - refusedWithinMs, mostRefused);
      const wanted = wantedStep(catalogue, refused, { right, patterns }) ?? null;
      const request = await store.add(asker, { right, patterns, wanted }, now());
      const count = await askAll(request).catch(async (error: unknown) => {
        await store.remove(request.id);
        throw error;
      });
      if (count === 0) {
        await store.remove(request.id);
        throw new RackhandError('people_unknown', 'Nobody who could grant it could be reached.');
      }
      return { title: `Asked ${count === 1 ? 'one person' : `${count} people`} for ${what}`, notes: told };
    },
  });

  return {
    operation,

    async find(teamId, id) {
      const request = await store.find(teamId, id);
      if (!request || (!request.answer && isOld(request))) return 'gone';
      return request.answer ? 'answered' : request;
    },

    async answer(request, { kind, by, origin }, grant) {
      const asker = { teamId: request.asker.teamId, userId: by };
      const refusal = (await rights.access(asker, origin))(granting);
      if (refusal) {
        const problem = notPermitted(refusal);
        await recordAnswer(request, { kind, asker, origin, status: 'refused', outcome: problem });
        return problem;
      }
      const { id } = request;
      const takenMs = now();
      if (!(await store.takeUp(id, { nowMs: takenMs, sinceMs: takenMs - takenForMs }))) return 'taken';
      if (kind === 'granted') {
        // Of one that is taken up a second time the run before may have ended halfway: this is another.
        const problem = await grant(`request:${id}:${takenMs}`).catch(async (error: unknown) => {
          await store.letGo(id, takenMs);
          throw error;
        });
        if (problem) {
          await store.letGo(id, takenMs);
          return problem;
        }
      }
      const answer = { kind, by };
      if (!(await store.settle(id, answer, { takenMs, nowMs: now() }))) return 'taken';
      if (kind === 'declined') {
        const outcome = { title: `Declined: ${wordsFor(request)}` };
        await recordAnswer(request, { kind, asker, origin, status: 'done', outcome });
      }
      await desk.tellAnswer({ ...request, answer });
      return undefined;
    },
  };
}

function wordsFor({ right, patterns }: Pick<AccessRequest, 'right' | 'patterns'>): string {
  return `${right} on ${scopeWords(patterns)}`;
}
