import { z } from 'zod';
import type { Database } from '../db/engines/database.ts';
import type { Outbox } from '../messages/outbox.ts';
import { createPostOutcome } from '../messages/post-outcome.ts';
import type { ApprovalRoute } from '../runs/pipeline/approval/approvals.ts';
import type { CloseAsk } from '../runs/run-messages.ts';
import { type Ask, isBrokenGlass } from './ask.ts';
import type { AskStore } from './ask-store.ts';

export const askMessageKinds = {
  /** The card that asks for a decision and later shows the decision. */
  card: 'ask',
  /** The DM that tells the asker the decision. */
  answer: 'ask-answer',
} as const;

export const askCardContent = z.object({
  askId: z.string(),
  /** The people to ask. They get DMs if the app can't post in the channel. */
  people: z.array(z.string()).readonly(),
  /** The rule's user group. `problem` says why the group isn't asked: it no longer exists, or no member can decide. */
  group: z.object({ id: z.string(), problem: z.enum(['gone', 'powerless']).optional() }).optional(),
});

export const askAnswerContent = z.object({ askId: z.string(), advice: z.string().optional() });

/** Whom to ask, and where. */
export type Asked = Omit<z.infer<typeof askCardContent>, 'askId'> & Pick<ApprovalRoute, 'channel'>;

/** Maximum people to ask. */
const maxAsked = 10;

type ListGroupMembers = (
  teamId: string,
  group: string,
) => Promise<
  | { readonly kind: 'found'; readonly value: ReadonlySet<string> }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'notFound' }
>;

const toKey = (askId: string) => `${askMessageKinds.card}:${askId}`;

/** Returns the key of the card in the rule's channel. */
export const toCardKey = ({ id, details }: Pick<Ask, 'id' | 'details'>) => details.messageKey ?? toKey(id);

/** Updates all cards of a request. */
async function refreshCards(
  outbox: Pick<Outbox, 'refreshAll'>,
  { id, teamId, messageKey }: { id: string; teamId: string; messageKey?: string | undefined },
  transaction: Database,
): Promise<void> {
  await outbox.refreshAll(teamId, toKey(id), transaction);
  if (messageKey !== undefined) await outbox.refreshAll(teamId, messageKey, transaction);
}

/** Creates a function that ends an approval request in the transaction that changes the request's run. */
export function createCloseAsk(
  store: Pick<AskStore, 'close' | 'find' | 'setDetails'>,
  outbox: Pick<Outbox, 'put' | 'refreshAll'>,
  now: () => number,
): CloseAsk {
  const postOutcome = createPostOutcome(outbox);

  /** Tells channels and admins that someone approved their own change. */
  async function tellBrokenGlass(
    { id, actor, title, details }: Ask,
    reason: string,
    transaction: Database,
  ): Promise<void> {
    const { teamId, userId: creator } = actor;
    const { places = [] } = details.breakGlass ?? {};
    await store.setDetails(id, { ...details, breakGlass: { places, reason } }, transaction);
    const outcome = {
      title: `🚨 An admin broke the glass: ${title}`,
      facts: [
        { label: 'Admin', value: { kind: 'person', person: creator } },
        { label: 'Reason', value: reason },
      ],
      notes: ['The admin approved their own change. No second person approved it.'],
    } as const;
    for (const channel of places)
      await postOutcome(`break-glass:${id}:${channel}`, { teamId, channel }, outcome, {
        creator,
        transaction,
      });
  }

  return async (ask, decision, transaction, reason = '') => {
    const atMs = now();
    if (!(await store.close(ask.id, decision && { ...decision, atMs }, atMs, transaction))) return;
    await refreshCards(outbox, ask, transaction);
    const closed = await store.find(ask.teamId, ask.id, transaction);
    if (closed && isBrokenGlass(closed)) await tellBrokenGlass(closed, reason, transaction);
  };
}

/** The messages about requests, stored in the transaction that makes the change they show. */
export type AskMessages = ReturnType<typeof createAskMessages>;

export function createAskMessages(
  outbox: Pick<Outbox, 'put' | 'refreshAll' | 'onMoved'>,
  listGroupMembers: ListGroupMembers,
) {
  const putToPeople = (
    { teamId, about, creator }: { teamId: string; about: string; creator: string },
    { askId, ...asked }: z.infer<typeof askCardContent>,
    transaction: Database,
  ) =>
    Promise.all(
      asked.people.map((channel) =>
        outbox.put(
          `${toKey(askId)}:${channel}`,
          { teamId, channel },
          { kind: askMessageKinds.card, content: { askId, ...asked }, about, creator },
          transaction,
        ),
      ),
    );

  // If the app can't post in the channel, the card moves to one person's DM, and the other people get their own cards.
  outbox.onMoved(askMessageKinds.card, async ({ teamId, about, creator, content }, person, transaction) => {
    const { people, ...asked } = askCardContent.parse(content);
    const others = people.filter((userId) => userId !== person);
    await putToPeople({ teamId, about, creator: creator ?? '' }, { ...asked, people: others }, transaction);
  });

  return {
    /** Chooses which people to ask under a rule. */
    async choose(
      teamId: string,
      everyone: readonly string[],
      { channel, userGroup: id }: ApprovalRoute,
    ): Promise<Asked> {
      const all = { channel, people: everyone.slice(0, maxAsked) };
      if (id === undefined) return all;
      const members = await listGroupMembers(teamId, id);
      if (members.kind === 'notFound') return { ...all, group: { id, problem: 'gone' } };
      const people =
        members.kind === 'unknown' ? all.people : everyone.filter((userId) => members.value.has(userId));
      if (people.length === 0) return { ...all, group: { id, problem: 'powerless' } };
      return { channel, people: people.slice(0, maxAsked), group: { id } };
    },

    /** Posts the card in the rule's channel or, if there is no channel, as DMs. */
    async ask(ask: Ask, { channel, ...asked }: Asked, transaction: Database) {
      const { id: askId, actor, title, details } = ask;
      const { teamId, userId: creator } = actor;
      const content = { askId, ...asked };
      if (channel === null)
        return void (await putToPeople({ teamId, about: title, creator }, content, transaction));
      await outbox.put(
        toCardKey(ask),
        // A message that shows more than the card falls back to the asker.
        {
          teamId,
          channel,
          fallbacks: details.messageKey === undefined ? asked.people.slice(0, 1) : [creator],
        },
        { kind: askMessageKinds.card, content, about: title, creator },
        transaction,
      );
    },

    refresh: ({ id, actor: { teamId }, details: { messageKey } }: Ask, transaction: Database) =>
      refreshCards(outbox, { id, teamId, messageKey }, transaction),

    /** Tells the asker how the request ended. */
    answer: ({ id: askId, actor, title }: Ask, advice: string | undefined, transaction: Database) =>
      outbox.put(
        `${askMessageKinds.answer}:${askId}`,
        { teamId: actor.teamId, channel: actor.userId },
        { kind: askMessageKinds.answer, content: { askId, advice }, about: title },
        transaction,
      ),
  };
}
