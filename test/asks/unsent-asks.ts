import pino from 'pino';
import { askCardContent, askMessageKinds, createAskMessages } from '../../src/asks/ask-messages.ts';
import { createAskStore } from '../../src/asks/ask-store.ts';
import type { MemberDirectory } from '../../src/auth/member-directory.ts';
import type { Database } from '../../src/db/engines/database.ts';
import { createSystemClock } from '../../src/jobs/clock.ts';
import { createLocalDatabaseClock } from '../../src/jobs/database-clock.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { createOutbox } from '../../src/messages/outbox.ts';

/** Requests whose messages stay in the outbox. */
export function createUnsentAsks(
  db: Database,
  { listGroupMembers }: Pick<MemberDirectory, 'listGroupMembers'>,
  now: () => number,
) {
  const databaseClock = createLocalDatabaseClock({ ...createSystemClock(), now });
  const log = pino({ level: 'silent' });
  const outbox = createOutbox({ db, jobs: createJobs({ db, databaseClock, hasReplicas: false, log }), log });
  return {
    outbox,
    store: createAskStore(db),
    messages: createAskMessages(outbox, listGroupMembers),
    transact: outbox.transact,
  };
}

/** Lists the cards in the outbox, oldest first. */
export async function listCards(db: Database) {
  const rows = await db
    .selectFrom('message')
    .select(['team_id', 'key', 'channel', 'content', 'version'])
    .where('kind', '=', askMessageKinds.card)
    .orderBy('changed_at')
    .execute();
  return rows.map(({ team_id: teamId, key, channel, content, version }) => {
    const { askId, people } = askCardContent.parse(JSON.parse(content));
    return { teamId, key, channel, askId, people, version };
  });
}
